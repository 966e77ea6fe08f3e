import fc from 'fast-check';
import { type GraphQLObjectType, getNamedType, isCompositeType, isObjectType } from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { openApiDocument } from '../../src/rest/openapi.ts';
import { useApp } from '../support/app.ts';
import { createElectionWorld } from '../support/election-world.ts';
import { useStore } from '../support/store.ts';
import { expectHarmless } from './check.ts';

// Short and always the same in the suite; FUZZ_RUNS=200000 FUZZ_SEED=$RANDOM for more.
const numRuns = Number(process.env.FUZZ_RUNS ?? 400) / 2;
const settings = { numRuns, seed: Number(process.env.FUZZ_SEED ?? 20_241_105) };
const LIMIT_MS = 60_000 + numRuns * 100;

const store = useStore();
const service = useApp(store);
beforeAll(() => createElectionWorld(store.db));

const argumentValue = fc.oneof(
  fc.integer().map(String),
  fc.double().map((value) => String(value)),
  fc.string().map((value) => JSON.stringify(value)),
  fc.constantFrom('null', 'true', '[]', '{}', '"2024-11-05"', '"AA"', '42', '-98', 'FEDERAL', '$undeclared'),
);

/** A selection on a type of the schema: its fields, most with what they need, some with what they do not know. */
function selection(type: GraphQLObjectType, levels: number): fc.Arbitrary<string> {
  const fields = Object.values(type.getFields());
  const field = fc.constantFrom(...fields).chain((chosen) => {
    const inner = getNamedType(chosen.type);
    const below =
      levels > 0 && isCompositeType(inner) && isObjectType(inner)
        ? selection(inner, levels - 1).map((text) => `{ ${text} }`)
        : fc.constantFrom('', '{ __typename }');
    const values = chosen.args.map(({ name }) => fc.option(argumentValue.map((value) => `${name}: ${value}`)));
    return fc.tuple(fc.tuple(...values), below).map(([given, rest]) => {
      const list = given.filter((each) => each !== null);
      return `${chosen.name}${list.length > 0 ? `(${list.join(', ')})` : ''} ${rest}`;
    });
  });
  return fc.array(field, { minLength: 1, maxLength: 4 }).map((texts) => texts.join(' '));
}

/** The same with a few characters taken out, put in, or moved. */
const mutated = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(text, fc.nat(), fc.nat(20), fc.option(fc.string({ maxLength: 5 }), { freq: 2 }))
    .map(([whole, at, cut, put]) => {
      if (put === null) return whole;
      const place = at % (whole.length + 1);
      return `${whole.slice(0, place)}${put}${whole.slice(place + (cut > 10 ? cut - 10 : 0))}`;
    });

it(
  'documents made from the schema are answered without a fault',
  async () => {
    const query = schema.getQueryType();
    if (!query) throw new Error('no query type');
    const document = mutated(selection(query, 4).map((text) => `{ ${text} }`));
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(document, fc.option(fc.jsonValue()), async (source, variables) => {
        const key = service.key('full');
        const answer = await service.app.inject({
          method: 'POST',
          url: '/graphql',
          headers: { 'x-api-key': key },
          payload: { query: source, variables },
        });
        expectHarmless(answer, { key, ms: 0 });
        if (answer.json().data) answered++;
      }),
      settings,
    );
    expect(answered).toBeGreaterThan(0);
  },
  LIMIT_MS,
);

it(
  'requests made from the OpenAPI document are answered without a fault',
  async () => {
    const operations = Object.entries(openApiDocument().paths);
    const value = fc.oneof(
      fc.constantFrom('42', '-98', '2024-11-05', 'AA', 'General', '1', 'contact', 'Federal', 'County'),
      fc.string(),
      fc.double().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
    );
    const request = fc.constantFrom(...operations).chain(([path, { get }]) =>
      fc
        .tuple(
          ...get.parameters.map(({ name }) =>
            fc.option(
              value.map((text) => [name, text] as const),
              { freq: 4 },
            ),
          ),
        )
        .map(
          (given) => `${path}?${new URLSearchParams(given.filter((each) => each !== null).map((each) => [...each]))}`,
        ),
    );
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(mutated(request), async (url) => {
        const key = service.key('full');
        const answer = await service.app.inject({
          url: encodeURI(url).replaceAll('%25', '%'),
          headers: { 'x-api-key': key },
        });
        expectHarmless(answer, { key, ms: 0 });
        statuses.add(answer.statusCode);
      }),
      { ...settings, examples: [['/data/election_dates/list?state=AA']] },
    );
    expect(statuses).toContain(200);
    expect(statuses).toContain(400);
  },
  LIMIT_MS,
);
