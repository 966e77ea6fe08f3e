/** A violation that the integrity checks have to find: the statements that plant it, and the names of the checks. */
export interface PlantedViolation {
  readonly title: string;
  readonly plant: string;
  readonly checks: readonly string[];
}

const violation = (title: string, checks: string, plant: string): PlantedViolation => ({
  title,
  plant,
  checks: checks.split(' '),
});

const box = (west: number, south: number, east: number, north: number) =>
  `ST_Multi(ST_MakeEnvelope(${west}, ${south}, ${east}, ${north}, 4326))`;

/** Moves the boundary of a district, with its pieces. */
const redraw = (district: number, geometry: string) => `
  update boundaries set geometry = ${geometry}, digest = 'redrawn' where district_id = ${district};
  update boundary_pieces as p set geometry = ST_GeometryN(b.geometry, 1)
  from boundaries as b where b.id = p.boundary_id and b.district_id = ${district}`;

const RI = 'ocd-division/country:us/state:ri';
const OFFICE =
  "insert into offices (id, district_id, name, level, branch) values (9, 41, 'Clerk', 'Local', 'Executive')";
const PERSON = "insert into persons (id, name) values (9, 'ben BAKER')";

export const PLANTED: readonly PlantedViolation[] = [
  violation('a district named NaN', 'broken-names', `update districts set name = 'Kent District NaN' where id = 41`),
  violation('an OCD id with NaN', 'broken-names', `update districts set ocdid = '${RI}/county:NaN' where id = 41`),
  violation('an office named undefined', 'broken-names', `update offices set name = 'Judge undefined' where id = 1`),
  violation(
    'a person who is an object',
    'broken-names',
    `update persons set last_name = '[object Object]' where id = 1`,
  ),
  violation('an identifier with undefined', 'broken-names', `update external_identifiers set value = 'fec:undefined'`),
  violation('a measure without a name', 'blank-names', `update ballot_measures set name = '' where id = 1`),
  violation('a person with a space behind', 'blank-names', `update persons set name = 'Ada Able ' where id = 1`),
  violation(
    'the OCD id of another state',
    'states-of-identifiers',
    `
    update districts set ocdid = 'ocd-division/country:us/state:de/county:kent' where id = 41`,
  ),
  violation(
    'the GEOID of another state',
    'states-of-identifiers',
    `update districts set geo_id = '0500000US10003' where id = 41`,
  ),
  violation(
    'a county with the OCD id of a chamber',
    'types-of-ocdids missing-districts',
    `
    update districts set ocdid = '${RI}/sldl:5' where id = 41;
    update districts set ocdid = '${RI}/sldl:7' where id = 42`,
  ),
  violation(
    'a district under a short GEOID',
    'duplicate-districts',
    `
    insert into districts (id, type, name, state, geo_id) values (99, 'County', 'Kent County', 'RI', '44003')`,
  ),
  violation(
    'a school district without ids',
    'duplicate-districts',
    `
    insert into districts (id, type, name, state) values (99, 'School District', 'BRISTOL-WARREN', 'RI')`,
  ),
  violation(
    'an NCES id twice',
    'duplicate-districts',
    `
    insert into districts (id, type, name, state, nces_id) values (99, 'School District', 'Bristol', 'RI', '4400030')`,
  ),
  violation(
    'one boundary for two counties',
    'duplicate-boundaries overlaps-in-maps',
    `
    insert into districts (id, type, name, state) values (99, 'County', 'Newport', 'RI');
    insert into boundaries (district_id, start_date, precise, geometry, digest)
    select 99, start_date, precise, geometry, digest from boundaries where district_id = 41;
    insert into boundary_pieces select id, ST_GeometryN(geometry, 1) from boundaries where district_id = 99`,
  ),
  violation(
    'an office twice',
    'duplicate-offices',
    `
    insert into offices (id, district_id, name, level, branch) values (9, 2, 'GOVERNOR', 'State', 'Executive')`,
  ),
  violation('a party twice', 'duplicate-parties', `insert into parties (id, name) values (99, 'democratic')`),
  violation(
    'a winner who is another person than the holder',
    'duplicate-persons winners-apart-from-holders',
    `
    ${PERSON}; update candidates set person_id = 9 where id = 1`,
  ),
  violation(
    'a term twice',
    'duplicate-terms repeated-terms',
    `
    insert into officeholders (id, office_id, person_id, status, start_date) values (9, 2, 3, 'Former', '2019-01-03')`,
  ),
  violation(
    'a contact twice',
    'duplicate-contacts',
    `
    insert into contacts (officeholder_id, collection, contact_type, contact)
    select officeholder_id, collection, contact_type, contact from contacts`,
  ),
  violation(
    'an election twice',
    'duplicate-elections',
    `
    insert into elections (id, date, type, district_id, candidate_lists_complete)
    values (9, '2022-11-08', 'General', 2, false)`,
  ),
  violation(
    'a race twice',
    'duplicate-races',
    `
    insert into races (id, election_id, office_id, year, type, stage_type, number_of_seats)
    values (9, 1, 1, 2022, 'Regular', 'General', 1)`,
  ),
  violation(
    'a candidate twice',
    'duplicate-candidates',
    `
    insert into candidates (id, race_id, person_id) values (99, 1, 6)`,
  ),
  violation(
    'a measure twice',
    'duplicate-measures',
    `
    insert into ballot_measures (id, election_id, district_id, name) values (9, 1, 2, 'QUESTION 1')`,
  ),
  violation('a party of a candidate twice', 'repeated-parties', `insert into candidate_parties values (1, 2, 2)`),
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
    'two winners of one seat',
    'winners-over-seats',
    `
    update candidates set cand_status = 'Won', votes_for_cand = 5000 where id = 2`,
  ),
  violation(
    'a winner with fewer votes',
    'outcome-against-votes',
    `update candidates set votes_for_cand = 6000 where id = 2`,
  ),
  violation(
    'rounds that do not add up',
    'votes-of-rounds',
    `update ranked_choice_rounds set votes_for = 21 where round = 2`,
  ),
  violation(
    'a round that is missing',
    'rounds-in-sequence',
    `update ranked_choice_rounds set round = 3 where round = 2`,
  ),
  violation(
    'a total among the candidates',
    'subtotals-as-votes',
    `update candidates set votes_for_cand = 4950 where id = 1`,
  ),
  violation(
    'votes before the election',
    'results-before-election',
    `update candidates set votes_for_cand = 5 where id = 9`,
  ),
  violation(
    'an approved measure with fewer votes',
    'outcome-of-measures',
    `
    update ballot_measures set no_votes_total = 700 where id = 1`,
  ),
  violation(
    'a race of another state',
    'ballots-of-other-states',
    `
    insert into offices (id, district_id, name, level, branch) values (9, 3, 'Governor', 'State', 'Executive');
    insert into races (id, election_id, office_id, year, type, stage_type, number_of_seats)
    values (9, 1, 9, 2022, 'Regular', 'General', 1)`,
  ),
  violation(
    'a measure of another state',
    'ballots-of-other-states',
    `update ballot_measures set district_id = 3 where id = 1`,
  ),
  violation('a race of another year', 'dates-of-races', `update races set year = 2018 where id = 1`),
  violation(
    'a swearing-in before the election',
    'dates-of-races',
    `update races set swearing_in_date = '2022-01-01' where id = 1`,
  ),
  violation('two governors', 'overlapping-terms', `update officeholders set end_date = '2024-01-01' where id = 1`),
  violation(
    'two current holders without dates',
    'overlapping-terms',
    `
    ${OFFICE}; insert into officeholders (id, office_id, person_id, status) values (8, 9, 4, 'Current'), (9, 9, 5, 'Current')`,
  ),
  violation(
    'two terms of one person at a time',
    'repeated-terms',
    `
    insert into officeholders (id, office_id, person_id, status, start_date, end_date)
    values (9, 2, 3, 'Current', '2021-01-03', '2025-01-03')`,
  ),
  violation(
    'a boundary without pieces',
    'pieces-of-boundaries',
    `
    delete from boundary_pieces where boundary_id = (select id from boundaries where district_id = 51)`,
  ),
  violation(
    'years without a boundary',
    'gaps-between-boundaries',
    `
    update boundaries set end_date = '2018-01-01' where district_id = 51;
    insert into boundaries (district_id, start_date, precise, geometry, digest)
    select 51, '2020-01-01', precise, geometry, 'later' from boundaries where district_id = 51;
    insert into boundary_pieces select id, ST_GeometryN(geometry, 1) from boundaries where digest = 'later'`,
  ),
  violation('a school district in the sea', 'districts-outside-their-state', redraw(51, box(-68, 35, -67, 36))),
  violation(
    'a Congress district without state',
    'districts-without-state missing-districts gaps-in-maps',
    `
    update districts set state = null where id = 12`,
  ),
  violation(
    'the last seat of the House',
    'missing-districts gaps-in-maps',
    'delete from boundaries where district_id = 12',
  ),
  violation(
    'a district of the Senate by its number',
    'missing-districts gaps-in-maps',
    'delete from boundaries where district_id = 21',
  ),
  violation('an uncovered quarter', 'gaps-in-maps', redraw(33, box(-72, 41.95, -71.5, 42))),
  violation(
    'a hole inside a map',
    'gaps-in-maps',
    redraw(33, `ST_Multi(ST_Difference(${box(-72, 41.5, -71.5, 42)}, ${box(-71.7, 41.7, -71.65, 41.75)}))`),
  ),
  violation('districts that overlap', 'overlaps-in-maps', redraw(32, box(-71.6, 41, -71, 41.5))),
  violation('a link to NaN', 'broken-names', `update persons set url = 'https://example.org/NaN' where id = 1`),
  violation('a contact that is undefined', 'broken-names', `update contacts set contact = 'undefined'`),
  violation(
    'an object as the text of a measure',
    'broken-names',
    `update ballot_measures set official_title = 'Shall [object Object] be?'`,
  ),
  violation(
    'a name in the wrong encoding',
    'mangled-names',
    `update persons set name = 'Ada \u00C3\u0081lvarez', last_name = null where id = 1`,
  ),
  violation('a name with a lost character', 'mangled-names', `update districts set name = 'Ke\uFFFDt' where id = 41`),
  violation('an office with HTML', 'mangled-names', `update offices set name = 'Parks <br> Roads' where id = 4`),
  violation(
    'a capital after an apostrophe',
    'mangled-names',
    `update offices set name = 'People''S Council' where id = 4`,
  ),
  violation(
    'a total as a person',
    'names-of-no-person',
    `update persons set name = 'Total Votes Cast', last_name = null where id = 6`,
  ),
  violation(
    'overvotes as a person',
    'names-of-no-person',
    `update persons set name = 'Over Votes', last_name = null where id = 6`,
  ),
  violation(
    'blank ballots as a person',
    'names-of-no-person',
    `update persons set name = 'Paper Ballots Cast-Blank' where id = 6`,
  ),
  violation(
    'a long GEOID of two districts of different types',
    'duplicate-districts',
    `insert into districts (id, type, name, state, geo_id) values (99, 'City-town', 'Kent', 'RI', '0500000US44003')`,
  ),
  violation(
    'an OCD id of two districts',
    'duplicate-districts',
    `alter table districts drop constraint districts_ocdid_key;
    insert into districts (id, type, name, state, ocdid) values (99, 'County', 'Kent', 'RI', '${RI}/county:kent')`,
  ),
  violation(
    'an identifier of two persons',
    'duplicate-identifiers',
    `alter table external_identifiers drop constraint external_identifiers_pkey;
    insert into external_identifiers (kind, scheme, value, record_id) values ('person', 'fec', 'H1', 2)`,
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
  violation(
    'a winner without votes',
    'winners-without-votes',
    `update candidates set votes_for_cand = null where id = 1`,
  ),
  violation(
    'a winner with no votes at all',
    'winners-without-votes outcome-against-votes',
    `update candidates set votes_for_cand = 0 where id = 1`,
  ),
  violation(
    'negative votes',
    'impossible-counts',
    `alter table candidates drop constraint candidates_votes_for_cand_check; update candidates set votes_for_cand = -50 where id = 4`,
  ),
  violation(
    'negative votes in a round',
    'impossible-counts',
    `alter table ranked_choice_rounds drop constraint ranked_choice_rounds_votes_for_check;
    update ranked_choice_rounds set votes_for = -20 where round = 2; update candidates set votes_for_cand = 20 where id = 5`,
  ),
  violation(
    'negative votes for a measure',
    'impossible-counts',
    `alter table ballot_measures drop constraint ballot_measures_no_votes_total_check; update ballot_measures set no_votes_total = -1`,
  ),
  violation(
    'a race without a seat',
    'impossible-counts',
    `alter table races drop constraint races_number_of_seats_check; update races set number_of_seats = 0 where id = 4`,
  ),
  violation(
    'percentages as votes',
    'percentages-as-votes',
    `update candidates set votes_for_cand = votes_for_cand / 100 where race_id = 1`,
  ),
  violation(
    'percentages of a measure',
    'percentages-as-votes',
    `update ballot_measures set yes_votes_total = 60, no_votes_total = 40`,
  ),
  violation(
    'a race beyond the district of its election',
    'ballots-beyond-their-election',
    `update elections set district_id = 42 where id = 1`,
  ),
  violation(
    'a person who wins in two districts',
    'wins-in-two-districts',
    `insert into offices (id, district_id, name, level, branch, chamber) values (9, 12, 'U.S. Representative', 'Federal', 'Legislative', 'Lower');
    insert into races (id, election_id, office_id, year, type, stage_type, number_of_seats) values (9, 1, 9, 2022, 'Regular', 'General', 1);
    insert into candidates (id, race_id, person_id, cand_status, votes_for_cand) values (99, 9, 3, 'Won', 5)`,
  ),
  violation(
    'governors who overlap by a day',
    'overlapping-terms',
    `update officeholders set end_date = '2023-01-04' where id = 1`,
  ),
  violation(
    'two current holders of a seat for one',
    'overlapping-terms',
    `insert into offices (id, district_id, name, level, branch, chamber, one_holder)
      values (9, 31, 'State Representative', 'State', 'Legislative', 'Lower', true);
    insert into officeholders (id, office_id, person_id, status) values (8, 9, 4, 'Current'), (9, 9, 5, 'Current')`,
  ),
  violation(
    'more current holders than seats in the race',
    'overlapping-terms',
    `insert into officeholders (id, office_id, person_id, status) values (9, 4, 6, 'Current')`,
  ),
  violation(
    'a person with seats in two districts',
    'terms-in-two-districts',
    `insert into offices (id, district_id, name, level, branch, chamber) values
      (8, 31, 'State Representative', 'State', 'Legislative', 'Lower'), (9, 32, 'State Representative', 'State', 'Legislative', 'Lower');
    insert into officeholders (id, office_id, person_id, status, start_date) values
      (8, 8, 6, 'Current', '2021-01-05'), (9, 9, 6, 'Current', '2023-01-03')`,
  ),
  violation(
    'a term that ends before it begins',
    'dates-of-terms',
    `alter table officeholders drop constraint officeholders_check; update officeholders set end_date = '2014-01-01' where id = 1`,
  ),
  violation(
    'a current holder who has not begun',
    'dates-of-terms',
    `update officeholders set start_date = '2025-01-03', end_date = '2027-01-05' where id = 2`,
  ),
  violation(
    'a winner who is not joined with the holder',
    'winners-apart-from-holders',
    `insert into persons (id, name, first_name, last_name) values (9, 'Benjamin Q. Baker', 'Benjamin', 'Baker');
    update candidates set person_id = 9 where id in (1, 9)`,
  ),
  violation(
    'two boundaries of a district at a time',
    'periods-of-boundaries',
    `alter table boundaries drop constraint one_boundary_in_effect;
    insert into boundaries (district_id, start_date, precise, geometry, digest)
    select 51, '2020-01-01', precise, geometry, 'again' from boundaries where district_id = 51;
    insert into boundary_pieces select id, ST_GeometryN(geometry, 1) from boundaries where digest = 'again'`,
  ),
  violation(
    'longitude and latitude exchanged',
    'boundaries-outside-the-country districts-outside-their-state',
    `update boundaries set geometry = ST_FlipCoordinates(geometry) where district_id = 51;
    update boundary_pieces as p set geometry = ST_GeometryN(b.geometry, 1)
    from boundaries as b where b.id = p.boundary_id and b.district_id = 51`,
  ),
  violation(
    'a district whose boundary ends while the map goes on',
    'missing-districts gaps-in-maps',
    `update boundaries set end_date = '2020-01-01' where district_id = 33`,
  ),
];
