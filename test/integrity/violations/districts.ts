import { box, type PlantedViolation, RI, redraw, violation } from './violation.ts';

/** Districts with wrong identifiers or states, and boundaries and maps with gaps or overlaps. */
export const DISTRICTS: readonly PlantedViolation[] = [
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
    'a newer map that is loaded',
    'loaded-newer-maps',
    `
    insert into newer_maps (state, type, start_date, citation)
    select 'RI', 'County', start_date, 'A county' from boundaries where district_id = 41`,
  ),
  violation(
    'outlines that differ in one direction',
    'measured-outlines',
    `
    insert into outline_differences (layer, other_layer, metres, overlap_count) values ('County', 'State', 500, 9)
    on conflict (layer, other_layer) do update set metres = excluded.metres + 1`,
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
