import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { NamedFile } from '../named-file.ts';
import { joinContestSpellings } from './contest-spellings.ts';
import { divideByPrecinct } from './result-parts.ts';
import { removeSubtotals, type Subtotal, sumUnits } from './result-subtotals.ts';
import { type JoinedSpelling, joinSpellings } from './spellings.ts';
import { type StagedColumn, type StagedCsv, stageResults } from './stage-results.ts';
import type { AreaRow, ContestRow, PartyRow, SumRow } from './sum-rows.ts';

export interface ResultSums {
  readonly csv: StagedCsv;
  readonly contests: readonly ContestRow[];
  readonly sums: readonly SumRow[];
  readonly areas: readonly AreaRow[];
  /** The votes of names of several parties. */
  readonly parties: readonly PartyRow[];
  readonly subtotals: readonly Subtotal[];
  /** Spellings of names that are another name of the same contest. */
  readonly joined: readonly JoinedSpelling[];
  /** The number of counties in the file, or in the state if the files of some of them are joined. */
  readonly counties: number;
  /** True for files of counties that do not have all counties of the state. */
  readonly isPartial: boolean;
}

/** Results of one election, from one file or several. */
export interface ElectionResults {
  /** The name of the files for the report. */
  readonly name: string;
  readonly sums: ResultSums;
  /** Returns the name of the files that have rows of a contest. */
  readonly fileOf: (rows: readonly SumRow[]) => string;
}

/** Reads a file of precinct results and sums its votes in the database. */
export async function sumResults(db: Database, file: NamedFile, columns: readonly StagedColumn[]): Promise<ResultSums> {
  const csv = await stageResults(db, file, columns);
  await createCells(db);
  await createParties(db);
  await sql`/* import.results.drop */ drop table result_rows`.execute(db);
  await sumUnits(db);
  const subtotals = await removeSubtotals(db);
  const isJoined = await joinContestSpellings(db);
  if (isJoined) await sumUnits(db);
  const joined = await joinSpellings(db);
  const contests = await sql<ContestRow>`/* import.results.contests-read */
    select contest, state_po, date, stage, special, office, district, primary_party as party, dataverse, least, most
    from result_contests order by contest`.execute(db);
  const sums = await sql<SumRow>`/* import.results.sums */
    select contest, 0 as part, county_name, county_fips, jurisdiction_name, jurisdiction_fips, candidate,
      votes, hidden, bad_record, bad_votes, precincts, contradictions, party, is_write_in
    from (
      select contest, area, candidate, sum(votes) as votes, sum(hidden)::integer as hidden, min(n) as n,
        min(bad_record) as bad_record, min(bad_votes) as bad_votes, count(*)::integer as precincts,
        count(*) filter (where contradictory)::integer as contradictions,
        coalesce(min(party), '') as party, bool_and(is_write_in) as is_write_in
      from result_cells join result_units using (unit) group by contest, area, candidate
    ) as sums
    join (
      select distinct area, county_name, county_fips, jurisdiction_name, jurisdiction_fips from result_units
    ) as areas using (area)
    order by n`.execute(db);
  const counties = await sql<{ count: number }>`/* import.results.counties */
    select count(distinct county_name) as count from result_units where county_name not in ('', 'NA', 'NAN')`.execute(
    db,
  );
  return {
    csv,
    parties: await readParties(db),
    contests: contests.rows,
    sums: await divideByPrecinct(db, contests.rows, sums.rows),
    areas: await readAreas(db),
    subtotals,
    joined,
    counties: counties.rows[0]?.count ?? 0,
    isPartial: false,
  };
}

/**
 * Creates the cells: the votes for a name in a unit (a precinct). A total that is listed in addition to the modes of voting
 * is checked in each cell and counted once.
 */
async function createCells(db: Database): Promise<void> {
  await sql`/* import.results.cells */
    create temp table result_cells on commit drop as
    select contest, unit, candidate, n, hidden, party, last_party, is_write_in, bad_record, bad_votes,
      (case when by_mode > 0 then by_mode else totals end)::float8 as votes,
      by_mode > 0 and totals > 0 and by_mode <> totals as contradictory
    from (
      select contest, unit, candidate, min(n) as n,
        coalesce(sum(votes) filter (where is_total), 0) as totals,
        coalesce(sum(votes) filter (where not is_total), 0) as by_mode,
        (count(*) - count(votes))::integer as hidden,
        min(n) filter (where bad is not null) as bad_record, min(bad) as bad_votes,
        min(party) as party, max(party) as last_party, bool_and(is_write_in) as is_write_in
      from result_rows group by contest, unit, candidate
    ) as sums`.execute(db);
  // A tenth of the usual sample shows how many contests, units and names there are.
  await sql`set local default_statistics_target = 10`.execute(db);
  await sql`/* import.results.analyze */ analyze result_cells, result_units, result_contests`.execute(db);
  await sql`set local default_statistics_target to default`.execute(db);
}

/** Creates the votes by party of the names that have rows of several parties in one precinct. */
async function createParties(db: Database): Promise<void> {
  await sql`/* import.results.parties */
    create temp table result_parties on commit drop as
    select contest, candidate, upper(party) as party, sum(votes)::float8 as votes
    from result_rows join (
      select distinct contest, candidate from result_cells where party <> last_party
    ) as several using (contest, candidate)
    join result_contests as c using (contest)
    where party is not null and upper(c.stage) not like 'PRI%'
    group by 1, 2, 3`.execute(db);
}

async function readParties(db: Database): Promise<PartyRow[]> {
  const { rows } = await sql<PartyRow>`/* import.results.parties-read */
    select contest, candidate, party, sum(votes)::float8 as votes
    from result_parties group by 1, 2, 3 order by 1, 2, votes desc, party`.execute(db);
  return rows;
}

/**
 * Returns the precincts and ballots of the contests. The ballots of a precinct are the highest number of votes in a
 * contest with one vote per voter: for president, Congress and governor.
 */
async function readAreas(db: Database): Promise<AreaRow[]> {
  const { rows } = await sql<AreaRow>`/* import.results.areas */
    with ballots as (
        select unit, max(v.votes) as votes from result_votes as v join result_contests as c using (contest)
        where upper(replace(c.office, '.', '')) ~ '^(US |UNITED STATES |GOVERNOR|PRESIDENT)' group by 1)
    select contest, county_name, jurisdiction_name, count(*)::integer as precincts,
      sum(b.votes)::float8 as ballots
    from result_votes join result_units using (unit)
    left join ballots as b using (unit) group by 1, 2, 3`.execute(db);
  return rows;
}
