import { describe, expect, it } from 'vitest';
import type { Footprint, FootprintRequest } from '../../src/gateway/cache/footprint.store.ts';
import { createResponseCache, type ResponseCache } from '../../src/gateway/cache/response-cache.ts';
import { watchDataVersion } from '../../src/store/reading/data-version.ts';

const scope = { caller: { packageName: 'test', grants: new Set<never>(), keyId: 1 }, today: '2026-07-01' };
const point = { latitude: 42, longitude: -98 };

/** Creates a cache over a source whose data version the test sets, and counts how often responses are created. */
function cacheOver(state: string, isStandby: boolean) {
  const source = {
    state,
    isStandby,
    boundaries: '{1}',
    coversTile: false,
    now: 0,
    made: 0,
    requests: [] as FootprintRequest[],
  };
  const footprint = (): Footprint => {
    const { state, isStandby, boundaries, coversTile } = source;
    return { state, isStandby, boundaries, coversTile };
  };
  const cache = createResponseCache(
    {
      versions: watchDataVersion(
        async () => footprint(),
        () => source.now,
      ),
      footprints: async (requests) => {
        source.requests.push(...requests);
        return requests.map(({ withTile }) => ({ ...footprint(), coversTile: withTile && source.coversTile }));
      },
    },
    { bytes: 100_000, now: () => source.now },
  );
  return { source, cache };
}

/** Returns the responses about points: those that are cached, and those that `make` creates for the missing indices. */
async function bodiesOf(
  cache: ResponseCache,
  points: readonly { readonly latitude: number; readonly longitude: number }[],
  make: (missing: readonly number[]) => Promise<readonly Buffer[]>,
): Promise<readonly Buffer[]> {
  const { bodies, complete } = await cache.find('names', points, scope);
  const missing = [...bodies.keys()].filter((index) => !bodies[index]);
  if (missing.length === 0) return bodies as Buffer[];
  return (await complete(await make(missing))) ?? make([...points.keys()]);
}

async function request(
  cache: ResponseCache,
  source: { state: string; made: number },
  during = () => {},
): Promise<string> {
  const make = async () => {
    source.made++;
    const body = Buffer.from(source.state);
    during();
    return [body];
  };
  const [body] = await bodiesOf(cache, [point], make);
  // The response is cached shortly after it was returned.
  await new Promise((resolve) => setTimeout(resolve, 20));
  return String(body);
}

describe('a response about a point', () => {
  it('is cached as long as the data version and the boundaries are the same', async () => {
    const { source, cache } = cacheOver('one', false);
    await request(cache, source);
    expect(await request(cache, source)).toBe('one');
    expect(source.made).toBe(1);
    source.boundaries = '{1,2}';
    await request(cache, source);
    expect(source.made).toBe(2);
    source.state = 'two';
    expect(await request(cache, source)).toBe('two');
    expect(source.made).toBe(3);
  });

  it('from a standby is cached once its data version is two seconds old', async () => {
    const { source, cache } = cacheOver('one', true);
    await request(cache, source);
    source.now = 1_900;
    await request(cache, source);
    expect(source.made).toBe(2);
    source.now = 2_100;
    await request(cache, source);
    await request(cache, source);
    expect(source.made).toBe(3);
  });

  it('is not cached if a standby with a greater lag replaces the one that reported the data version', async () => {
    const { source, cache } = cacheOver('new', true);
    await request(cache, source);
    source.now = 5_000;
    // The statements of this response already go to the other standby.
    const [body] = await bodiesOf(cache, [point], async () => {
      source.state = 'old';
      return [Buffer.from('old')];
    });
    expect(String(body)).toBe('old');
    await new Promise((resolve) => setTimeout(resolve, 20));
    source.state = 'new';
    source.now = 10_000;
    expect(await request(cache, source)).toBe('new');
  });
});

describe('a map tile', () => {
  it('without a boundary across it needs no lookup for its points for half a second', async () => {
    const { source, cache } = cacheOver('one', false);
    source.coversTile = true;
    await request(cache, source);
    const neighbour = { latitude: 42.003, longitude: -97.997 };
    const inSameTile = { latitude: 42.004, longitude: -98 };
    const made = async (missing: readonly number[]) => missing.map(() => Buffer.from('made'));
    expect((await bodiesOf(cache, [neighbour], made)).map(String)).toEqual(['one']);
    expect(source.requests).toHaveLength(1);
    expect((await bodiesOf(cache, [neighbour, inSameTile], made)).map(String)).toEqual(['one', 'one']);
    expect(source.requests.slice(1)).toEqual([{ ...inSameTile, withTile: true }]);
    source.state = 'two';
    expect(await request(cache, source), 'while the data version is fresh').toBe('one');
    source.now = 500;
    expect(await request(cache, source)).toBe('two');
    expect(source.requests).toHaveLength(3);
  });

  it('with a boundary across it is read once, and its points each time', async () => {
    const { source, cache } = cacheOver('one', false);
    for (let again = 0; again < 3; again++) await request(cache, source);
    expect(source.requests.map(({ withTile }) => withTile)).toEqual([true, false, false]);
    source.state = 'two';
    await request(cache, source);
    await request(cache, source);
    expect(source.requests.map(({ withTile }) => withTile)).toEqual([true, false, false, false, true]);
  });
});

it('returns all points from one data version if some of them are cached', async () => {
  const { source, cache } = cacheOver('one', false);
  const make = async (missing: readonly number[]) => {
    const made = missing.map(() => Buffer.from(source.state));
    return made;
  };
  await request(cache, source);
  const points = [point, { latitude: 43, longitude: -98 }];
  let lookups = 0;
  const mixed = createResponseCache(
    {
      versions: watchDataVersion(async () => ({ state: source.state, isStandby: false })),
      footprints: async (requests) => {
        lookups++;
        return requests.map(({ latitude }) => ({
          state: 'one',
          isStandby: false,
          boundaries: `{${latitude}}`,
          coversTile: false,
        }));
      },
    },
    { bytes: 100_000 },
  );
  await bodiesOf(mixed, [point], make);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const bodies = await bodiesOf(mixed, points, async (missing) => {
    source.state = 'two';
    return make(missing);
  });
  expect(bodies.map(String)).toEqual(['two', 'two']);
  expect(lookups).toBe(2);
});
