import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';

/** A precinct, or a county, whose votes are the sums of others; or precincts that do not add up to a stated total. */
export interface Subtotal {
  readonly county_name: string;
  readonly precinct: string;
  readonly reason: 'name' | 'sum' | 'more than the total' | 'less than the total';
  readonly cells: number;
}

/** Matches the name of a precinct that is a subtotal: `COUNTY TOTAL`, `Total`, `Subtotal: North`. */
const NAMES_SUBTOTAL = sql.raw(
  String.raw`'^((grand|county|state|statewide|city|town|precinct|district|election|cumulative) )*(sub-?)?totals?\M|\m(sub-?)?totals?[.:]?$|^cumulative$'`,
);

/** The numbers of areas, and of the parts of one that may be the sum of its others, from the largest down. */
const LEVELS = [
  { parent: sql.raw('1'), child: sql.raw('dense_rank() over (order by county_name)'), precinct: sql.raw(`''`) },
  {
    parent: sql.raw('dense_rank() over (order by county_name)'),
    child: sql.raw('unit'),
    precinct: sql.raw('precinct'),
  },
  {
    parent: sql.raw('dense_rank() over (order by county_name, jurisdiction_name)'),
    child: sql.raw('unit'),
    precinct: sql.raw('precinct'),
  },
];

/** The subtotals of a county, and those of the whole state, which have no county. */
const OF_COUNTY = {
  area: sql.raw('upper(county_name)'),
  where: sql.raw(`upper(county_name) not in ('', 'NA', 'NAN')`),
};
const OF_STATE = { area: sql.raw(`''::text`), where: sql.raw(`upper(county_name) in ('', 'NA', 'NAN')`) };

/** Creates the sums of the votes in each unit for each contest, of which several statements make use. */
export async function sumUnits(db: Database): Promise<void> {
  await sql`/* import.results.drop */ drop table if exists result_votes`.execute(db);
  await sql`/* import.results.votes */
    create temp table result_votes on commit drop as
    select contest, unit, sum(votes) as votes from result_cells group by contest, unit`.execute(db);
}

/**
 * Removes subtotals: the votes of precincts named so for names that have votes in others of the county or state, and units
 * whose votes are those of all others together, for every name of every contest.
 */
