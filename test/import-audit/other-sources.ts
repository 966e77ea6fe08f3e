/**
 * Compares imports of the sources that are not tables of precincts (ranked-vote, rctab, vip, civics-cdf) with
 * contests and votes counted without the code of the importers, and prints a table:
 *
 *   npm run node -- test/import-audit/other-sources.ts FOLDER [NAME]... > table.md
 *
 * FOLDER contains `data` and `more-data`; each NAME selects the files whose paths contain it. Each file is imported into
 * the database at DATABASE_URL, which has the schema and no elections, in a transaction that is rolled back. Contests that are
 * not in the database, or differ, are written to the standard error output, with what the importer reported.
 */
import { existsSync, globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { sql } from 'kysely';
import { type ReportEntry, runImport } from '../../src/importers/import.ts';
import { inOneTransaction } from '../../src/importers/load/transaction.ts';
import type { Database } from '../../src/store/sql/database.ts';
import { openAuditedDatabase } from './database.ts';
import { isNoName, lastKey, wordsKey } from './name-keys.ts';
import { type OtherSource, type StatedContest, type StatedName, statedContests } from './stated-contests.ts';

const PATHS: Readonly<Record<OtherSource, string>> = {
  'ranked-vote': 'results/ranked-vote/**/report.json',
  rctab: 'results/rctab/*report.json',
  vip: 'feeds/vip/*.{xml,zip}',
  'civics-cdf': 'feeds/civics-cdf/*.xml',
};

const [folder = '', ...selected] = process.argv.slice(2);
if (!existsSync(join(folder, 'data'))) {
  process.stdout.write(`Skipped: there is no folder ${join(folder, 'data')}.\n`);
  process.exit(0);
}
const db = openAuditedDatabase();

interface StoredContest {
  readonly kind: StatedContest['kind'];
  readonly day: string;
  readonly title: string;
  readonly names: readonly {
    readonly name: string;
    readonly votes: number | null;
    readonly rounds: readonly number[];
  }[];
}

/** Imports a file, reads what it added, and undoes the import. */
async function stored(source: OtherSource, path: string) {
  const options = source === 'rctab' ? { date: '2000-01-01', state: 'ME' } : {};
  let contests: StoredContest[] = [];
  let report: readonly ReportEntry[] = [];
  try {
    await inOneTransaction(db, true, async (transaction) => {
      ({ report } = await runImport(transaction, source, [path], options));
      contests = await readContests(transaction);
    });
    return { contests, report, error: '' };
  } catch (error) {
    return { contests, report, error: error instanceof Error ? error.message : String(error) };
  }
}

async function readContests(transaction: Database): Promise<StoredContest[]> {
  const { rows } = await sql<StoredContest>`
    select case r.type when 'Retention' then 'retention' else 'race' end as kind, e.date::text as day, o.name as title,
      coalesce(json_agg(json_build_object('name', p.name, 'votes', c.votes_for_cand, 'rounds', array(
        select sum(x.votes_for) over (order by x.round)::integer from ranked_choice_rounds as x
        where x.candidate_id = c.id order by x.round))) filter (where c.id is not null), '[]') as names
    from races as r join elections as e on e.id = r.election_id join offices as o on o.id = r.office_id
    left join candidates as c on c.race_id = r.id left join persons as p on p.id = c.person_id group by r.id, e.id, o.id
    union all
    select 'measure', e.date::text, coalesce(m.name, ''), json_build_array(
      json_build_object('name', 'YES', 'votes', m.yes_votes_total, 'rounds', array[]::integer[]),
      json_build_object('name', 'NO', 'votes', m.no_votes_total, 'rounds', array[]::integer[]))
    from ballot_measures as m join elections as e on e.id = m.election_id
    union all
    select 'holder', '', o.name, json_build_array(json_build_object('name', p.name, 'votes', null, 'rounds', array[]::integer[]))
    from officeholders as h join offices as o on o.id = h.office_id join persons as p on p.id = h.person_id`.execute(
    transaction,
  );
  return rows;
}

/** Returns whether two names are spellings of one: a feed has a name for the ballot, `R. Steven /Steve/ Landes`, and a full one. */
function isSameName(one: string, other: string): boolean {
  return [wordsKey, lastKey].some((key) => key(one.replace(/\/.*\//, '')) === key(other));
}

/** Returns whether a stored name has the votes and the rounds of a stated one. */
function isEqual(one: StatedName, other: StoredContest['names'][number]): boolean {
  return one.votes === other.votes && JSON.stringify(one.rounds) === JSON.stringify(other.rounds);
}

/** Returns whether a stored contest has exactly the names of a stated one, each with its votes and rounds. */
function isWhole(contest: StatedContest, race: StoredContest): boolean {
  if (contest.kind !== race.kind || !race.day.startsWith(contest.day)) return false;
  if (contest.kind === 'measure') {
    const letters = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, '');
    return (
      (letters(contest.title) === letters(race.title) || contest.names.length > 0) &&
      contest.names.every((one) => race.names.some((other) => one.name === other.name && one.votes === other.votes))
    );
  }
  const names = contest.names.filter(({ name }) => !isNoName(name));
  return (
    names.length === race.names.length &&
    names.every((one) => race.names.some((other) => isSameName(one.name, other.name) && isEqual(one, other)))
  );
}

const sum = (numbers: readonly (number | null)[]) => numbers.reduce<number>((total, each) => total + (each ?? 0), 0);
const votesIn = (contests: readonly (StatedContest | StoredContest)[]) =>
  sum(contests.flatMap(({ names }) => names.map(({ votes }) => votes)));

process.stdout.write(
  '| source | file | contests in the file | as they are in the database | % | names | votes in the file | in the database | left out, by reason |\n|---|---|--:|--:|--:|--:|--:|--:|---|\n',
);
for (const [source, pattern] of Object.entries(PATHS) as [OtherSource, string][]) {
  const paths = globSync(join(folder, '{data,more-data}', pattern)).sort();
  for (const path of paths.filter((each) => selected.length === 0 || selected.some((name) => each.includes(name)))) {
    const stated = statedContests(source, path);
    const { contests, report, error } = await stored(source, path);
    const left = [...contests];
    const missing: StatedContest[] = [];
    for (const contest of stated) {
      const index = left.findIndex((race) => isWhole(contest, race));
      if (index >= 0) left.splice(index, 1);
      else missing.push(contest);
    }
    const shown = relative(folder, path);
    const kinds = [...Map.groupBy(report, ({ sentence }) => sentence)].map(
      ([sentence, { length }]) => `${length} ${sentence}`,
    );
    const whole = stated.length - missing.length;
    const cells = [
      ...[source, shown, stated.length, whole, ((100 * whole) / Math.max(1, stated.length)).toFixed(1)],
      ...[sum(stated.map(({ names }) => names.length)), votesIn(stated), votesIn(contests), error || kinds.join('; ')],
    ];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
    const text = ({ kind, title, day, names }: StatedContest | StoredContest) =>
      `${kind} ${day} ${title}: ${names.map(({ name, votes, rounds }) => [name, votes, rounds.join('+')].filter(Boolean).join(' ')).join(', ')}`;
    for (const each of missing) process.stderr.write(`${shown}: MISSING ${text(each).slice(0, 400)}\n`);
    for (const each of left) process.stderr.write(`${shown}: NOT STATED ${text(each).slice(0, 400)}\n`);
    if (missing.length > 0)
      for (const { record, reason } of report) process.stderr.write(`   ${record}: ${reason}\n`.slice(0, 300));
  }
}
await db.destroy();
