import { describe, expect, it } from 'vitest';
import type { Footing, Look } from '../../src/cache/footprint.store.ts';
import { type Answers, createAnswers } from '../../src/cache/response-cache.ts';

const scope = { caller: { packageName: 'test', grants: new Set<never>(), keyId: 1 }, today: '2026-07-01' };
const point = { latitude: 42, longitude: -98 };

/** A store of which a test says which state it has, and answers about it that count how often they are made. */
function ground(state: string, isStandby: boolean) {
  const store = { state, isStandby, boundaries: '{1}', holdsInSquare: false, now: 0, made: 0, looks: [] as Look[] };
  const footing = (): Footing => {
    const { state, isStandby, boundaries, holdsInSquare } = store;
    return { state, isStandby, boundaries, holdsInSquare };
  };
  const answers = createAnswers(
    {
      state: async () => footing(),
      footings: async (looks) => {
        store.looks.push(...looks);
        return looks.map(({ withSquare }) => ({ ...footing(), holdsInSquare: withSquare && store.holdsInSquare }));
      },
    },
    { bytes: 100_000, now: () => store.now },
  );
  return { store, answers };
}

async function ask(answers: Answers, store: { state: string; made: number }, during = () => {}): Promise<string> {
  const make = async () => {
    store.made++;
    const body = Buffer.from(store.state);
    during();
    return [body];
  };
  const [body] = (await answers.ofPoints('names', [point], scope, make)) ?? [];
  // What is kept is so a moment after it was answered.
  await new Promise((resolve) => setTimeout(resolve, 20));
  return String(body);
}

describe('an answer about a point', () => {
  it('is kept as long as the state and the boundaries are the same', async () => {
    const { store, answers } = ground('one', false);
    await ask(answers, store);
    expect(await ask(answers, store)).toBe('one');
    expect(store.made).toBe(1);
    store.boundaries = '{1,2}';
    await ask(answers, store);
    expect(store.made).toBe(2);
    store.state = 'two';
    expect(await ask(answers, store)).toBe('two');
    expect(store.made).toBe(3);
  });

  it('of a standby is kept when its state has lasted for two seconds', async () => {
    const { store, answers } = ground('one', true);
    await ask(answers, store);
    store.now = 1_900;
    await ask(answers, store);
    expect(store.made).toBe(2);
    store.now = 2_100;
    await ask(answers, store);
    await ask(answers, store);
    expect(store.made).toBe(3);
  });

  it('is not kept when a standby that is further behind took the place of the one that told the state', async () => {
    const { store, answers } = ground('new', true);
    await ask(answers, store);
    store.now = 5_000;
    // The statements of the answer go to the other one already.
    const body = await answers.ofPoints('names', [point], scope, async () => {
      store.state = 'old';
      return [Buffer.from('old')];
    });
    expect(String(body)).toBe('old');
    await new Promise((resolve) => setTimeout(resolve, 20));
    store.state = 'new';
    store.now = 10_000;
    expect(await ask(answers, store)).toBe('new');
  });
});

describe('a square of the map', () => {
  it('that no boundary crosses tells of its points without a look, for half a second', async () => {
    const { store, answers } = ground('one', false);
    store.holdsInSquare = true;
    await ask(answers, store);
    const neighbour = { latitude: 42.003, longitude: -97.997 };
    const beyond = { latitude: 42.004, longitude: -98 };
    const made = async (missing: readonly number[]) => missing.map(() => Buffer.from('made'));
    expect((await answers.ofPoints('names', [neighbour], scope, made))?.map(String)).toEqual(['one']);
    expect(store.looks).toHaveLength(1);
    expect((await answers.ofPoints('names', [neighbour, beyond], scope, made))?.map(String)).toEqual(['one', 'one']);
    expect(store.looks.slice(1)).toEqual([{ ...beyond, withSquare: true }]);
    store.state = 'two';
    expect(await ask(answers, store), 'as long as the state is fresh').toBe('one');
    store.now = 500;
    expect(await ask(answers, store)).toBe('two');
    expect(store.looks).toHaveLength(3);
  });

  it('that a boundary crosses is asked about once, and its points each time', async () => {
    const { store, answers } = ground('one', false);
    for (let again = 0; again < 3; again++) await ask(answers, store);
    expect(store.looks.map(({ withSquare }) => withSquare)).toEqual([true, false, false]);
    store.state = 'two';
    await ask(answers, store);
    await ask(answers, store);
    expect(store.looks.map(({ withSquare }) => withSquare)).toEqual([true, false, false, false, true]);
  });
});

it('points of which some are kept are all of one state', async () => {
  const { store, answers } = ground('one', false);
  const make = async (missing: readonly number[]) => {
    const made = missing.map(() => Buffer.from(store.state));
    return made;
  };
  await ask(answers, store);
  const points = [point, { latitude: 43, longitude: -98 }];
  let lookups = 0;
  const mixed = createAnswers(
    {
      state: async () => ({ state: store.state, isStandby: false }),
      footings: async (asked) => {
        lookups++;
        return asked.map(({ latitude }) => ({
          state: 'one',
          isStandby: false,
          boundaries: `{${latitude}}`,
          holdsInSquare: false,
        }));
      },
    },
    { bytes: 100_000 },
  );
  await mixed.ofPoints('names', [point], scope, make);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const answered = await mixed.ofPoints('names', points, scope, async (missing) => {
    store.state = 'two';
    return make(missing);
  });
  expect(answered?.map(String)).toEqual(['two', 'two']);
  expect(lookups).toBe(2);
});
