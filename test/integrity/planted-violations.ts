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
    'duplicate-persons',
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
  violation('a school district in the sea', 'districts-outside-their-state', redraw(51, box(-65, 35, -64, 36))),
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
];
