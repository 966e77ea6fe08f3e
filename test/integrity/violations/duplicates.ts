import { PERSON, type PlantedViolation, violation } from './violation.ts';

/** Records, names and identifiers that exist twice. */
export const DUPLICATES: readonly PlantedViolation[] = [
  violation(
    'a school district without ids',
    'duplicate-districts',
    `
    insert into districts (id, type, name, state) values (99, 'School District', 'BRISTOL-WARREN', 'RI')`,
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
    'a winner who is another person than the holder',
    'duplicate-persons winners-apart-from-holders',
    `
    ${PERSON}; update candidates set person_id = 9 where id = 1`,
  ),
];
