insert into districts (id, type, name, state, ocdid, geo_id)
  select row_number() over (order by type, state, code), type, name, state, 'ocd-division/bench:' || code,
    case when type in ('State', 'County') then code end
  from (select distinct type, name, state, code from bench.shapes) as d;

insert into boundaries (district_id, start_date, end_date, precise, geometry, digest)
  select d.id, s.start_date, s.end_date, true, ST_Segmentize(s.geometry, ST_Perimeter(s.geometry) / s.vertices), s.code
  from bench.shapes as s join districts as d on d.ocdid = 'ocd-division/bench:' || s.code
  order by d.id, s.start_date;

insert into boundary_pieces (boundary_id, geometry)
  select b.id, part
  from (select id, geometry from boundaries order by id) as b, ST_Dump(b.geometry) as whole, ST_Subdivide(whole.geom, 128) as part
  where ST_Dimension(part) = 2 and ST_GeometryType(part) = 'ST_Polygon' and ST_IsValid(part);

-- Addresses: half of them anywhere, half in towns; each with a neighbour about fifty metres away.
create table bench.points as
  select row_number() over () as n, ST_Y(p) as latitude, ST_X(p) as longitude,
    ST_Y(p) + 0.0005 as near_latitude, ST_X(p) + 0.0003 as near_longitude
  from (
    select (ST_Dump(ST_GeneratePoints(geometry, 500, 1))).geom as p from bench.shapes where type = 'Country'
    union all
    select ST_PointOnSurface(geometry) from
      (select geometry from bench.shapes where type = 'City-town' order by md5(code) limit 500) as town
  ) as point
  order by md5(ST_AsText(p));
