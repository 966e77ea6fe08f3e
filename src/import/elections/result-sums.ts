import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { NamedFile } from '../named-file.ts';
import { joinContestSpellings } from './contest-spellings.ts';
import { type StagedColumn, type StagedCsv, stageCsv } from './csv-staging.ts';
import { type RepairedRecord, repairRecords } from './repair-records.ts';
import { divideByPrecinct } from './result-parts.ts';
import { removeSubtotals, type Subtotal } from './result-subtotals.ts';
import { type JoinedSpelling, joinSpellings } from './spellings.ts';
import type { AreaRow, ContestRow, PartyRow, SumRow } from './sum-rows.ts';

/** The columns to which a source of results maps its own. */
export const RESULT_COLUMNS = [
  'state_po',
  'date',
  'stage',
  'special',
  'office',
  'district',
  'dataverse',
  'magnitude',
  'county_name',
  'county_fips',
  'jurisdiction_name',
  'jurisdiction_fips',
  'precinct',
  'candidate',
  'party_detailed',
  'writein',
  'mode',
  'votes',
] as const;

export interface ResultSums {
  readonly csv: StagedCsv;
  readonly contests: readonly ContestRow[];
  readonly sums: readonly SumRow[];
  readonly areas: readonly AreaRow[];
  /** The votes of names of several parties. */
  readonly parties: readonly PartyRow[];
  readonly subtotals: readonly Subtotal[];
  /** Records whose shifted cells have been put in order. */
  readonly repaired: readonly RepairedRecord[];
  /** Spellings of names that are another name of the same contest. */
  readonly joined: readonly JoinedSpelling[];
  /** The number of counties in the file. */
  readonly counties: number;
}

/** Reads a file of precinct results and sums its votes in the database. */
export async function sumResults(db: Database, file: NamedFile, columns: readonly StagedColumn[]): Promise<ResultSums> {
  const csv = await stageCsv(db, file, 'results', columns);
  await sql`/* import.results.drop */ 
    drop table if exists result_cells, result_contests, result_units, result_parties`.execute(db);
  const { repaired, malformed } = await repairRecords(db, csv, 'results');
  await createCells(db);
  await createParties(db);
  await sql`/* import.results.drop */ drop table results_rows cascade`.execute(db);
  const subtotals = await removeSubtotals(db);
  await joinContestSpellings(db);
  const joined = await joinSpellings(db);
  const contests = await sql<ContestRow>`/* import.results.contests-read */
    select number as contest, state_po, date, stage, special, office, district, primary_party as party, dataverse,
      least, most from result_contests order by number`.execute(db);
  const sums = await sql<SumRow>`/* import.results.sums */
    select c.number as contest, 0 as part, county_name, county_fips, jurisdiction_name, jurisdiction_fips, candidate,
      sum(votes)::float8 as votes, sum(hidden)::integer as hidden, min(result_cells.bad_record) as bad_record,
      min(result_cells.bad_votes) as bad_votes, count(*)::integer as precincts,
      count(*) filter (where contradictory)::integer as contradictions,
      coalesce(min(party), '') as party, bool_and(is_write_in) as is_write_in
    from result_cells join result_units using (unit) join result_contests as c using (contest)
    group by 1, 3, 4, 5, 6, 7 order by min(result_cells.n)`.execute(db);
  const counties = await sql<{ count: number }>`/* import.results.counties */
    select count(distinct county_name) as count from result_units where county_name not in ('', 'NA', 'NAN')`.execute(
    db,
  );
  return {
    csv: { ...csv, malformed },
    parties: await readParties(db),
    contests: contests.rows,
    sums: await divideByPrecinct(db, contests.rows, sums.rows),
    areas: await readAreas(db),
    subtotals,
    repaired,
    joined,
    counties: counties.rows[0]?.count ?? 0,
  };
}

/** The columns of a contest as one number. */
const CONTEST = sql.raw(`hashtextextended(concat_ws('|', state_po, date, stage, special, office, district,
  case when upper(stage) like 'PRI%' then party_detailed end), 0)`);

/** The number of votes of a row, with or without separators of thousands; null if it is hidden, or no number. */
const VOTES = sql.raw(`case when votes ~ '^[0-9]{1,9}$' then votes::bigint
  when votes ~ '^[0-9]{10}([.]0+)?$' then nullif(least(split_part(votes, '.', 1)::bigint, 2147483648), 2147483648)
  when votes ~ '^[0-9]{1,9}[.]0+$' then split_part(votes, '.', 1)::bigint
  when votes ~ '^[0-9]{1,3}(,[0-9]{3}){1,2}$' then replace(votes, ',', '')::bigint
end`);

