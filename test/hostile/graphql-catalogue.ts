/** Hostile GraphQL: documents, values and bodies that must be rejected. */

const times = (count: number, text: (n: number) => string, between = ' ') =>
  Array.from({ length: count }, (_, n) => text(n)).join(between);
const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}${close.repeat(depth)}`;
const deep = (levels: number) =>
  `{ district(databaseId: 1) ${'{ offices { district '.repeat(levels)}{ id: databaseId }${' } }'.repeat(levels)} }`;
const bomb = (levels: number) =>
  `{ district(databaseId: 1) { ...F0 } } ${times(levels, (n) => `fragment F${n} on District { a: offices { district { ...F${n + 1} } } b: offices { district { ...F${n + 1} } } }`)} fragment F${levels} on District { id: databaseId }`;
const doubled = (selection: string, type: string, leaf: string) =>
  `query ($y: Latitude!, $x: Longitude!) { location(latitude: $y, longitude: $x) { ${selection} } } ${times(30, (n) => `fragment F${n} on ${type} { ...F${n + 1} ...F${n + 1} }`)} fragment F30 on ${type} { ${leaf} }`;

/** Documents by their defect. */
export const DOCUMENTS: readonly (readonly [string, string])[] = [
  ...[7, 50, 200, 5_000].map((levels) => [`${levels} levels`, deep(levels)] as const),
  ...[6, 20, 60].map((levels) => [`a fragment bomb of ${levels}`, bomb(levels)] as const),
  ...[31, 300, 1_000].map((count) => [`${count} aliases`, `{ ${times(count, (n) => `a${n}: __typename`)} }`] as const),
  ['the same alias 300 times', `{ ${times(300, () => 'a: __typename')} }`],
  ['10,000 times the same field', `{ ${times(10_000, () => '__typename')} }`],
  ...[11, 300, 5_000].map(
    (n) => [`${n} directives`, `{ __typename ${times(n, () => '@include(if: true)')} }`] as const,
  ),
  ['unknown directives', `{ __typename ${times(300, (n) => `@d${n}`)} }`],
  ['100 unknown fields', `{ ${times(100, (n) => `unknown${n}`)} }`],
  ['a fragment within itself', '{ district(databaseId: 1) { ...A } } fragment A on District { ...A }'],
  [
    'fragments in a circle',
    '{ district(databaseId: 1) { ...A } } fragment A on District { ...B } fragment B on District { ...A }',
  ],
  ['deep lists in an argument', `{ locations(points: ${nested('[', ']', 400)}) { latitude } }`],
  ['deep objects in an argument', `{ locations(points: ${'{a:'.repeat(300)}1${'}'.repeat(300)}) { latitude } }`],
  ['101 points', `{ locations(points: [${times(101, () => '{latitude:1,longitude:1}')}]) { latitude } }`],
  [
    'pages of pages',
    '{ districts(first: 100) { edges { node { offices { officeholders { person { officeholders { office { officeholders { contacts { type } socialLinks { url } } } } } } } } } } }',
  ],
  ['a page of 2 billion', '{ districts(first: 2147483647) { totalCount } }'],
  ['a page beyond 32 bits', '{ districts(first: 99999999999) { totalCount } }'],
  ['a negative page', '{ districts(first: -1) { totalCount } }'],
  ['an id beyond 32 bits', '{ district(databaseId: 2147483648) { id: databaseId } }'],
  ['a mutation', 'mutation { a }'],
  ['a subscription', 'subscription { a }'],
  ['a type definition', 'type A { a: Int }'],
  ['two operations without a name', '{ __typename } { __typename }'],
  ['deep introspection', `{ __schema { types { ${'fields { type { '.repeat(8)}name${' } }'.repeat(8)} } } }`],
  ['a hidden field', '{ apiKeys { sha256 } }'],
  ['only a comment', '# nothing'],
  ['nothing', ''],
  ['a byte order mark', '\ufeff{ __typename'],
  ['NUL', '{ \u0000 }'],
  ['a lone surrogate', '{ people(name: "\\uD800") { totalCount } }'],
  ['a bad escape', '{ people(name: "\\u{110000}") { totalCount } }'],
  ['an endless string', '{ people(name: "'],
  ['an endless block string', '{ people(name: """'],
  ['an endless number', `{ district(databaseId: ${'9'.repeat(5_000)}) { id: databaseId } }`],
  ['60 KB of commas', ','.repeat(60_000)],
  ['60 KB of white space', ' '.repeat(60_000)],
  ['60 KB of brackets', '['.repeat(60_000)],
  ['60 KB of braces', '{'.repeat(60_000)],
  ['defer', '{ ... @defer { __typename } }'],
  ['stream', '{ districts { edges @stream { cursor } } }'],
  ['a variable that is not declared', '{ district(databaseId: $id) { id: databaseId } }'],
  ['a variable of an unknown type', 'query ($a: Secret) { __typename }'],
  ['1,000 variables', `query (${times(1_000, (n) => `$a${n}: Int`)}) { __typename }`],
];

/** Valid documents about a point whose fragments expand to a billion leaves, which cost nothing, by their types. */
export const DOUBLED_FRAGMENTS: readonly (readonly [string, string])[] = [
  ['Location', doubled('...F0', 'Location', 'latitude')],
  ['Boundary', doubled('districts { boundary { ...F0 } }', 'Boundary', 'area')],
];

/** A query with a variable for a list of points, for values of other types. */
export const POINTS_QUERY = 'query ($points: [PointInput!]!) { locations(points: $points) { latitude } }';
/** A query with a variable for a latitude, for texts that are not numbers. */
export const LATITUDE_QUERY = 'query ($l: Latitude!) { location(latitude: $l, longitude: 0) { latitude } }';
/** A query with a variable for a day, for texts that are not dates. */
export const DAY_QUERY =
  'query ($d: Date) { location(latitude: 42, longitude: -98) { districts(on: $d) { id: databaseId } } }';

/** Queries with a text argument, which must be treated as nothing but text. */
export const TEXT_QUERIES: readonly string[] = [
  'query ($t: String!) { people(name: $t) { totalCount } }',
  'query ($t: String!) { districts(name: $t) { totalCount } }',
  'query ($t: String!) { districts(state: $t) { totalCount } }',
  'query ($t: String!) { district(geoId: $t) { id: databaseId } }',
  'query ($t: String!) { district(ocdId: $t) { id: databaseId } }',
  'query ($t: String!) { districts(after: $t) { totalCount } }',
];

/** Values in place of the object of variables. */
export const VARIABLES: readonly (readonly [string, unknown])[] = [
  ['a list', []],
  ['a text', 'x'],
  ['a number', 1],
  ['true', true],
  ['deep lists', JSON.parse(nested('[', ']', 1_000))],
  ['deep objects', JSON.parse(`${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`)],
  ['a list of deep lists', { points: JSON.parse(nested('[', ']', 20)) }],
  ['5,000 points', { points: Array(5_000).fill(1) }],
  ['points without members', { points: [{}, null, 1, 'x', []] }],
  ['points with others', { points: [{ latitude: 1, longitude: 1, secret: 1 }] }],
  ['null', { points: null }],
  ['nothing', {}],
];
const body = '{"query":"{ __typename }"}';
/** Bodies with the expected status and their headers. */
export const BODIES: [name: string, body: string, status: number, headers?: Record<string, string>][] = [
  ['null', 'null', 400],
  ['a number', '1', 400],
  ['a text', '"x"', 400],
  ['a batch', `[${body}]`, 400],
  ['a batch of 1,000', `[${times(1_000, () => body, ',')}]`, 400],
  ['half a body', body.slice(0, -1), 400],
  ['two bodies', `${body}${body}`, 400],
  ['a byte order mark within', `{"query":\ufeff"{ __typename }"}`, 400],
  ['NUL', `${body}\u0000`, 400],
  ['__proto__', '{"__proto__":{"query":"{ __typename }"}}', 400],
  ['constructor.prototype', '{"constructor":{"prototype":{"a":1}},"query":"{ __typename }"}', 400],
  ['30,000 lists', nested('[', ']', 30_000), 400],
  ['30,000 objects', '{"a":'.repeat(10_000), 400],
  ['a query that is a list', '{"query":["{ __typename }"]}', 400],
  ['an operationName that is an object', '{"query":"{ __typename }","operationName":{}}', 400],
  ['extensions that are a list', '{"query":"{ __typename }","extensions":[]}', 400],
  ['over 64 KiB', `{"query":"${' '.repeat(70_000)}"}`, 413],
  ['gzip', body, 415, { 'content-encoding': 'gzip' }],
  ['a form', 'query={__typename}', 415, { 'content-type': 'application/x-www-form-urlencoded' }],
  ['plain text', body, 415, { 'content-type': 'text/plain' }],
  ['multipart', body, 415, { 'content-type': 'multipart/form-data; boundary=x' }],
  ['message/http', body, 415, { 'content-type': 'message/http' }],
  ['a client that accepts nothing we have', body, 406, { accept: 'text/evil' }],
  ['an unknown expectation', body, 417, { expect: '200-ok' }],
  ['an invalid Host', body, 400, { host: 'a b"<>' }],
  ['a Transfer-Encoding that the server does not support', body, 400, { 'transfer-encoding': 'gzip, chunked' }],
  ['another charset', body, 415, { 'content-type': 'application/json; charset=utf-16' }],
  ['a page of another origin', body, 403, { origin: 'https://evil.example' }],
  ['the origin null', body, 403, { origin: 'null' }],
];
