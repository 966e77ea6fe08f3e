import { sql } from 'kysely';
import { normalName } from '../../../base/words/normal-name.ts';
import type { Database } from '../../../store/sql/database.ts';
import { only, type ReferringRow, same } from './matching.ts';

/** Finds elections that the same district holds on the same day, of the same type. */
export async function matchElections(db: Database, rows: readonly ReferringRow[]): Promise<(number | undefined)[]> {
  const found = await sql<{ id: number; district_id: number; date: string; type: string }>`/* import.elections */
    select id, district_id, date, type from elections
    where district_id = any(${rows.map(({ refs }) => refs.district_id)}::int[])`.execute(db);
  return rows.map(({ row: { values }, refs }) => {
    const fitting = found.rows.filter(
      ({ district_id, date, type }) => district_id === refs.district_id && date === values.date && type === values.type,
    );
    return only(fitting.map(({ id }) => id));
  });
}

interface Race {
  id: number;
  election_id: number;
  office_id: number;
  type: string;
  stage_type: string;
  stage_party: string | null;
  office_position: string | null;
}

export async function matchRaces(db: Database, rows: readonly ReferringRow[]): Promise<(number | undefined)[]> {
  const found = await sql<Race>`/* import.races */
    select id, election_id, office_id, type, stage_type, stage_party, office_position from races
    where election_id = any(${[...new Set(rows.map(({ refs }) => refs.election_id))]}::int[])`.execute(db);
  const races = Map.groupBy(found.rows, keyOf);
  return rows.map(({ row: { values }, refs }) => {
    const of = races.get(keyOf({ election_id: refs.election_id ?? 0, office_id: refs.office_id ?? 0 })) ?? [];
    const fitting = of.filter(
      (race) =>
        race.type === values.type &&
        race.stage_type === values.stage_type &&
        same(race.stage_party, values.stage_party) &&
        same(race.office_position, values.office_position),
    );
    return only(fitting.map(({ id }) => id));
  });
}

function keyOf({ election_id, office_id }: Pick<Race, 'election_id' | 'office_id'>): string {
  return `${election_id} ${office_id}`;
}

export async function matchCandidates(db: Database, rows: readonly ReferringRow[]): Promise<(number | undefined)[]> {
  const races = [...new Set(rows.map(({ refs }) => refs.race_id))];
  const found = await sql<{ id: number; race_id: number; person_id: number; name: string }>`/* import.candidates */
    select c.id, c.race_id, c.person_id, p.name from candidates as c join persons as p on p.id = c.person_id
    where c.race_id = any(${races}::int[])`.execute(db);
  const candidates = Map.groupBy(found.rows, ({ race_id }) => race_id);
  return rows.map(({ row: { match }, refs }) => {
    const of = candidates.get(refs.race_id ?? 0) ?? [];
    const persons = of.filter(({ person_id }) => person_id === refs.person_id);
    const name = match?.by === 'candidate' ? normalName(match.name) : '';
    const fitting = persons.length > 0 ? persons : of.filter((candidate) => normalName(candidate.name) === name);
    return only(fitting.map(({ id }) => id));
  });
}

interface Measure {
  id: number;
  election_id: number;
  district_id: number;
  name: string;
  official_title: string | null;
}

export async function matchMeasures(db: Database, rows: readonly ReferringRow[]): Promise<(number | undefined)[]> {
  const found = await sql<Measure>`/* import.measures */
    select id, election_id, district_id, name, official_title from ballot_measures
    where election_id = any(${[...new Set(rows.map(({ refs }) => refs.election_id))]}::int[])`.execute(db);
  return rows.map(({ row: { values }, refs }) => {
    const of = found.rows.filter(
      (measure) => measure.election_id === refs.election_id && measure.district_id === refs.district_id,
    );
    const title = normalName(String(values.official_title ?? ''));
    const titled = of.filter(({ official_title }) => title !== '' && normalName(official_title ?? '') === title);
    const name = normalName(String(values.name));
    // Several questions may have the same heading; their text then identifies them.
    const named = of.filter(
      (measure) => normalName(measure.name) === name && (title === '' || (measure.official_title ?? '') === ''),
    );
    const fitting =
      titled.length > 0 ? titled : named.length > 0 ? named : of.filter((m) => normalName(m.name) === name);
    return only(fitting.map(({ id }) => id));
  });
}
