/** Violations that no check looks for, because a constraint of the database refuses them: title, constraint and statement. */
export const REFUSED: readonly (readonly [title: string, constraint: string, statement: string])[] = [
  [
    'a term of no person',
    'officeholders_person_id_fkey',
    `insert into officeholders (id, office_id, person_id, status) values (9, 4, 999, 'Former')`,
  ],
  ['a race of no election', 'races_election_id_fkey', 'update races set election_id = 999 where id = 3'],
  ['a candidate of no race', 'candidates_race_id_fkey', 'update candidates set race_id = 999 where id = 9'],
  ['an office of no district', 'offices_district_id_fkey', 'update offices set district_id = 999 where id = 4'],
  [
    'a boundary of no district',
    'boundaries_district_id_fkey',
    'update boundaries set district_id = 999 where district_id = 22',
  ],
  [
    'a round of no candidate',
    'ranked_choice_rounds_candidate_id_fkey',
    'insert into ranked_choice_rounds (candidate_id, round) values (999, 1)',
  ],
  ['a contact without an owner', 'contacts_check', 'update contacts set officeholder_id = null'],
  [
    'an identifier of two persons',
    'external_identifiers_pkey',
    `insert into external_identifiers (kind, scheme, value, record_id) values ('person', 'fec', 'H1', 2)`,
  ],
  [
    'two boundaries of a district at a time',
    'one_boundary_in_effect',
    `insert into boundaries (district_id, start_date, precise, geometry, digest)
     select 51, '2020-01-01', precise, geometry, 'again' from boundaries where district_id = 51`,
  ],
  [
    'a boundary that ends before it begins',
    'boundaries_check',
    `update boundaries set end_date = '1900-01-01' where district_id = 51`,
  ],
  [
    'a term that ends before it begins',
    'officeholders_check',
    `update officeholders set end_date = '2014-01-01' where id = 1`,
  ],
  ['negative votes', 'candidates_votes_for_cand_check', 'update candidates set votes_for_cand = -50 where id = 4'],
  [
    'negative votes for a measure',
    'ballot_measures_no_votes_total_check',
    'update ballot_measures set no_votes_total = -1',
  ],
  ['a party of a candidate twice', 'candidate_parties_once', 'insert into candidate_parties values (1, 2, 2)'],
  ['a race without a seat', 'races_number_of_seats_check', 'update races set number_of_seats = 0 where id = 4'],
];
