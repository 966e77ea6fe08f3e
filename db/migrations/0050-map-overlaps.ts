import { type Kysely, sql } from 'kysely';

/**
 * Creates the functions that compare two maps. The overlaps are computed when they are requested: for 53 congressional
 * districts of California 0.7 s, for 280 school districts of Vermont 1.2 s on PostgreSQL; for one district a tenth of
 * that or less. Only pieces whose bounding boxes overlap, which an index finds, are intersected.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function map_on(on_day date, of_type district_type, of_state text) returns setof boundaries
      language sql stable parallel safe as $$
      select b.* from boundaries_in_effect(on_day) b join districts d on d.id = b.district_id
      where d.type = of_type and d.state is not distinct from of_state
        and (b.end_date is distinct from on_day or b.start_date = on_day or not exists (
          select from boundaries next join districts other on other.id = next.district_id
          where next.start_date = on_day and other.type = of_type and other.state is not distinct from of_state))
    $$;
    comment on function map_on is
      'The boundaries of all districts of a type and state on a day, as one map: a boundary whose last day is the first day of another boundary of the map is not part of it, though its district, which has no newer one, has it on that day too.';

    create function map_overlaps(on_day date, of_type district_type, of_state text,
        only_old integer default null, only_new integer default null)
      returns table (old_district integer, old_boundary integer, new_district integer, new_boundary integer,
        area float8, perimeter float8, precise boolean)
      language sql stable parallel safe set jit to off as $$
      with old as materialized (
        select b.id, b.district_id, b.precise from map_on(on_day - 1, of_type, of_state) b
        where only_old is null or b.district_id = only_old
      ), new as materialized (
        select b.id, b.district_id, b.precise from map_on(on_day, of_type, of_state) b
        where only_new is null or b.district_id = only_new
      ), kept as materialized (
        -- The whole maps: of a boundary that both have, no other one can have a part.
        select b.id from map_on(on_day - 1, of_type, of_state) b
        intersect
        select b.id from map_on(on_day, of_type, of_state) b
      ), part as materialized (
        select old.id as old_id, new.id as new_id,
          case when ST_Covers(one.geometry, two.geometry) then two.geometry
            when ST_Covers(two.geometry, one.geometry) then one.geometry
            else ST_CollectionExtract(ST_Intersection(one.geometry, two.geometry), 3) end as geometry
        from old join boundary_pieces one on one.boundary_id = old.id
        join boundary_pieces two on two.geometry && one.geometry
        join new on new.id = two.boundary_id
        where old.id not in (select id from kept) and new.id not in (select id from kept)
      ), overlap as materialized (
        select old_id, new_id, sum(ST_Area(ST_Transform(geometry, 6933))) as area,
          sum(ST_Perimeter(geometry::geography)) as perimeter
        from part group by old_id, new_id
        having sum(ST_Area(ST_Transform(geometry, 6933))) > 0
      ), wanted as (
        select id from old where only_new is null
        union select id from new where only_old is null
        union select old_id from overlap union select new_id from overlap
        union select id from old where id in (select id from new)
      ), size as materialized (
        select piece.boundary_id, sum(ST_Area(ST_Transform(piece.geometry, 6933))) as area
        from boundary_pieces piece where piece.boundary_id in (select id from wanted) group by piece.boundary_id
      )
      select old.district_id, old.id, new.district_id, new.id, overlap.area, overlap.perimeter, old.precise and new.precise
      from overlap join old on old.id = overlap.old_id join new on new.id = overlap.new_id
      union all
      select old.district_id, old.id, new.district_id, new.id, size.area, null, old.precise
      from old join new on new.id = old.id join size on size.boundary_id = old.id
      union all
      select old.district_id, old.id, null, null, size.area, null, old.precise
      from old join size on size.boundary_id = old.id
      union all
      select null, null, new.district_id, new.id, size.area, null, new.precise
      from new join size on size.boundary_id = new.id
    $$;
    comment on function map_overlaps is
      'The map of a type and state that begins on a day, compared with that of the day before: the area in square metres (equal-area projection EPSG:6933) that a district of the older map and one of the newer map have in common, with the length of its edges in metres, which is null for a boundary that both maps have; and a row with the area of each district, in which the district of the other map is null. With only_old or only_new, the overlaps of this district.';
  `.execute(db);
}
