import { RI } from './violation.ts';

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
  [
    'a district under a short GEOID',
    'districts_once_by_geo_id',
    `insert into districts (id, type, name, state, geo_id) values (99, 'County', 'Kent County', 'RI', '44003')`,
  ],
  [
    'a long GEOID of two districts of different types',
    'districts_once_by_whole_geo_id',
    `insert into districts (id, type, name, state, geo_id) values (99, 'City-town', 'Kent', 'RI', '0500000US44003')`,
  ],
  [
    'an NCES id twice',
    'districts_once_by_nces_id',
    `insert into districts (id, type, name, state, nces_id) values (99, 'School District', 'Bristol', 'RI', '4400030')`,
  ],
  [
    'an OCD id of two districts',
    'districts_once_by_ocdid',
    `insert into districts (id, type, name, state, ocdid) values (99, 'County', 'Kent', 'RI', '${RI}/COUNTY:kent')`,
  ],
  [
    'an office twice',
    'offices_once',
    `insert into offices (id, district_id, name, level, branch) values (9, 2, 'GOVERNOR.', 'State', 'Executive')`,
  ],
  ['a party twice', 'parties_once', `insert into parties (id, name) values (99, 'democratic')`],
  [
    'a term twice',
    'officeholders_once',
    `insert into officeholders (id, office_id, person_id, status, start_date) values (9, 2, 3, 'Former', '2019-01-03')`,
  ],
  [
    'a term of unknown days twice',
    'officeholders_once',
    `insert into officeholders (id, office_id, person_id, status) values (9, 4, 5, 'Former')`,
  ],
  [
    'a contact twice',
    'contacts_once',
    `insert into contacts (officeholder_id, collection, contact_type, contact)
     select officeholder_id, collection, contact_type, contact from contacts`,
  ],
  [
    'an election twice',
    'elections_once',
    `insert into elections (id, date, type, district_id, candidate_lists_complete)
     values (9, '2022-11-08', 'General', 2, false)`,
  ],
  [
    'a race twice',
    'races_once',
    `insert into races (id, election_id, office_id, year, type, stage_type, number_of_seats)
     values (9, 1, 1, 2022, 'Regular', 'General', 1)`,
  ],
  ['a candidate twice', 'candidates_once', 'insert into candidates (id, race_id, person_id) values (99, 1, 7)'],
  [
    'a measure twice',
    'ballot_measures_once',
    `insert into ballot_measures (id, election_id, district_id, name) values (9, 1, 2, 'QUESTION 1')`,
  ],
];
