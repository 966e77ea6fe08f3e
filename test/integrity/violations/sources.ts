import { type PlantedViolation, violation } from './violation.ts';

const RACE = 'insert into races (id, election_id, office_id, year, type, stage_type, number_of_seats) values';

/** What sources contradict: the law, the seats, the counties, and names that are in two places. */
export const SOURCES: readonly PlantedViolation[] = [
  violation('a race for two governors', 'seats-beyond-the-law', 'update races set number_of_seats = 2 where id = 4'),
  violation(
    'a senator elected on another day',
    'days-without-law',
    `insert into elections (id, date, type, district_id, candidate_lists_complete) values (9, '2022-11-01', 'Special', 2, false);
    ${RACE} (9, 9, 2, 2022, 'Regular', 'General', 1)`,
  ),
  violation(
    'a general election a week later',
    'days-beside-others',
    `insert into elections (id, date, type, district_id, candidate_lists_complete) values (9, '2022-11-15', 'General', 2, false)`,
  ),
  violation(
    'a Congress district without a seat',
    'congress-districts-beyond-seats',
    `insert into districts (id, type, name, state, ocdid) values (13, 'Congress', 'Third', 'RI', 'ocd-division/country:us/state:ri/cd:3');
    insert into offices (id, district_id, name, level, branch, chamber) values (9, 13, 'U.S. Representative', 'Federal', 'Legislative', 'Lower');
    ${RACE} (9, 1, 9, 2022, 'Regular', 'General', 1)`,
  ),
  violation(
    'a candidate for governor and for the Senate',
    'one-name-in-two-contests',
    `${RACE} (9, 1, 2, 2022, 'Regular', 'General', 1);
    insert into candidates (id, race_id, person_id, cand_status) values (99, 9, 2, 'Withdrawn')`,
  ),
  violation(
    'a race without its outcome',
    'outcomes-unknown',
    'update candidates set cand_status = null where race_id = 1',
  ),
  violation(
    'a race joined over counties',
    'races-over-counties',
    `update races set scope_basis = 'Same candidates' where id = 3`,
  ),
  violation(
    'a district of one contest',
    'districts-of-one-contest',
    `insert into districts (id, type, name, state) values (61, 'Special District', 'Water', 'RI');
    insert into offices (id, district_id, name, level, branch) values (9, 61, 'Trustee', 'Local', 'Legislative');
    ${RACE} (9, 1, 9, 2022, 'Regular', 'General', 1)`,
  ),
  violation(
    'a county officer with the votes of a total',
    'votes-beyond-voters',
    `insert into offices (id, district_id, name, level, branch) values
      (7, 42, 'Sheriff', 'Local', 'Executive'), (8, 42, 'Clerk', 'Local', 'Executive'), (9, 42, 'Coroner', 'Local', 'Executive');
    ${RACE} (7, 1, 7, 2022, 'Regular', 'General', 1), (8, 1, 8, 2022, 'Regular', 'General', 1), (9, 1, 9, 2022, 'Regular', 'General', 1);
    insert into candidates (id, race_id, person_id, cand_status, votes_for_cand) values
      (97, 7, 4, 'Won', 1500), (98, 8, 5, 'Won', 1400), (99, 9, 6, 'Won', 9000)`,
  ),
  violation(
    'a question without its votes for no',
    'questions-with-one-answer',
    'update ballot_measures set no_votes_total = null',
  ),
  violation(
    'a race without a vote',
    'results-without-votes',
    'update candidates set votes_for_cand = 0 where race_id = 3',
  ),
  violation('a name with a digit', 'odd-names', `update persons set name = 'Ben Baker 2' where id = 2`),
  violation(
    'a candidate of two parties',
    'several-parties',
    'insert into candidate_parties (candidate_id, position, party_id) values (1, 2, 1)',
  ),
  violation(
    'two spellings of a candidate',
    'candidates-alike',
    `update persons set name = 'Benjamin Baker' where id = 1`,
  ),
  violation(
    'a senator for eight years',
    'terms-beyond-the-law',
    `update officeholders set start_date = '2017-01-03' where id = 3`,
  ),
  violation(
    'a county that does not exist',
    'unknown-counties',
    `insert into districts (id, type, name, state) values (61, 'County', 'Knet County', 'RI')`,
  ),
  violation(
    'a district with a part in another state',
    'parts-in-other-states',
    `update boundaries set geometry = ST_Union(geometry, ST_MakeEnvelope(-75.9, 41.1, -75.1, 41.9, 4326)), digest = 'redrawn' where district_id = 51;
    delete from boundary_pieces as p using boundaries as b where b.id = p.boundary_id and b.district_id = 51;
    insert into boundary_pieces (boundary_id, geometry) select b.id, (ST_Dump(b.geometry)).geom from boundaries as b where b.district_id = 51`,
  ),
  violation(
    'an address in another state',
    'addresses-outside-their-state',
    `insert into address_streets (state, town, town_label, words, label, core) values ('RI', 'bristol', 'Bristol', 'main street', 'Main Street', 'main');
    insert into address_points (street_id, number, number_suffix, priority, point, source_id, key)
    select id, 1, '', 0, ST_SetSRID(ST_MakePoint(-75.5, 41.5), 4326), 1, '1' from address_streets`,
  ),
];
