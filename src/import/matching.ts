import { sql } from 'kysely';
import type { Database } from '../store/database.ts';
import { AMBIGUOUS, type Identities } from './identities.ts';
import type { ImportRow, ImportValue } from './import-rows.ts';

/** A row with the ids of the records that it refers to. */
export interface ReferringRow {
  readonly row: ImportRow;
  readonly refs: Readonly<Record<string, number | null>>;
}

/** A name as it is compared: without letter case, accents and punctuation. */
export function normalName(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '');
  return letters
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * Finds rows that no external identifier led to in the store, in the way that each asks for.
 * @returns for each row the id, `AMBIGUOUS`, or undefined where there is none.
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
      return matchPersons(db, identities, rows);
    case 'term':
      return matchTerms(db, rows);
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
  name: string;
  level: string;
  branch: string;
  chamber: string | null;
  seat: string | null;
}

async function matchOffices(db: Database, rows: readonly ReferringRow[]): Promise<(number | undefined)[]> {
  const districts = rows.map(({ refs }) => refs.district_id);
  const offices = await sql<Office>`/* import.offices */
    select id, district_id, name, level, branch, chamber, seat from offices
    where district_id = any(${districts}::int[])`.execute(db);
  return rows.map(({ row: { values, match }, refs }) => {
    const ofDistrict = offices.rows.filter(
      (office) =>
        office.district_id === refs.district_id &&
        office.level === values.level &&
        office.branch === values.branch &&
        same(office.chamber, values.chamber) &&
        same(office.seat, values.seat),
    );
    const named = ofDistrict.filter(({ name }) => normalName(name) === normalName(String(values.name)));
    const fitting = named.length > 0 || match?.by !== 'office' || !match.alone ? named : ofDistrict;
    return only(fitting.map(({ id }) => id));
  });
}

async function matchPersons(
  db: Database,
  identities: Identities,
  rows: readonly ReferringRow[],
): Promise<(number | undefined)[]> {
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
    const keys = (holds[index] ?? []).map(({ office, start }) => `${identities.find('office', office)} ${start}`);
    const persons = keys.flatMap((key) => holders.get(key) ?? []).filter((person) => normalName(person.name) === name);
    return only(persons.map(({ id }) => id));
  });
}

async function matchTerms(db: Database, rows: readonly ReferringRow[]): Promise<(number | undefined)[]> {
  const found = await sql<{ key: string; id: number }>`/* import.terms */
    select office_id || ' ' || person_id || ' ' || start_date as key, id from officeholders
    where office_id = any(${rows.map(({ refs }) => refs.office_id)}::int[]) and start_date is not null`.execute(db);
  const terms = Map.groupBy(found.rows, ({ key }) => key);
  return rows.map(({ row, refs }) => {
    const key = `${refs.office_id} ${refs.person_id} ${row.values.start_date}`;
    return only((terms.get(key) ?? []).map(({ id }) => id));
  });
}

function only(ids: readonly number[]): number | undefined {
  const different = new Set(ids);
  return different.size > 1 ? AMBIGUOUS : [...different][0];
}

function same(stored: string | null, given: ImportValue): boolean {
  return (stored ?? '') === String(given ?? '');
}
