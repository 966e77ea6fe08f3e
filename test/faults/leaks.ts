import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSchema, getNamedType, isCompositeType, isInterfaceType, isObjectType, isRequiredArgument } from 'graphql';
import { argument, keyOf, report, startGateway } from './support/gateway.ts';
import { startPostgres } from './support/postgres.ts';

// Every field of the schema asked with two keys in turn, thousands of times and mixed: the key without results never gets
// a result, whatever the other key has just been told.

const rounds = argument('requests', 100_000);
const schema = buildSchema(await readFile(join(import.meta.dirname, '../../schema.graphql'), 'utf8'));

/** All fields of a type that need no arguments, two levels of relations deep. */
function selection(typeName: string, levels: number): string {
  const type = schema.getType(typeName);
  if (!isObjectType(type) && !isInterfaceType(type)) return '';
  const fields = Object.values(type.getFields()).flatMap((field) => {
    if (field.args.some(isRequiredArgument)) return [];
    const inner = getNamedType(field.type);
    if (!isCompositeType(inner)) return [field.name];
    const below = levels > 0 ? selection(inner.name, levels - 1) : '';
    return below ? [`${field.name} { ${below} }`] : [];
  });
  return fields.join(' ');
}

const point = 'latitude: 42, longitude: -98';
const QUERIES = [
  ...[600, 601, 603, 605, 606, 607].map((id) => `{ race(id: ${id}) { ${selection('Race', 1)} } }`),
  ...[700, 701].map((id) => `{ ballotMeasure(id: ${id}) { ${selection('BallotMeasure', 0)} } }`),
  ...['2022-11-08', '2024-11-05'].map(
    (day) =>
      `{ location(${point}) { ballot(electionDate: "${day}") { districts { races { ${selection('Race', 1)} } ballotMeasures { ${selection('BallotMeasure', 0)} } } } } }`,
  ),
];

const postgres = await startPostgres();
const [full, less] = [await keyOf(postgres.url, 'full'), await keyOf(postgres.url, 'no-results')];
const gateway = await startGateway({
  DATABASE_URL: postgres.url,
  MAX_IN_FLIGHT_PER_KEY: '64',
  MAX_QUERY_TOKENS: '5000',
});

const RESULT_FIELDS =
  /"(votesForCand|votes|yesVotes|noVotes|yesVotesTotal|noVotesTotal|rankedChoiceRounds|results)":(?!null|\[\])/;
const RESULT_WORDS = /"(Won|Lost|WON|LOST|Approved|Defeated|APPROVED|DEFEATED)"/;
const isResult = (text: string) => RESULT_WORDS.test(text) || RESULT_FIELDS.test(text);
const ask = async (path: string, key: string, query?: string) => {
  const answer = await fetch(`${gateway.url}${path}`, {
    method: query ? 'POST' : 'GET',
    headers: { 'x-api-key': key, ...(query && { 'content-type': 'application/json' }) },
    body: query && JSON.stringify({ query }),
  });
  return { status: answer.status, text: await answer.text() };
};
const PATHS = [
  '/data/elections_by_point?lat=42&long=-98&election_date=2024-11-05',
  '/data/elections_by_state?state=AA&election_date=2022-11-08',
];
const asked: (readonly [path: string, query?: string])[] = [
  ...QUERIES.map((query) => ['/graphql', query] as const),
  ...PATHS.map((path) => [path] as const),
];
const expected = new Map<string, string>();
const usable: typeof asked = [];
let withResults = 0;
for (const [path, query] of asked) {
  const [more, fewer] = [await ask(path, full, query), await ask(path, less, query)];
  if (more.status !== 200 || more.text.includes('"errors":[{')) continue;
  usable.push(query ? [path, query] : [path]);
  if (isResult(more.text)) withResults++;
  expected.set(`${full}${path}${query}`, more.text);
  expected.set(`${less}${path}${query}`, fewer.text);
}

const counts = { requests: 0, leaks: 0, different: 0, failed: 0 };
async function client(): Promise<void> {
  while (counts.requests < rounds) {
    counts.requests++;
    const [path, query] = usable[Math.floor(Math.random() * usable.length)] ?? ['/'];
    const key = Math.random() < 0.5 ? full : less;
    const { status, text } = await ask(path, key, query);
    if (status !== 200) counts.failed++;
    else if (key === less && isResult(text)) counts.leaks++;
    else if (text !== expected.get(`${key}${path}${query}`)) counts.different++;
  }
}
await Promise.all(Array.from({ length: 16 }, client));
await gateway.stop();
await postgres.remove();
report(
  'two keys, every field',
  { ...counts, queries: usable.length, of: asked.length, withResults },
  {
    'results were there to leak': withResults > 0,
    'no value beyond the package': counts.leaks === 0,
    'the same answer each time': counts.different + counts.failed === 0,
  },
);
