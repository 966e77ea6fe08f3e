import { type Kysely, sql } from 'kysely';

/** The last word of a name without accents and a generation suffix: `Joe Luján, Jr.` becomes `lujan`. */
const lastWord = (name: string) => `substring(regexp_replace(
    regexp_replace(translate(normalize(lower(${name}), NFD), '-.,', '   '), '[^a-z ]', '', 'g'),
    ' *( (jr|sr|ii|iii|iv|v))? *$', '') from '[a-z]+$')`;

/** The first day on which a term is known to have begun. */
const BEGAN = 'coalesce(term.start_date, term.first_shown)';

/**
 * Adds to each candidate whether the person holds the office on the day before the election, which follows from the
 * terms. It is stored, because a ballot has many candidates; every load computes it again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table candidates add holds_office boolean;
    comment on column candidates.holds_office is 'Whether the person holds the office on the day before the election, by the terms; null if they do not say. Computed by every load. is_incumbent, which a source supplies, takes precedence.';

    create function candidate_incumbency() returns table (candidate_id integer, office_id integer, holds_office boolean)
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
            and (${sql.raw(lastWord('holder.name'))} = ${sql.raw(lastWord('person.name'))}) is not false) then null
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
      'Whether each candidate holds the office on the day before the election. False only if the holders of all seats are known, or the office is vacant, and no holder has the last name of the candidate: that may be another record of the same person. Null if the terms do not say.';

    update candidates set holds_office = rule.holds_office from candidate_incumbency() rule
    where rule.candidate_id = candidates.id and rule.holds_office is not null;
  `.execute(db);
}
