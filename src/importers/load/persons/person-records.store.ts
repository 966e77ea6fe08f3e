import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import { type PersonName, parsePersonName } from '../../facts/person-name.ts';
import type { Candidacy, HeldTerm, PersonRecord } from './join-rules.ts';

/** Identifiers of sources that distinguish persons themselves: different ones are different persons. */
export const PERSON_SCHEMES = ['bioguide', 'govtrack', 'ocd-person', 'wikidata'];
/** The label under which an importer stores another name of a person: the source's id, a space, and the name. */
export const OTHER_NAME = 'other-name';

interface FoundPerson {
  readonly id: number;
  readonly name: string;
  readonly last_name: string | null;
  readonly merged: number[];
  readonly merged_names: string[];
  readonly other_names: string[];
  readonly ids: Record<string, string> | null;
}

/**
 * Returns everyone who is a candidate for an office with a staged race or term, or holds or held it, with all of their
 * candidacies and terms in these offices. Persons without a given name are left out.
 */
export async function personsOfStagedOffices(db: Database): Promise<PersonRecord[]> {
  await sql`/* persons.compared-offices */
    create temp table compared_offices on commit drop as
    select office_id as id from stage_officeholders
    union select office_id from stage_races
    union select r.office_id from stage_candidates as c join races as r on r.id = c.race_id`.execute(db);
  await sql`/* persons.analyze */ analyze compared_offices`.execute(db);
  const candidacies = await sql<Candidacy & { person: number }>`/* persons.candidacies */
    select c.id, c.person_id as person, r.id as race, r.office_id as office, e.id as election, e.date, c.cand_status as status,
      r.stage_type ilike '%primary%' as "isPrimary"
    from candidates as c join races as r on r.id = c.race_id join elections as e on e.id = r.election_id
    where r.office_id in (select id from compared_offices)
    order by c.id`.execute(db);
  const terms = await sql<HeldTerm & { person: number }>`/* persons.terms */
    select person_id as person, office_id as office, start_date as start, end_date as end, last_shown as "lastShown"
    from officeholders where office_id in (select id from compared_offices)
    order by id`.execute(db);
  await sql`/* persons.compared-offices */ drop table compared_offices`.execute(db);
  const [byCandidate, byHolder] = [Map.groupBy(candidacies.rows, personOf), Map.groupBy(terms.rows, personOf)];
  const ids = [...new Set([...byCandidate.keys(), ...byHolder.keys()])];
  const found = await sql<FoundPerson>`/* persons.names */
    select p.id, p.name, p.last_name,
      array(select merged_id from person_merges as m where m.person_id = p.id order by 1) as merged,
      array(select name from person_merges as m where m.person_id = p.id order by 1) as merged_names,
      array(select substr(value, strpos(value, ' ') + 1) from external_identifiers as e
        where e.kind = 'person' and e.scheme = ${OTHER_NAME} and e.record_id = p.id order by 1) as other_names,
      (select jsonb_object_agg(scheme, value) from external_identifiers as e
        where e.kind = 'person' and e.record_id = p.id and e.scheme = any(${PERSON_SCHEMES}::text[])) as ids
    from persons as p where p.id = any(${ids}::int[])
    order by p.id`.execute(db);
  return found.rows.flatMap(({ id, name, last_name, merged, merged_names, other_names, ids: external }) => {
    const own = parsePersonName(name, last_name);
    const others = [...merged_names, ...other_names].flatMap((each) => parsePersonName(each, last_name) ?? []);
    const names = own ? [own, ...others.filter((other) => isAnotherName(own, other))] : [];
    if (names.length === 0) return [];
    return {
      id,
      name,
      merged,
      names,
      ids: new Map(Object.entries(external ?? {})),
      candidacies: byCandidate.get(id) ?? [],
      terms: byHolder.get(id) ?? [],
    };
  });
}

/**
 * Returns whether a name identifies the person as well as the own one: with the same last name, or a former last name and the
 * same first name. Other names are only a part of the name.
 */
function isAnotherName(own: PersonName, { last, given: [first = ''] }: PersonName): boolean {
  return last === own.last || (last.length > 1 && first.length > 1 && first === own.given[0]);
}

function personOf({ person }: { readonly person: number }): number {
  return person;
}

/** Returns the pairs of persons that an operator has split, as `smaller id, greater id`. */
export async function distinctPersons(db: Database): Promise<Set<string>> {
  const { rows } = await sql<{ pair: string }>`/* persons.distinct */
    select person_id || ' ' || other_id as pair from distinct_persons`.execute(db);
  return new Set(rows.map(({ pair }) => pair));
}
