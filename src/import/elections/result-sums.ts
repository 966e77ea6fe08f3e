import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { NamedFile } from '../named-file.ts';
import { type StagedColumn, type StagedCsv, stageCsv } from './csv-staging.ts';

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

/** The votes for a name of a contest in one jurisdiction of a county. */
export interface SumRow {
  readonly contest: number;
  readonly county_name: string;
  readonly county_fips: string;
  readonly jurisdiction_name: string;
  readonly jurisdiction_fips: string;
  readonly candidate: string;
  /** The sum of the counts that are not suppressed. */
  readonly votes: number;
  /** The number of counts that the source suppresses, or that are not a number of votes. */
  readonly hidden: number;
  /** The record of the first count that is not a number of votes, and its text. */
  readonly bad_record: number | null;
  readonly bad_votes: string | null;
  readonly precincts: number;
  /** The number of precincts whose total is not the sum of its modes of voting. */
  readonly contradictions: number;
  readonly party: string;
  readonly is_write_in: boolean;
}

/** A contest as the columns of the source identify it. */
export interface ContestRow {
  readonly contest: number;
  readonly state_po: string;
  readonly date: string;
  readonly stage: string;
  readonly special: boolean;
  readonly office: string;
  readonly district: string;
  /** The party of a primary. */
  readonly party: string;
  readonly dataverse: string;
  /** The least and the greatest magnitude of its rows. */
  readonly least: string;
  readonly most: string;
}

/** A contest in one jurisdiction of a county. */
export interface AreaRow {
  readonly contest: number;
  readonly county_name: string;
  readonly jurisdiction_name: string;
  readonly precincts: number;
  /** Ballots in its precincts, by the contest at the top of the ballot; null without one. */
  readonly ballots: number | null;
}

/** A precinct, or a county, whose votes are the sums of the others. */
export interface Subtotal {
  readonly county_name: string;
  readonly precinct: string;
  readonly reason: 'name' | 'sum';
  readonly cells: number;
}

export interface ResultSums {
  readonly csv: StagedCsv;
  readonly contests: readonly ContestRow[];
  readonly sums: readonly SumRow[];
  readonly areas: readonly AreaRow[];
  readonly subtotals: readonly Subtotal[];
  /** The number of counties in the file. */
  readonly counties: number;
}

/** Reads a file of precinct results and sums its votes in the database. */
export async function sumResults(db: Database, file: NamedFile, columns: readonly StagedColumn[]): Promise<ResultSums> {
  const csv = await stageCsv(db, file, 'results', columns);
  await sql`/* import.results.drop */ drop table if exists result_cells, result_contests, result_units`.execute(db);
  await createCells(db);
  await sql`/* import.results.drop */ drop table results_rows cascade`.execute(db);
  const subtotals = await removeSubtotals(db);
  const contests = await sql<ContestRow>`/* import.results.contests-read */
    select number as contest, state_po, date, stage, special, office, district, primary_party as party, dataverse,
      least, most from result_contests order by number`.execute(db);
  const sums = await sql<SumRow>`/* import.results.sums */
    select c.number as contest, county_name, county_fips, jurisdiction_name, jurisdiction_fips, candidate,
      sum(votes)::float8 as votes, sum(hidden)::integer as hidden, min(result_cells.bad_record) as bad_record,
      min(result_cells.bad_votes) as bad_votes, count(*)::integer as precincts,
      count(*) filter (where contradictory)::integer as contradictions,
      coalesce(min(party), '') as party, bool_and(is_write_in) as is_write_in
    from result_cells join result_units using (unit) join result_contests as c using (contest)
    group by 1, 2, 3, 4, 5, 6 order by min(result_cells.n)`.execute(db);
  const counties = await sql<{ count: number }>`/* import.results.counties */
    select count(distinct county_name) as count from result_units where county_name not in ('', 'NA', 'NAN')`.execute(
    db,
  );
  return {
    csv,
    contests: contests.rows,
    sums: sums.rows,
    areas: await readAreas(db),
    subtotals,
    counties: counties.rows[0]?.count ?? 0,
  };
}

/**
 * Creates the contests, the units (precincts) and the cells: the votes for a name in a unit. Contests and units are
 * grouped by a hash of their columns, so that the database can group a whole state in memory. A total that is listed in
 * addition to the modes of voting is checked in each cell and counted once.
 */
