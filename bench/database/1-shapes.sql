-- The shapes of all districts. Counties and states are real; smaller districts are cut out of them by grids, with as
-- many cells as there are districts in the country. All have about as many vertices as their real counterparts.

create function bench.areas(shape geometry) returns geometry(MultiPolygon, 4326) language sql immutable as $$
  select ST_Multi(ST_CollectionExtract(ST_MakeValid(shape), 3))
$$;

-- Returns the cells of a grid with about the given number of cells over an area.
create function bench.cells(area geometry, cells numeric)
returns table (i integer, j integer, size float8, geometry geometry) language sql immutable as $$
  with grid as (select sqrt(ST_Area(area) / cells) as size)
  select cell.i, cell.j, grid.size, bench.areas(ST_Intersection(cell.geom, area))
  from grid, ST_SquareGrid(grid.size, area) as cell
  where ST_Intersects(cell.geom, area) and ST_Area(ST_Intersection(cell.geom, area)) > grid.size * grid.size / 20
$$;

create table bench.states as
  select state, max(name) filter (where kind = 'state') as name, max(fips) filter (where kind = 'state') as fips,
    bench.areas(ST_Union(bench.areas(geometry)) filter (where kind = 'state')) as geometry,
    count(*) filter (where kind = 'county') as counties
  from bench.atlas group by state;

create table bench.shapes (
  type district_type not null, state char(2) not null, code text not null, name text not null,
  start_date date not null, end_date date, vertices integer not null, geometry geometry(MultiPolygon, 4326) not null
);

insert into bench.shapes
  select 'Country'::district_type, 'US', 'us', 'United States', '1959-08-21'::date, null::date, 100000, bench.areas(ST_Union(bench.areas(geometry))) from bench.states
  union all
  select 'State', state, fips, name, '1959-08-21', null, 20000, geometry from bench.states
  union all
  select 'County', state, fips, name, '1959-08-21', null, 600, bench.areas(geometry) from bench.atlas where kind = 'county'
  union all
  select 'State Legislative (Upper)', state, 'u' || fips || '-' || i || '-' || j, name || ' Senate ' || i || '-' || j,
    '2023-01-03', null, 350, cell.geometry
  from bench.states, bench.cells(bench.states.geometry, 33) as cell
  union all
  select 'State Legislative (Lower)', state, 'l' || fips || '-' || i || '-' || j, name || ' House ' || i || '-' || j,
    '2023-01-03', null, 300, cell.geometry
  from bench.states, bench.cells(bench.states.geometry, 95) as cell
  union all
  select 'School District', state, 's' || fips || '-' || i || '-' || j, name || ' Schools ' || i || '-' || j,
    '1959-08-21', null, 200, cell.geometry
  from bench.atlas, bench.cells(bench.areas(bench.atlas.geometry), 1.4) as cell where kind = 'county'
  union all
  select 'City-town', state, 'p' || fips || '-' || place.path[1], name || ' Town ' || place.path[1],
    '1959-08-21', null, 80, ST_Multi(ST_Buffer(place.geom, 0.02 + 0.01 * place.path[1], 20))
  from bench.atlas, ST_Dump(ST_GeneratePoints(bench.areas(geometry), 6, fips::integer)) as place where kind = 'county';

-- Congress on two maps: the older one is the newer one shifted by a third of a cell.
with sizes as (
  select *, greatest(1, round(435.0 * 0.5 * counties / 3142)) as seats from bench.states
)
insert into bench.shapes
  select 'Congress'::district_type, state, 'c' || fips || '-' || i || '-' || j, name || ' Congressional ' || i || '-' || j,
    map.start_date, map.end_date, 1500, bench.areas(ST_Intersection(ST_Translate(ST_MakeEnvelope(
      ST_XMin(cell.geometry), ST_YMin(cell.geometry), ST_XMax(cell.geometry), ST_YMax(cell.geometry), 4326), map.shift * cell.size, 0), sizes.geometry))
  from sizes, bench.cells(sizes.geometry, seats) as cell,
    (values ('2013-01-03'::date, '2023-01-03'::date, 0.33), ('2023-01-03', null, 0)) as map (start_date, end_date, shift);
delete from bench.shapes where ST_IsEmpty(geometry);
