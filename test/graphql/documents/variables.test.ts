import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/base/config/config.ts';
import { Caches } from '../../../src/base/lru-caches.ts';
import type { ResponseCache } from '../../../src/gateway/cache/response-cache.ts';
import { createGraphQLCache } from '../../../src/gateway/graphql/cache/graphql-cache.ts';
import { createDocuments, type PreparedDocument } from '../../../src/gateway/graphql/documents/documents.ts';
import { checkTexts } from '../../../src/gateway/graphql/documents/text-arguments.ts';
import { schema } from '../../../src/graph/schema.ts';

type Variables = Readonly<Record<string, unknown>>;

const LIMITS = readConfig({}).limits.operation;
const BY = { caller: { keyId: 1 } };
const HEAD = '$x: Longitude!, $y: Latitude!';
const POINT = { x: -98.25, y: 42.75 };
const at = (selection: string, definitions = '') =>
  `query (${HEAD} ${definitions}) { location(latitude: $y, longitude: $x) { ${selection} } }`;

/** What a request with these variables is, for each fact of a document that depends on them. */
const FACTS = {
  caching: ({ analysis }: PreparedDocument, variables: Variables) => analysis.findCaching(variables).kind,
  cost: ({ cost }: PreparedDocument) => (cost > 1_000 ? 'dear' : 'cheap'),
  'not in package': ({ analysis }: PreparedDocument, variableValues: Variables) =>
    analysis.findNotInPackage({ variableValues }, new Set(['districts', 'elections']))?.notInPackage[0]?.grant,
  'length of texts': ({ document, analysis }: PreparedDocument, variables: Variables) => {
    const [operation] = document.definitions;
    try {
      checkTexts(analysis.texts, operation?.kind === 'OperationDefinition' ? operation : undefined, variables);
    } catch {
      return 'too long';
    }
    return 'right';
  },
  'place in the text': ({ analysis }: PreparedDocument) => (analysis.holdsPlace ? 'held' : 'none'),
  'registered for its hash': ({ analysis }: PreparedDocument) => !analysis.holdsAddress,
} as const;

const EDGES = at('name: id nearestLines @include(if: $e) { distance }', '$e: Boolean!');
const DEFAULT_EDGES = at('nearestLines @include(if: $e) { distance }', '$e: Boolean = false');
const SKIPPED = at('nearestLines @skip(if: $e) { distance }', '$e: Boolean!');
const SPREAD = `${at('districts { name } ...Edges @include(if: $e)', '$e: Boolean!')} fragment Edges on Location { nearestLines { distance } }`;
const NESTED = at('... on Location @skip(if: $e) { ... on Location { nearestLines { distance } } }', '$e: Boolean!');
const TWICE = at('nearestLines @include(if: $e) @skip(if: $f) { distance }', '$e: Boolean!, $f: Boolean!');
const INSIDE = `${at('...A @include(if: $e) ...B', '$e: Boolean!')} fragment A on Location { ...B } fragment B on Location { nearestLines @include(if: $e) { distance } }`;
const LITERAL = at('nearestLines @include(if: false) { distance }');
const ROOT = `query (${HEAD} $e: Boolean!) { location(latitude: $y, longitude: $x) @include(if: $e) { id } }`;
const BESIDE = `query (${HEAD} $e: Boolean!) { location(latitude: $y, longitude: $x) { id } districts @include(if: $e) { totalCount } }`;
const FILTER = 'query ($f: PersonFilter) { people(filter: $f) { totalCount } }';
const STATE = 'query ($s: String) { people(filter: { state: $s, parties: null }) { totalCount } }';
const DEFAULT_FILTER = 'query ($f: PersonFilter = { state: "AA" }) { people(filter: $f) { totalCount } }';
const GRANTED = at('districts { boundary { area @include(if: $e) } }', '$e: Boolean = true');
const NAMES = 'query A($n: String = "an") { people(name: $n) { totalCount } }';
const LONG = `query A($n: String = "${'a'.repeat(101)}") { people(name: $n) { totalCount } }`;
const OTHERS_DEFAULT = `${NAMES} ${LONG.replace('query A', 'query B')}`;
const OTHERS_LITERAL = `${LONG} ${NAMES.replace('query A', 'query B')}`;
const PLACE = `query ($x: Longitude! = -98.25, $y: Latitude! = 42.75) { location(latitude: $y, longitude: $x) { id } }`;
const ADDRESS = 'query ($a: String! = "1 Main St") { geocode(text: $a) { ambiguous } }';
const CONTAINS = at('districts { contains(types: COUNTY, first: $n) { edges { node { name } } } }', '$n: Int = 1');