async function createCells(db: Database): Promise<void> {
  await sql`/* import.results.cells */
    create temp table result_cells on commit drop as
    select contest, unit, candidate, n, hidden, party, is_write_in, bad_record, bad_votes, least, most,
      case when by_mode > 0 then by_mode else totals end as votes,
      by_mode > 0 and totals > 0 and by_mode <> totals as contradictory
    from (
      select contest, unit, candidate, min(n) as n,
        coalesce(sum(votes) filter (where is_total), 0)::bigint as totals,
        coalesce(sum(votes) filter (where not is_total), 0)::bigint as by_mode,
        (count(*) - count(votes))::integer as hidden,
        min(n) filter (where votes is null and text <> '*') as bad_record,
        min(text) filter (where votes is null and text <> '*') as bad_votes,
        min(party_detailed) filter (where party_detailed <> '') as party,
        bool_and(writein) as is_write_in, min(magnitude) as least, max(magnitude) as most
      from (
        select n, candidate collate "C" as candidate, magnitude collate "C" as magnitude, party_detailed collate "C" as party_detailed,
          upper(writein) = 'TRUE' as writein, upper(mode) = 'TOTAL' as is_total, votes as text,
          hashtextextended(concat_ws('|', state_po, date, stage, special, office, district,
            case when upper(stage) like 'PRI%' then party_detailed end), 0) as contest,
          hashtextextended(concat_ws('|', county_name, jurisdiction_name, precinct), 0) as unit,
          case when votes ~ '^[0-9]{1,9}$' then votes::bigint
            when votes ~ '^[0-9]{10}([.]0+)?$' then nullif(least(split_part(votes, '.', 1)::bigint, 2147483648), 2147483648)
            when votes ~ '^[0-9]{1,9}[.]0+$' then split_part(votes, '.', 1)::bigint
            when votes ~ '^[0-9]{1,3}(,[0-9]{3}){1,2}$' then replace(votes, ',', '')::bigint
          end as votes
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

/** Matches the name of a precinct that is a subtotal: `COUNTY TOTAL`, `Total`, `Subtotal: North`. */
const NAMES_SUBTOTAL = sql.raw(
  String.raw`'^((grand|county|state|statewide|city|town|precinct|district|election|cumulative) )*(sub-?)?totals?\M|\m(sub-?)?totals?[.:]?$|^cumulative$'`,
);

/** The units that may be the sum of the others within a larger one, from the largest down. */
const LEVELS = [
  { parent: sql.raw(`''::text`), child: sql.raw('county_name'), precinct: sql.raw(`''`) },
  {
    parent: sql.raw('county_name'),
    child: sql.raw(`jurisdiction_name || '|' || precinct`),
    precinct: sql.raw('precinct'),
  },
  {
    parent: sql.raw(`county_name || '|' || jurisdiction_name`),
    child: sql.raw('precinct'),
    precinct: sql.raw('precinct'),
  },
];

/**
 * Removes subtotals: precincts with such a name if the county has others with votes, and units whose votes equal the
 * sum of all others for every name in every contest.
 */
async function removeSubtotals(db: Database): Promise<Subtotal[]> {
  const named = await sql<Subtotal>`/* import.results.named-subtotals */
    with named as (select * from result_units where precinct ~* ${NAMES_SUBTOTAL}),
      others as (
        select distinct c.contest, u.county_name from result_cells as c join result_units as u using (unit)
        where c.votes > 0 and u.county_name in (select county_name from named)
          and u.unit not in (select unit from named)),
      removed as (
        delete from result_cells as c using named as u, others as o
        where u.unit = c.unit and o.contest = c.contest and o.county_name = u.county_name
        returning u.county_name, u.precinct)
    select county_name, precinct, 'name' as reason, count(*)::integer as cells from removed group by 1, 2`.execute(db);
  const found = [...named.rows];
  const { rows } = await sql<{ towns: boolean }>`/* import.results.towns */
    select exists (select from result_units where jurisdiction_name <> county_name) as towns`.execute(db);
  for (const { parent, child, precinct } of rows[0]?.towns ? LEVELS : LEVELS.slice(0, 2)) {
    const removed = await sql<Subtotal>`/* import.results.subtotals */
      with places as (select unit, county_name, precinct, ${parent} as parent, ${child} as child from result_units),
        units as (
          select contest, parent, child, sum(votes) as votes
          from (select contest, unit, sum(votes) as votes from result_cells group by 1, 2) as c
          join places using (unit) group by 1, 2, 3),
        parents as (
          select contest, parent, sum(votes) as votes from units group by 1, 2
          having count(*) filter (where votes > 0) >= 3),
        likely as (
          select u.parent, u.child from units as u join parents as p using (contest, parent)
          group by 1, 2 having bool_and(2 * u.votes = p.votes) and sum(u.votes) >= 20),
        names as (
          select contest, candidate, parent, child, sum(votes) as votes from result_cells join places using (unit)
          where parent in (select parent from likely) group by 1, 2, 3, 4),
        sums as (select contest, candidate, parent, sum(votes) as votes from names group by 1, 2, 3),
        certain as (
          select n.parent, n.child from names as n join likely using (parent, child)
          join sums as s using (contest, candidate, parent)
          group by 1, 2 having bool_and(2 * n.votes = s.votes) and count(*) filter (where n.votes > 0) >= 2),
        removed as (
          delete from result_cells as c using places as p join certain using (parent, child) where p.unit = c.unit
          returning p.county_name, p.precinct)
      select county_name, ${precinct} as precinct, 'sum' as reason, count(*)::integer as cells
      from removed group by 1, 2`.execute(db);
    found.push(...removed.rows);
  }
  return found;
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
