/**
 * Compares imported results with sums of the source files that share no code with the importers, and prints a table:
 *
 *   npm run node -- test/import-audit/audit.ts FOLDER [NAME]... > table.md
 *
 * FOLDER contains `data` and `more-data` with result files, of which each NAME selects those whose names contain it. Each
 * file is imported into the database at DATABASE_URL in a transaction that is rolled back. The database has the schema,
 * and may have districts and officeholders. Differences are written to the standard error output.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { sql } from 'kysely';
import { runImport } from '../../src/importers/import.ts';
import { inOneTransaction } from '../../src/importers/load/transaction.ts';
import type { Database } from '../../src/store/sql/database.ts';
import { compare, type StoredRace } from './compare.ts';
import { openAuditedDatabase } from './database.ts';
import { isNoName } from './name-keys.ts';
import { sourceContests } from './source-sums.ts';

const [folder = '', ...selected] = process.argv.slice(2);
if (!existsSync(join(folder, 'data'))) {
  process.stdout.write(`Skipped: there is no folder ${join(folder, 'data')}.\n`);
  process.exit(0);
}
const db = openAuditedDatabase();
const unpacked = mkdtempSync(join(tmpdir(), 'audit-'));

/** Imports a file, reads its races and measures, and undoes the import. */
function stored(source: 'medsl' | 'openelections', path: string) {
  return inOneTransaction(db, true, async (transaction) => {
    const { report } = await runImport(transaction, source, [path]);
    return { races: await readRaces(transaction), left: await readUnplaced(transaction), report };
  });
}

/** A contest that is stored as the source wrote it, because no row places it. */
interface UnplacedContest {
  readonly office: string;
  readonly district: string;
  readonly reason: string | null;
  readonly names: readonly { readonly name: string; readonly votes: number }[];
}

async function readUnplaced(transaction: Database): Promise<UnplacedContest[]> {
  const { rows } = await sql<UnplacedContest>`
    select office, district, reason, names from unplaced_contests
    where xmin::text = pg_current_xact_id()::xid::text`.execute(transaction);
  return rows.flatMap(({ names, ...row }) => {
    const persons = names.filter(({ name }) => !isNoName(name));
    return persons.length > 0 ? [{ ...row, names: persons }] : [];
  });
}

async function readRaces(transaction: Database): Promise<StoredRace[]> {
  const { rows } = await sql<StoredRace>`
    select o.name as office, r.type, json_agg(json_build_object('name', p.name, 'votes', c.votes_for_cand)) as names
    from races as r join offices as o on o.id = r.office_id join candidates as c on c.race_id = r.id
    join persons as p on p.id = c.person_id where c.xmin::text = pg_current_xact_id()::xid::text group by r.id, o.id
    union all
    select name, 'Measure', json_build_array(json_build_object('name', 'YES', 'votes', yes_votes_total),
      json_build_object('name', 'NO', 'votes', no_votes_total))
    from ballot_measures where xmin::text = pg_current_xact_id()::xid::text`.execute(transaction);
  return rows;
}

function filesIn(): { source: 'medsl' | 'openelections'; path: string; name: string }[] {
  const zips = globSync(join(folder, '{data,more-data}/results/medsl/*/*.zip')).sort();
  const medsl = zips.map((zip) => {
    const to = join(unpacked, basename(zip, '.zip'));
    execFileSync('unzip', ['-qo', zip, '-d', to]);
    return {
      source: 'medsl' as const,
      path: globSync(join(to, '**/*.csv')).filter((path) => !path.includes('__MACOSX'))[0] ?? '',
      name: basename(zip, '.zip'),
    };
  });
  const others = globSync(join(folder, '{data,more-data}/results/openelections/*/*.csv')).sort();
  const files = [
    ...medsl,
    ...others.map((path) => ({ source: 'openelections' as const, path, name: basename(path, '.csv') })),
  ];
  return files.filter(({ name }) => selected.length === 0 || selected.some((each) => name.includes(each)));
}

process.stdout.write(
  '| file | contests in the file | in the database | % | votes in the file | in the database | written in by a few | % | not placed | votes not placed | votes in both, % | names | hidden | spellings joined | races that differ | contests not placed, by reason |\n',
);
process.stdout.write('|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n');
for (const { source, path, name } of filesIn()) {
  const contests = await sourceContests(path);
  const { races, left, report } = await stored(source, path);
  const found = compare(contests, races);
  const reasons = [...Map.groupBy(left, ({ reason }) => reason ?? 'no row declares the office')]
    .map(([reason, { length }]) => `${length} ${reason}`)
    .join('; ');
  const votesLeft = left.reduce((sum, { names }) => sum + names.reduce((all, { votes }) => all + votes, 0), 0);
  const isLeft = (text: string) => left.some(({ office, district }) => text.startsWith(`${office} | ${district} (`));
  const joined = report.filter(({ sentence }) => sentence === 'is another spelling of a candidate of the race').length;
  const share = (part: number, whole: number) => ((100 * part) / Math.max(1, whole)).toFixed(1);
  const cells = [
    name,
    ...[found.contests, found.contestsInStore, share(found.contestsInStore, found.contests)],
    ...[found.votes, found.votesInStore, found.writtenIn, share(found.votesInStore, found.votes - found.writtenIn)],
    ...[left.length, votesLeft, share(found.votesInStore + votesLeft, found.votes - found.writtenIn)],
    ...[found.names, found.hidden, joined, found.different.length, reasons],
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
  for (const each of found.different) process.stderr.write(`${name}: DIFFERENT ${each.slice(0, 300)}\n`);
  for (const each of found.missing)
    process.stderr.write(`${name}: ${isLeft(each) ? 'NOT PLACED' : 'MISSING'} ${each.slice(0, 300)}\n`);
}
rmSync(unpacked, { recursive: true });
await db.destroy();