/**
 * Creates the contests, the units (precincts) and the cells: the votes for a name in a unit. Contests and units are
 * grouped by a hash of their columns, so that the database can group a whole state in memory. A total that is listed in
 * addition to the modes of voting is checked in each cell and counted once.
 */
async function createCells(db: Database): Promise<void> {
  await sql`/* import.results.cells */
    create temp table result_cells on commit drop as
    select contest, unit, candidate, n, hidden, party, last_party, is_write_in, bad_record, bad_votes, least, most,
      case when by_mode > 0 then by_mode else totals end as votes,
      by_mode > 0 and totals > 0 and by_mode <> totals as contradictory
    from (
      select contest, unit, candidate, min(n) as n,
        coalesce(sum(votes) filter (where is_total), 0)::bigint as totals,
        coalesce(sum(votes) filter (where not is_total), 0)::bigint as by_mode,
        (count(*) - count(votes))::integer as hidden,
        min(n) filter (where votes is null and text <> '*') as bad_record,
        min(text) filter (where votes is null and text <> '*') as bad_votes,
        min(party_detailed) filter (where party_detailed <> '') as party, max(party_detailed) as last_party,
        bool_and(writein) as is_write_in, min(magnitude) as least, max(magnitude) as most
      from (
        select n, candidate collate "C" as candidate, magnitude collate "C" as magnitude, party_detailed collate "C" as party_detailed,
          upper(writein) = 'TRUE' as writein, upper(mode) = 'TOTAL' as is_total, votes as text,
          ${CONTEST} as contest,
          hashtextextended(concat_ws('|', county_name, jurisdiction_name, precinct), 0) as unit,
          ${VOTES} as votes
        from results offset 0
      ) as r
      group by contest, unit, candidate
    ) as sums`.execute(db);
  await sql`/* import.results.units */
    create temp table result_units on commit drop as
    select unit, county_name, county_fips, jurisdiction_name, jurisdiction_fips, precinct
    from (select unit, min(n) as n from result_cells group by 1) as u join results using (n)`.execute(db);
  await sql`/* import.results.contests */
    create temp table result_contests on commit drop as
    select contest, row_number() over (order by n)::integer as number, state_po, date, stage,
      upper(special) = 'TRUE' as special, office, district, 
      case when upper(stage) like 'PRI%' then party_detailed else '' end as primary_party, dataverse, least, most
    from (
      select contest, min(n) as n, min(least) as least, max(most) as most
      from result_cells group by 1
    ) as c
    join results using (n)`.execute(db);
  await sql`/* import.results.analyze */ analyze result_cells, result_units, result_contests`.execute(db);
}

/** Creates the votes by party of the names that have rows of several parties in one precinct. */
async function createParties(db: Database): Promise<void> {
  await sql`/* import.results.parties */
    create temp table result_parties on commit drop as
    select contest, candidate, party, sum(votes)::float8 as votes
    from (
      select ${CONTEST} as contest, candidate collate "C" as candidate, upper(party_detailed) as party, ${VOTES} as votes
      from results where party_detailed <> '' and upper(stage) not like 'PRI%'
        and exists (select from result_cells where party <> last_party) offset 0
    ) as r
    join (select distinct contest, candidate from result_cells where party <> last_party) as c using (contest, candidate)
    group by 1, 2, 3`.execute(db);
}

async function readParties(db: Database): Promise<PartyRow[]> {
  const { rows } = await sql<PartyRow>`/* import.results.parties-read */
    select c.number as contest, candidate, party, sum(votes)::float8 as votes
    from result_parties join result_contests as c using (contest) group by 1, 2, 3
    order by 1, 2, votes desc, party`.execute(db);
  return rows;
}

/**
 * Returns the precincts and ballots of the contests. The ballots of a precinct are the highest number of votes in a
 * contest with one vote per voter: for president, Congress and governor.
 */
async function readAreas(db: Database): Promise<AreaRow[]> {
  const { rows } = await sql<AreaRow>`/* import.results.areas */
    with units as (select contest, unit, sum(votes) as votes from result_cells group by 1, 2),
      ballots as (
        select unit, max(u.votes) as votes from units as u join result_contests as c using (contest)
        where upper(replace(c.office, '.', '')) ~ '^(US |UNITED STATES |GOVERNOR|PRESIDENT)' group by 1)
    select c.number as contest, county_name, jurisdiction_name, count(*)::integer as precincts,
      sum(b.votes)::float8 as ballots
    from units join result_units using (unit) join result_contests as c using (contest)
    left join ballots as b using (unit) group by 1, 2, 3`.execute(db);
  return rows;
}
