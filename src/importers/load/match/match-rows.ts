import { sql } from 'kysely';
import { normalName } from '../../../base/words/normal-name.ts';
import { stateByPostal } from '../../../base/words/states.ts';
import type { Database } from '../../../store/sql/database.ts';
import { bareOfficeName } from '../../facts/full-names.ts';
import { PERSON_SCHEMES } from '../persons/person-records.store.ts';
import { AMBIGUOUS, type Identities } from './identities.ts';
import { findCandidacies } from './match-candidacies.ts';
import { matchDistricts } from './match-districts.ts';
import { matchCandidates, matchElections, matchMeasures, matchRaces } from './match-elections.ts';
import { only, type ReferringRow, same } from './matching.ts';

/**
 * Finds existing records for rows without a known external identifier, by the rule of each row.
 * @returns for each row the id, `AMBIGUOUS`, or undefined if there is none.
 */
export async function matchRows(
  db: Database,
  identities: Identities,
  rows: readonly ReferringRow[],
): Promise<(number | undefined)[]> {
  switch (rows.find(({ row }) => row.match)?.row.match?.by) {
    case 'name':
      return matchParties(db, rows);
    case 'office':
      return matchOffices(db, rows);
    case 'holder':
      return onePersonEach(db, rows, await holdersOf(db, identities, rows));
    case 'term':
      return matchTerms(db, rows);
    case 'district':
      return matchDistricts(db, rows);
    case 'candidacy':
      return onePersonEach(db, rows, await candidatesAndHolders(db, identities, rows));
    case 'election':
      return matchElections(db, rows);
    case 'race':
      return matchRaces(db, rows);
    case 'candidate':
      return matchCandidates(db, rows);
    case 'measure':
      return matchMeasures(db, rows);
    case undefined:
      return rows.map(() => undefined);
  }
}

async function matchParties(db: Database, rows: readonly ReferringRow[]): Promise<(number | undefined)[]> {
  const parties = await sql<{ id: number; name: string }>`/* import.parties */ select id, name from parties`.execute(
    db,
  );
  return rows.map(({ row }) => {
    const name = normalName(String(row.values.name));
    return only(parties.rows.filter((party) => normalName(party.name) === name).map(({ id }) => id));
  });
}

interface Office {
  id: number;
  district_id: number;
  state: string | null;
  name: string;
  level: string;
  branch: string;
  chamber: string | null;
  seat: string | null;
}

async function matchOffices(db: Database, rows: readonly ReferringRow[]): Promise<(number | undefined)[]> {
  const districts = rows.map(({ refs }) => refs.district_id);
  const offices = await sql<Office>`/* import.offices */
    select o.id, o.district_id, d.state, o.name, o.level, o.branch, o.chamber, o.seat
    from offices as o join districts as d on d.id = o.district_id
    where o.district_id = any(${districts}::int[])`.execute(db);
  return rows.map(({ row: { values, match }, refs }) => {
    const ofDistrict = offices.rows.filter(
      (office) =>
        office.district_id === refs.district_id &&
        office.level === values.level &&
        office.branch === values.branch &&
        same(office.chamber, values.chamber) &&
        same(office.seat, values.seat),
    );
    const named = ofDistrict.filter(({ level, name, state: postal }) => {
      const state = stateByPostal(postal ?? '');
      return bareOfficeName(state, level, name) === bareOfficeName(state, level, String(values.name));
    });
    const fitting = named.length > 0 || match?.by !== 'office' || !match.alone ? named : ofDistrict;
    return only(fitting.map(({ id }) => id));
  });
}

/**
 * Returns the person that each row means among those of its name. A person whom a source distinguishes from that of the row by an
 * identifier is another one; a row that may be any of several is a record of its own, until days or identifiers decide.
 */
