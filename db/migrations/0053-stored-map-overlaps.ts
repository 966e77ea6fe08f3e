import { type Kysely, sql } from 'kysely';

/**
 * Stores what two maps have in common, once for each pair of maps. An import stores the pairs of the types and states of
 * which it has boundaries, at its end. A stored comparison is used only for the very boundaries that it was made of: one of other
 * boundaries is computed when it is requested, as on a standby, and a trigger deletes those of a boundary whose pieces
 * are written. So that it can never be out of date, whoever writes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table compared_maps (
      id integer generated always as identity primary key,
      type district_type not null,
      state text,
      first_day date not null,
      old_ids integer[] not null,
      new_ids integer[] not null,
      unique nulls not distinct (type, state, first_day)
    );
    comment on table compared_maps is 'The pairs of maps of which compared_map_parts has what they have in common.';
    comment on column compared_maps.first_day is 'The first day of the newer map.';
    comment on column compared_maps.old_ids is 'The sorted ids of the boundaries of the map of the day before.';
    comment on column compared_maps.new_ids is 'The sorted ids of the boundaries of the map of the day.';

    create table compared_map_parts (
      map_id integer not null references compared_maps on delete cascade,
      old_id integer,
      new_id integer,
      area float8 not null,
      perimeter float8,
      unique nulls not distinct (map_id, old_id, new_id)
    );
    comment on table compared_map_parts is 'The rows of map_overlaps for two compared maps, by the ids of the boundaries.';

    create function compared_map(on_day date, of_type district_type, of_state text) returns integer
      language sql stable parallel safe as $$
      select id from compared_maps
      where type = of_type and state is not distinct from of_state and first_day = on_day
        and old_ids = array(select b.id from map_on(on_day - 1, of_type, of_state) b order by b.id)
        and new_ids = array(select b.id from map_on(on_day, of_type, of_state) b order by b.id)
    $$;
    comment on function compared_map is
      'The id of the stored comparison of the map of a type and state that begins on a day with that of the day before; null if there is none of these boundaries.';

    alter function map_overlaps(date, district_type, text, integer, integer) rename to computed_map_overlaps;

    create function map_overlaps(on_day date, of_type district_type, of_state text,
        only_old integer default null, only_new integer default null)
      returns table (old_district integer, old_boundary integer, new_district integer, new_boundary integer,
        area float8, perimeter float8, precise boolean)
      language plpgsql stable parallel safe as $$
    declare
      stored constant integer := compared_map(on_day, of_type, of_state);
    begin
      if stored is null then
        return query select * from computed_map_overlaps(on_day, of_type, of_state, only_old, only_new);
        return;
      end if;
      return query
        with part as materialized (
          select old.district_id as old_district, p.old_id, new.district_id as new_district, p.new_id, p.area, p.perimeter,
            coalesce(old.precise, true) and coalesce(new.precise, true) as precise
          from compared_map_parts p
          left join boundaries old on old.id = p.old_id
          left join boundaries new on new.id = p.new_id
          where p.map_id = stored
        )
        select part.* from part
        where only_old is null and only_new is null
          or part.old_district = only_old or part.new_district = only_new
          or part.old_district is null and part.new_id in (select x.new_id from part x where x.old_district = only_old)
          or part.new_district is null and part.old_id in (select x.old_id from part x where x.new_district = only_new);
    end $$;

    create function ballotgraph_compare_maps(changed integer[]) returns void
      language plpgsql security definer set search_path from current set jit to off as $$
    declare
      map record;
    begin
      for map in
        with layers as (
          select distinct d.type, coalesce(d.state, '') as state from districts d where d.id = any(changed)
        ), begun as (
          select d.type, d.state, b.start_date, min(b.start_date) over (partition by d.type, d.state) as first_map
          from districts d join boundaries b on b.district_id = d.id
          where (d.type, coalesce(d.state, '')) in (select layers.type, layers.state from layers)
        ), days as materialized (
          select distinct type, state, start_date as day from begun where start_date > first_map
        )
        select days.*, array(select b.id from map_on(day - 1, type, state) b order by b.id) as old_ids,
          array(select b.id from map_on(day, type, state) b order by b.id) as new_ids
        from days where compared_map(day, type, state) is null
      loop
        delete from compared_maps
          where type = map.type and state is not distinct from map.state and first_day = map.day;
        continue when map.old_ids = '{}' or map.new_ids = '{}' or map.old_ids = map.new_ids;
        with computed as materialized (
          select * from computed_map_overlaps(map.day, map.type, map.state)
        ), made as (
          insert into compared_maps (type, state, first_day, old_ids, new_ids)
          values (map.type, map.state, map.day, map.old_ids, map.new_ids) returning id
        )
        insert into compared_map_parts
          select made.id, computed.old_boundary, computed.new_boundary, computed.area, computed.perimeter from computed, made;
      end loop;
    end $$;
    comment on function ballotgraph_compare_maps is
      'Stores the comparisons of all maps of the types and states of districts that are not stored yet.';

    create function delete_comparisons_of_pieces() returns trigger
      language plpgsql security definer set search_path from current as $$
    declare
      written integer[] := array(select distinct boundary_id from written_pieces);
    begin
      delete from compared_maps where old_ids && written or new_ids && written;
      return null;
    end $$;
    create trigger delete_comparisons_of_inserted after insert on boundary_pieces
      referencing new table as written_pieces for each statement execute function delete_comparisons_of_pieces();
    create trigger delete_comparisons_of_updated after update on boundary_pieces
      referencing new table as written_pieces for each statement execute function delete_comparisons_of_pieces();
    create trigger delete_comparisons_of_deleted after delete on boundary_pieces
      referencing old table as written_pieces for each statement execute function delete_comparisons_of_pieces();

    select ballotgraph_compare_maps(array(select id from districts));
    analyze compared_maps, compared_map_parts;
  `.execute(db);
}
