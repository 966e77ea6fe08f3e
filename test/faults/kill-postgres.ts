import { setTimeout as sleep } from 'node:timers/promises';
import { argument, keyOf, percentile, report, startGateway } from './support/gateway.ts';
import { startPostgres } from './support/postgres.ts';

// `kill -9` of the whole PostgreSQL every 10 seconds under 8 readers, which know what the right answers are.

const seconds = argument('seconds', 120);
const every = argument('every', 10);
const READERS = 8;

const QUERIES = [
  '{ location(latitude: 42, longitude: -98) { districts { id name offices { id officeholders { id } } } } }',
  '{ districts(state: "AA") { totalCount edges { node { id name } } } }',
  '{ location(latitude: 42, longitude: -98) { ballot(electionDate: "2024-11-05") { districts { races { id } } } } }',
];

const postgres = await startPostgres();
const key = await keyOf(postgres.url, 'full');
const gateway = await startGateway({ DATABASE_URL: postgres.url });
const ask = async (query: string) => {
  const answer = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return { status: answer.status, text: await answer.text() };
};
const right = new Map<string, string>();
for (const query of QUERIES) right.set(query, (await ask(query)).text);

const counts = { answered: 0, wrong: 0, refused: 0, broken: 0, hit: 0, kills: 0 };
const slow: number[] = [];
const recoveries: number[] = [];
const outages: number[] = [];
const refusals = new Map<string, number>();
let killedAt = Number.NEGATIVE_INFINITY;
let downAt = Number.POSITIVE_INFINITY;
let isOver = false;
let servedSinceKill = true;

async function read(reader: number): Promise<void> {
  for (let n = reader; !isOver; n++) {
    const query = QUERIES[n % QUERIES.length] ?? '';
    const began = performance.now();
    try {
      const { status, text } = await ask(query);
      const now = performance.now();
      if (status !== 200) {
        counts.refused++;
        refusals.set(`${status} ${text.slice(0, 100)}`, (refusals.get(`${status} ${text.slice(0, 100)}`) ?? 0) + 1);
      }
      if (status === 200 && text !== right.get(query)) counts.wrong++;
      else if (status === 200) counts.answered++;
      // A request that was under way when the server was killed.
      if (began < killedAt && now > killedAt) counts.hit++;
      if (status === 200 && now > downAt && !servedSinceKill) {
        recoveries.push(now - downAt);
        servedSinceKill = true;
      }
      slow.push(now - began);
    } catch {
      counts.broken++;
    }
  }
}

const readers = Array.from({ length: READERS }, (_, reader) => read(reader));
for (const end = performance.now() + seconds * 1_000; performance.now() + every * 1_000 <= end; ) {
  await sleep(every * 1_000);
  killedAt = performance.now();
  downAt = Number.POSITIVE_INFINITY;
  counts.kills++;
  await postgres.kill();
  downAt = performance.now();
  servedSinceKill = false;
  await postgres.start();
  outages.push(performance.now() - downAt);
}
await sleep(5_000);
isOver = true;
await Promise.all(readers);
const logLines = gateway.lines.length;
const exitCode = await gateway.stop();
await postgres.remove();
report(
  'kill -9 of PostgreSQL under readers',
  {
    ...counts,
    slowestMs: Math.round(percentile(slow, 100)),
    recoveriesMs: recoveries.map(Math.round),
    outagesMs: outages.map(Math.round),
    refusals: Object.fromEntries(refusals),
    logLines,
    exitCode,
  },
  {
    'the fault hit requests': counts.hit > 0 && counts.kills > 0,
    'no wrong answer': counts.wrong === 0,
    'no failed request': counts.refused + counts.broken === 0,
    'served again within 5 seconds': recoveries.length === counts.kills && Math.max(...recoveries) < 5_000,
    'ends in order': exitCode === 0,
  },
);