export async function removeSubtotals(db: Database): Promise<Subtotal[]> {
  const repeated = await replaceRepeated(db);
  const missing = await addMissing(db);
  const found = [...repeated, ...missing, ...(await removeNamed(db, OF_COUNTY)), ...(await removeNamed(db, OF_STATE))];
  if (found.length > 0) await sumUnits(db);
  const { rows } = await sql<{ towns: boolean }>`/* import.results.towns */
    select exists (select from result_units where jurisdiction_name <> county_name) as towns`.execute(db);
  for (const { parent, child, precinct } of rows[0]?.towns ? LEVELS : LEVELS.slice(0, 2)) {
    const removed = await sql<Subtotal>`/* import.results.subtotals */
      with places as (select unit, county_name, precinct, ${parent} as parent, ${child} as child from result_units),
        units as (
          select contest, parent, child, sum(votes) as votes
          from result_votes join places using (unit) group by 1, 2, 3),
        parents as (
          select contest, parent, sum(votes) as votes from units group by 1, 2
          having count(*) filter (where votes > 0) >= 3),
        likely as (
          select u.parent, u.child from units as u join parents as p using (contest, parent)
          group by 1, 2 having bool_and(2 * u.votes = p.votes) and sum(u.votes) >= 20),
        names as (
          select contest, candidate, parent, child, sum(votes) as votes from result_cells join places using (unit)
          where exists (select from likely) and parent in (select parent from likely) group by 1, 2, 3, 4),
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
    if (removed.rows.length > 0) await sumUnits(db);
  }
  return found;
}

/**
 * Removes the votes of precincts named as subtotals from contests in which others have votes. Votes for a name that only
 * the subtotal has remain, unless they are those of another spelling: a name that only the others have has as many.
 */
async function removeNamed(db: Database, { area, where }: typeof OF_COUNTY): Promise<readonly Subtotal[]> {
  const { rows } = await sql<Subtotal>`/* import.results.named-subtotals */
    with named as (select unit from result_units where precinct ~* ${NAMES_SUBTOTAL} and ${where}),
      totals as (
        select contest, ${area} as area, candidate, max(votes) as votes, min(unit) as unit
        from result_cells join result_units using (unit)
        where unit in (select unit from named) group by 1, 2, 3),
      others as (
        select contest, ${area} as area, candidate, sum(votes) as votes from result_cells join result_units using (unit)
        where unit not in (select unit from named) and exists (select from named) and votes > 0 group by 1, 2, 3),
      kept as (
        select contest, unit, candidate from totals as t
        where votes > 0 and not exists (
            select from others as o where o.contest = t.contest and o.area = t.area and o.candidate = t.candidate)
          and not exists (
            select from others as o where o.contest = t.contest and o.area = t.area and o.votes = t.votes
              and not exists (
                select from totals as own
                where own.contest = o.contest and own.area = o.area and own.candidate = o.candidate))),
      removed as (
        delete from result_cells as c using result_units as u
        where u.unit = c.unit and c.unit in (select unit from named)
          and exists (select from others as o where o.contest = c.contest and o.area = ${area})
          and not exists (
            select from kept as k where k.contest = c.contest and k.unit = c.unit and k.candidate = c.candidate)
        returning u.county_name, u.precinct)
    select county_name, precinct, 'name' as reason, count(*)::integer as cells from removed group by 1, 2`.execute(db);
  return rows;
}

/**
 * Removes the precincts of a county whose votes add up to more than the stated total of the county, for at least one name
 * and for none to less: a source that lists towns as well as their wards repeats votes. The stated total remains. A total that
 * lacks a name with votes replaces them only if it is the sum of the precincts before it, for most of its names.
 */
async function replaceRepeated(db: Database): Promise<readonly Subtotal[]> {
  const { rows } = await sql<Subtotal>`/* import.results.repeated */
    with named as (select * from result_units where precinct ~* ${NAMES_SUBTOTAL}),
      totals as (
        select distinct on (contest, county, candidate) contest, upper(u.county_name) as county, candidate, votes, n
        from result_cells join named as u using (unit)
        where upper(u.county_name) not in ('', 'NA', 'NAN') order by 1, 2, 3, votes desc, n),
      others as (
        select contest, county, candidate, sum(o.votes) as votes, sum(o.votes) filter (where o.n < t.n) as before
        from (
          select c.contest, upper(u.county_name) as county, c.candidate, c.votes, c.n
          from result_cells as c join result_units as u using (unit)
          where upper(u.county_name) in (select upper(county_name) from named) and u.unit not in (select unit from named)
        ) as o
        left join totals as t using (contest, county, candidate) group by 1, 2, 3),
      repeated as (
        select contest, county from totals as t full join others as o using (contest, county, candidate)
        where t.votes > 0 or o.votes > 0
        group by 1, 2 having bool_and(coalesce(o.votes, 0) >= t.votes) filter (where t.votes > 0) and bool_or(o.votes > t.votes)
          and (bool_and(coalesce(t.votes, 0) > 0)
            or 2 * count(*) filter (where o.before = t.votes and t.votes > 0) > count(*) filter (where t.votes > 0))),
      removed as (
        delete from result_cells as c using result_units as u, repeated as r
        where u.unit = c.unit and r.contest = c.contest and r.county = upper(u.county_name)
          and u.unit not in (select unit from named)
        returning u.county_name, u.precinct)
    select county_name, '' as precinct, 'more than the total' as reason, count(*)::integer as cells
    from removed group by 1`.execute(db);
  return rows;
}

/**
 * Adds the votes that the stated total of a county has in addition to its precincts, for a name that has no row in some of
 * them, if the precincts add up to the total for another name and to no more for any: the missing rows cannot be read, or
 * belong to no contest.
 */
async function addMissing(db: Database): Promise<readonly Subtotal[]> {
  const { rows } = await sql<Subtotal>`/* import.results.missing */
    with named as (select * from result_units where precinct ~* ${NAMES_SUBTOTAL} and ${OF_COUNTY.where}),
      totals as (
        select distinct on (contest, county, candidate) contest, upper(u.county_name) as county, candidate, votes, unit
        from result_cells join named as u using (unit) order by 1, 2, 3, votes desc, n),
      precincts as (
        select c.contest, upper(u.county_name) as county, c.candidate, c.unit, c.votes
        from result_cells as c join result_units as u using (unit)
        where upper(u.county_name) in (select upper(county_name) from named) and unit not in (select unit from named)),
      others as (
        select contest, county, candidate, sum(votes) as votes, count(*) as units from precincts group by 1, 2, 3),
      contests as (select contest, county, count(distinct unit) as units from precincts group by 1, 2),
      missing as (
        select t.contest, t.unit, t.county, t.candidate, t.votes - o.votes as votes
        from totals as t join others as o using (contest, county, candidate) join contests as c using (contest, county)
        where t.votes > o.votes and o.units < c.units and (contest, county) in (
          select contest, county from totals as t join others as o using (contest, county, candidate)
          group by 1, 2 having bool_or(t.votes = o.votes and t.votes > 0) and bool_and(t.votes >= o.votes))),
      units as (
        insert into result_units (unit, area, county_name, county_fips, jurisdiction_name, jurisdiction_fips, precinct)
        select distinct -unit, area, county_name, county_fips, jurisdiction_name, jurisdiction_fips, ''
        from named where unit in (select unit from missing)),
      added as (
        update result_cells as c set unit = -c.unit, votes = m.votes
        from missing as m where m.contest = c.contest and m.unit = c.unit and m.candidate = c.candidate
        returning m.county)
    select county as county_name, '' as precinct, 'less than the total' as reason, count(*)::integer as cells
    from added group by 1`.execute(db);
  return rows;
}