describe.each<[keyof typeof FACTS, string, Variables, unknown]>([
  ['caching', EDGES, { ...POINT, e: false }, 'points'],
  ['caching', EDGES, { ...POINT, e: true }, 'none'],
  ['caching', EDGES, { ...POINT, e: 'false' }, 'none'],
  ['caching', EDGES, POINT, 'none'],
  ['caching', DEFAULT_EDGES, POINT, 'points'],
  ['caching', DEFAULT_EDGES, { ...POINT, e: false }, 'points'],
  ['caching', DEFAULT_EDGES, { ...POINT, e: true }, 'none'],
  ['caching', DEFAULT_EDGES, { ...POINT, e: null }, 'none'],
  ['caching', SKIPPED, { ...POINT, e: true }, 'points'],
  ['caching', SKIPPED, { ...POINT, e: false }, 'none'],
  ['caching', SPREAD, { ...POINT, e: false }, 'points'],
  ['caching', SPREAD, { ...POINT, e: true }, 'none'],
  ['caching', NESTED, { ...POINT, e: true }, 'points'],
  ['caching', NESTED, { ...POINT, e: false }, 'none'],
  ['caching', TWICE, { ...POINT, e: true, f: true }, 'points'],
  ['caching', TWICE, { ...POINT, e: false, f: false }, 'points'],
  ['caching', TWICE, { ...POINT, e: true, f: false }, 'none'],
  ['caching', INSIDE, { ...POINT, e: false }, 'points'],
  ['caching', INSIDE, { ...POINT, e: true }, 'none'],
  ['caching', LITERAL, POINT, 'points'],
  ['caching', ROOT, { ...POINT, e: true }, 'points'],
  ['caching', ROOT, { ...POINT, e: false }, 'none'],
  ['caching', BESIDE, { ...POINT, e: false }, 'points'],
  // As a whole, its key would have the point.
  ['caching', BESIDE, { ...POINT, e: true }, 'none'],
  ['cost', EDGES, { ...POINT, e: false }, 'cheap'],
  ['cost', EDGES, { ...POINT, e: true }, 'dear'],
  // What the executor rejects or does not know costs what it may.
  ['cost', EDGES, POINT, 'dear'],
  ['cost', EDGES, { ...POINT, e: 'false' }, 'dear'],
  ['cost', DEFAULT_EDGES, POINT, 'cheap'],
  ['cost', DEFAULT_EDGES, { ...POINT, e: true }, 'dear'],
  ['cost', SPREAD, { ...POINT, e: false }, 'cheap'],
  ['cost', SPREAD, { ...POINT, e: true }, 'dear'],
  ['cost', TWICE, { ...POINT, e: true, f: true }, 'cheap'],
  ['cost', TWICE, { ...POINT, e: true, f: false }, 'dear'],
  ['cost', LITERAL, POINT, 'cheap'],
  ['cost', CONTAINS, POINT, 'dear'],
  ['not in package', GRANTED, POINT, 'boundaries'],
  ['not in package', GRANTED, { ...POINT, e: false }, undefined],
  ['not in package', FILTER, { f: { state: 'AA' } }, 'officeholders'],
  ['not in package', FILTER, { f: { parties: [] } }, 'officeholders'],
  ['not in package', FILTER, { f: null }, undefined],
  ['not in package', FILTER, { f: {} }, undefined],
  ['not in package', FILTER, {}, undefined],
  ['not in package', STATE, { s: 'AA' }, 'officeholders'],
  ['not in package', STATE, {}, undefined],
  ['not in package', DEFAULT_FILTER, {}, 'officeholders'],
  ['not in package', DEFAULT_FILTER, { f: null }, undefined],
  ['length of texts', NAMES, {}, 'right'],
  ['length of texts', NAMES, { n: 'a'.repeat(101) }, 'too long'],
  ['length of texts', LONG, {}, 'too long'],
  ['length of texts', LONG, { n: 'an' }, 'right'],
  ['length of texts', OTHERS_DEFAULT, {}, 'right'],
  ['length of texts', OTHERS_LITERAL, {}, 'too long'],
  // What a text tells it tells whatever the variables are.
  ['place in the text', PLACE, {}, 'held'],
  ['place in the text', PLACE, POINT, 'held'],
  ['registered for its hash', ADDRESS, {}, false],
  ['registered for its hash', ADDRESS, { a: 'elsewhere' }, false],
  ['caching', PLACE, POINT, 'points'],
])('%s: %s', (fact, source, variables, expected) => {
  it(`with ${JSON.stringify(variables).slice(0, 80)}`, async () => {
    const prepare = createDocuments(schema, LIMITS);
    // The answer for other variables, first, decides nothing.
    await prepare(source, { ...POINT, e: !variables.e, f: true }, BY);
    const prepared = await prepare(source, variables, BY);
    if (!('document' in prepared)) throw new Error(JSON.stringify(prepared));
    FACTS[fact](prepared, { ...POINT, e: !variables.e, f: true });
    expect(FACTS[fact](prepared, variables)).toEqual(expected);
  });
});

