import { type Kysely, sql } from 'kysely';

/** The last word of a name without accents and a generation suffix: `Joe Luján, Jr.` becomes `lujan`, `Person 7` `7`. */
const lastWord = (name: string) => `substring(regexp_replace(
    regexp_replace(translate(normalize(lower(${name}), NFD), '-.,', '   '), '[^a-z0-9 ]', '', 'g'),
    ' *( (jr|sr|ii|iii|iv|v))? *$', '') from '[a-z0-9]+$')`;

/** Whether a person has the name of a source: one from the exchange format has none, and its id says who the person is. */
const isImported = (person: string) => `exists (
            select from external_identifiers name where name.kind = 'person' and name.record_id = ${person}.id)`;

/** The first day on which a term is known to have begun. */
const BEGAN = 'coalesce(term.start_date, term.first_shown)';

/**
 * Takes two persons of one last name for possibly the same only if a source was imported that has names and no ids of
 * persons. In a folder of the exchange format, two ids are two persons, so that the candidate is no incumbent.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function candidate_incumbency() returns table (candidate_id integer, office_id integer, holds_office boolean)
      language sql stable parallel safe as $$
      select candidate.id, race.office_id, case
        when not exists (select from officeholders term where term.office_id = race.office_id) then null
        when exists (
          select from officeholders_in_office(election.date - 1) term
          where term.office_id = race.office_id and term.person_id = candidate.person_id
            and ${sql.raw(BEGAN)} < election.date) then true
        when exists (
          select from officeholders term
          where term.office_id = race.office_id and term.person_id = candidate.person_id and term.start_date is null
            and (term.first_shown is null or term.first_shown >= election.date)
            and (term.end_date is null or term.end_date >= election.date)) then null
        when exists (
          select from officeholders_in_office(election.date - 1) term
          join persons holder on holder.id = term.person_id
          where term.office_id = race.office_id
            and (${sql.raw(lastWord('holder.name'))} = ${sql.raw(lastWord('person.name'))}) is not false
            and (${sql.raw(isImported('holder'))} or ${sql.raw(isImported('person'))})) then null
        when (
          select count(distinct term.person_id) from officeholders_in_office(election.date - 1) term
          where term.office_id = race.office_id and ${sql.raw(BEGAN)} < election.date
        ) >= (select max(number_of_seats) from races all_races where all_races.office_id = race.office_id) then false
        when office.vacant_since < election.date and not exists (
          select from officeholders_in_office(election.date - 1) term where term.office_id = race.office_id) then false
        end
      from candidates candidate
      join persons person on person.id = candidate.person_id
      join races race on race.id = candidate.race_id
      join elections election on election.id = race.election_id
      join offices office on office.id = race.office_id
    $$;
    comment on function candidate_incumbency is
      'Whether each candidate holds the office on the day before the election. False only if the holders of all seats are known, or the office is vacant, and no holder has the last name of the candidate: that may be another record of the same person, unless both are of the exchange format. Null if the terms do not say.';

    update candidates set holds_office = rule.holds_office from candidate_incumbency() rule
    where rule.candidate_id = candidates.id and candidates.holds_office is distinct from rule.holds_office;
  `.execute(db);
}