async function onePersonEach(
  db: Database,
  rows: readonly ReferringRow[],
  found: readonly (readonly number[])[],
): Promise<(number | undefined)[]> {
  const { rows: stored } = await sql<{ id: number; scheme: string; value: string }>`/* import.ids-of-persons */
    select record_id as id, scheme, value from external_identifiers
    where kind = 'person' and record_id = any(${[...new Set(found.flat())]}::int[])
      and scheme = any(${PERSON_SCHEMES}::text[])`.execute(db);
  const idsOf = Map.groupBy(stored, ({ id }) => id);
  return rows.map(({ row: { ids = [], labels = [] } }, index) => {
    const own = Map.groupBy([...ids, ...labels], ({ scheme }) => scheme);
    const fitting = (found[index] ?? []).filter((id) =>
      [...Map.groupBy(idsOf.get(id) ?? [], ({ scheme }) => scheme)].every(([scheme, values]) => {
        const given = own.get(scheme);
        return !given || given.some(({ value }) => values.some((each) => each.value === value));
      }),
    );
    const one = only(fitting);
    return one === AMBIGUOUS ? undefined : one;
  });
}

/** Finds the persons of the same name who hold one of the offices from the same day. */
async function holdersOf(db: Database, identities: Identities, rows: readonly ReferringRow[]): Promise<number[][]> {
  const holds = rows.map(({ row }) => (row.match?.by === 'holder' ? row.match.holds : []));
  await identities.lookUp(
    'office',
    holds.flat().map(({ office }) => office),
  );
  const offices = holds.flat().flatMap(({ office }) => identities.find('office', office) ?? []);
  const found = await sql<{ key: string; id: number; name: string }>`/* import.holders */
    select h.office_id || ' ' || h.start_date as key, p.id, p.name
    from officeholders as h join persons as p on p.id = h.person_id
    where h.office_id = any(${offices}::int[]) and h.start_date is not null`.execute(db);
  const holders = Map.groupBy(found.rows, ({ key }) => key);
  return rows.map(({ row }, index) => {
    const name = normalName(String(row.values.name));
    const held = (holds[index] ?? []).map(({ office, start }) => ({ id: identities.find('office', office), start }));
    const persons = held.flatMap(({ id, start }) => holders.get(`${id} ${start}`) ?? []);
    return persons.filter((person) => normalName(person.name) === name).map(({ id }) => id);
  });
}

/** Finds the persons of the same name who sought, hold or held the office. */
async function candidatesAndHolders(
  db: Database,
  identities: Identities,
  rows: readonly ReferringRow[],
): Promise<number[][]> {
  const offices = rows.map(({ row }) => (row.match?.by === 'candidacy' ? row.match.office : undefined));
  await identities.lookUp(
    'office',
    offices.filter((office) => office !== undefined),
  );
  const ids = offices.map((office) => (office ? (identities.find('office', office) ?? 0) : 0));
  const found = await findCandidacies(db, [...new Set(ids)]);
  return rows.map(({ row }, index) => {
    const name = normalName(String(row.values.name));
    const persons = (found.get(ids[index] ?? 0) ?? []).filter((person) => normalName(person.name) === name);
    return persons.map(({ person_id }) => person_id);
  });
}

/** Finds the terms of the same person in the same office with the same first day; if it is not known, with the same last day. */
async function matchTerms(db: Database, rows: readonly ReferringRow[]): Promise<(number | undefined)[]> {
  const found = await sql<{ id: number; office: number; person: number; start: string | null; end: string | null }>`
    /* import.terms */
    select id, office_id as office, person_id as person, start_date as start, end_date as end from officeholders
    where office_id = any(${rows.map(({ refs }) => refs.office_id)}::int[])`.execute(db);
  const keyOf = (...[office, person, start, end]: unknown[]) =>
    JSON.stringify([office, person, start ?? null, start ? null : (end ?? null)]);
  const terms = Map.groupBy(found.rows, ({ office, person, start, end }) => keyOf(office, person, start, end));
  return rows.map(({ row: { values }, refs }) => {
    const key = keyOf(refs.office_id, refs.person_id, values.start_date, values.end_date);
    return only((terms.get(key) ?? []).map(({ id }) => id));
  });
}