/** A cache that stores nothing, and notes the keys and the points that it is asked for. */
function notingCache() {
  const asked: unknown[] = [];
  const cache = {
    find: (key: string, points: readonly unknown[] = [undefined]) => {
      asked.push([key, points]);
      return { bodies: points.map(() => Buffer.from('{}')) };
    },
  } as unknown as ResponseCache;
  return { asked, cache: createGraphQLCache(cache) };
}

it.each([
  [EDGES, { ...POINT, e: false }, 1],
  [EDGES, { ...POINT, e: true }, 0],
  [BESIDE, { ...POINT, e: false }, 1],
  [BESIDE, { ...POINT, e: true }, 0],
  [PLACE, POINT, 1],
  // The point is that of the text.
  [PLACE, {}, 0],
])('no key of the cache contains the point of a request: %s with %j', async (source, variables, times) => {
  const caches = new Caches();
  const prepared = await createDocuments(schema, LIMITS, { caches })(source, variables, BY);
  if (!('document' in prepared)) throw new Error(JSON.stringify(prepared));
  const { asked, cache } = notingCache();
  const contextValue = {
    ...{ caller: { packageName: 'test', grants: new Set<never>(), keyId: 1 }, today: '2026-07-01' },
    db: null as never,
  };
  await cache.find({ prepared, variableValues: variables, contextValue });
  expect(asked).toHaveLength(times);
  for (const [key] of asked as [string][]) expect(key).not.toMatch(/98\.25|42\.75/);
  const [, documents] = [...caches].find(([name]) => name === 'documents') ?? [];
  expect(documents).toMatchObject({ entries: source === PLACE ? 0 : 1 });
});

it('a log and the metrics label a document alike, whatever place its defaults or variables have', async () => {
  const labelOf = async (source: string) => {
    const prepared = await createDocuments(schema, LIMITS)(source, POINT, BY);
    return 'document' in prepared ? prepared.analysis.label : undefined;
  };
  expect(await labelOf(PLACE)).toBe(await labelOf(PLACE.replace('42.75', '10.5').replace('-98.25', '-3')));
});
