import { PERSON, type PlantedViolation, RI, violation } from './violation.ts';

/** Records, names and identifiers that exist twice. */
export const DUPLICATES: readonly PlantedViolation[] = [
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
    insert into candidates (id, race_id, person_id) values (99, 1, 7)`,
  ),
  violation(
    'a measure twice',
    'duplicate-measures',
    `
    insert into ballot_measures (id, election_id, district_id, name) values (9, 1, 2, 'QUESTION 1')`,
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
];
