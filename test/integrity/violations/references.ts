import { PERSON, type PlantedViolation, violation } from './violation.ts';

/** Records that refer to missing records, and records that no other record needs. */
export const REFERENCES: readonly PlantedViolation[] = [
  violation(
    'a term of no person',
    'dangling-references',
    `
    alter table officeholders drop constraint officeholders_person_id_fkey;
    insert into officeholders (id, office_id, person_id, status) values (9, 4, 999, 'Former')`,
  ),
  violation(
    'a race of no election',
    'dangling-references',
    `
    alter table races drop constraint races_election_id_fkey; update races set election_id = 999 where id = 3`,
  ),
  violation('a person without office', 'unused-persons', PERSON),
  violation(
    'the source of no record',
    'dangling-provenance',
    `
    insert into record_sources (kind, record_id, source_id) values ('race', 999, 1)`,
  ),
  violation(
    'the identifier of no record',
    'dangling-identifiers',
    `
    insert into external_identifiers (kind, scheme, value, record_id) values ('person', 'fec', 'H2', 999)`,
  ),
  violation(
    'a candidate of no race',
    'dangling-references',
    `alter table candidates drop constraint candidates_race_id_fkey; update candidates set race_id = 999 where id = 9`,
  ),
  violation(
    'an office of no district',
    'dangling-references',
    `alter table offices drop constraint offices_district_id_fkey; update offices set district_id = 999 where id = 4`,
  ),
  violation(
    'a boundary of no district',
    'dangling-references gaps-in-maps',
    `alter table boundaries drop constraint boundaries_district_id_fkey; update boundaries set district_id = 999 where district_id = 22`,
  ),
  violation(
    'a round of no candidate',
    'dangling-references',
    `alter table ranked_choice_rounds drop constraint ranked_choice_rounds_candidate_id_fkey;
    insert into ranked_choice_rounds (candidate_id, round) values (999, 1)`,
  ),
  violation(
    'a contact without an owner',
    'contacts-without-owner',
    `alter table contacts drop constraint contacts_check; update contacts set officeholder_id = null`,
  ),
];
