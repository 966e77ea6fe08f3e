/**
 * Draws races at random from the imports of result files, compares their totals with sums of the files that share no code with the
 * importers, and prints each race beside the rows of its file, for a reader:
 *
 *   npm run node -- test/import-audit/truth-sample.ts FOLDER [NUMBER] [SEED] > sample.txt
 *
 * FOLDER contains `data` and `more-data` with result files. Each file is imported into the database at DATABASE_URL in a
 * transaction that is rolled back. The last line has the number of races whose totals differ, with which the command fails.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { sql } from 'kysely';
import { runImport } from '../../src/importers/import.ts';
import { inOneTransaction } from '../../src/importers/load/transaction.ts';
import { seeded } from '../drawn/random.ts';
import { compare } from './compare.ts';
import { openAuditedDatabase } from './database.ts';
import { initialKey, lastKey } from './name-keys.ts';
import { type SourceContest, sourceContests } from './source-sums.ts';

const [folder = '', number = '200', seed = '20261125'] = process.argv.slice(2);
if (!existsSync(join(folder, 'data'))) {
  process.stdout.write(`Skipped: there is no folder ${join(folder, 'data')}.\n`);
  process.exit(0);
}

interface Candidate {
  readonly name: string;
  readonly votes: number | null;
  readonly party: string | null;
  readonly status: string | null;
}

interface Race {
  readonly office: string;
  readonly level: string;
  readonly branch: string;
  readonly district: string;
  readonly position: string | null;
  readonly type: string;
  readonly stage: string;
  readonly seats: number | null;
  readonly basis: string | null;
  readonly names: readonly Candidate[];
}

const db = openAuditedDatabase();

function racesOf(path: string): Promise<readonly Race[]> {
  return inOneTransaction(db, true, async (transaction) => {
    await runImport(transaction, path.includes('/medsl/') ? 'medsl' : 'openelections', [path]);
    const { rows } = await sql<Race>`
      select o.name as office, o.level, o.branch, d.type || ': ' || d.name as district, r.office_position as position, r.type,
        r.stage_type as stage, r.number_of_seats as seats, r.scope_basis as basis,
        json_agg(json_build_object('name', p.name, 'votes', c.votes_for_cand, 'status', c.cand_status, 'party', (
          select string_agg(a.name, '/' order by cp.position) from candidate_parties as cp join parties as a on a.id = cp.party_id
          where cp.candidate_id = c.id)) order by c.votes_for_cand desc nulls last, p.name) as names
      from races as r join offices as o on o.id = r.office_id join districts as d on d.id = o.district_id
      join candidates as c on c.race_id = r.id join persons as p on p.id = c.person_id
      where c.xmin::text = pg_current_xact_id()::xid::text
      group by r.id, o.id, d.id order by d.name, o.name, r.office_position, r.id`.execute(transaction);
    return rows;
  });
}

/** Returns the contests of a file that have the first candidate of a race, as a reader sees them. */
function rowsOf(race: Race, contests: readonly SourceContest[]): string[] {
  const [first] = race.names;
  if (!first) return [];
  const has = (key: (name: string) => string) =>
    contests.filter(({ office, names }) =>
      [...names.keys(), office].some(
        (name) => key(name) === key(first.name) || name.includes(first.name.toUpperCase()),
      ),
    );
  const found = has(initialKey).length > 0 ? has(initialKey) : has(lastKey);
  return found.slice(0, 4).map(({ office, district, stage, names }) => {
    const counties = new Map<string, number>();
    for (const { byArea } of names.values())
      for (const [area, votes] of byArea)
        counties.set(area.split('|')[0] ?? '', (counties.get(area.split('|')[0] ?? '') ?? 0) + votes);
    const shown = [...names.values()]
      .map(({ name, byArea }) => ({ name, votes: [...byArea.values()].reduce((sum, votes) => sum + votes, 0) }))
      .sort((a, b) => b.votes - a.votes)
      .slice(0, 8)
      .map(({ name, votes }) => `${name} ${votes}`);
    const where = [...counties].slice(0, 8).map(([county, votes]) => `${county} ${votes}`);
    return `    ${stage} ${office} | ${district} | ${shown.join(', ')} | in ${counties.size}: ${where.join(', ')}`;
  });
}

const unpacked = mkdtempSync(join(tmpdir(), 'truth-sample-'));
const files = globSync(`${folder}/{data,more-data}/results/{medsl/*/*.zip,openelections/*/*.csv}`).sort();
const all: { readonly path: string; readonly race: Race }[] = [];
for (const path of files) for (const race of await racesOf(path)) all.push({ path, race });
const random = seeded(Number(seed));
const drawn = all
  .map((each) => ({ ...each, at: random() }))
  .sort((a, b) => a.at - b.at)
  .slice(0, Number(number));
let different = 0;
let index = 0;
for (const [path, races] of Map.groupBy(drawn, (each) => each.path)) {
  let csv = path;
  if (path.endsWith('.zip')) {
    execFileSync('unzip', ['-qo', path, '-d', join(unpacked, basename(path))]);
    csv = globSync(join(unpacked, basename(path), '**/*.csv')).filter((each) => !each.includes('__MACOSX'))[0] ?? '';
  }
  const contests = await sourceContests(csv);
  for (const { race } of races) {
    const isEqual = compare(contests, [race]).different.length === 0;
    if (!isEqual) different++;
    const { office, level, branch, district, position, type, stage, seats, basis, names } = race;
    const shown = names.map(({ name, votes, party, status }) =>
      [name, party && `(${party})`, votes ?? '?', status].filter((each) => each !== null).join(' '),
    );
    process.stdout.write(
      [
        `${++index}. ${basename(path)}: ${isEqual ? 'equal' : 'DIFFERENT'}`,
        `  ${[office, position, district, `${level} ${branch}`, `${type} ${stage}`, `${seats ?? 'unknown'} seats`, basis].filter(Boolean).join(' | ')}`,
        `  ${shown.join('; ')}`,
        ...rowsOf(race, contests),
        '',
      ].join('\n'),
    );
  }
}
process.stdout.write(`${drawn.length} races of ${all.length} drawn, ${different} with other totals than their file\n`);
rmSync(unpacked, { recursive: true });
await db.destroy();
if (different > 0) process.exitCode = 1;
