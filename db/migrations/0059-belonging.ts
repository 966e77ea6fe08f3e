import { type Kysely, sql } from 'kysely';

/**
 * Says in which districts an area lies, so that outlines which were drawn differently are no facts. A district lies in the state
 * of its record and in the country as a whole, and so does a ZIP area whose file names its state. Of the other layers, a district
 * counts if it has a wider part of the area than these two layers can be wrong by; what lies outside of the land of its state is
 * water, and no share.
 *
 * How wide errors are is measured for each pair of layers: where districts of one state overlap those of another one, which
 * they cannot by their records, the mean width of the overlap is the distance between two drawings of one border (an area
 * divided by half of its edges). An overlap of a quarter of the smaller district is none of drawing. Of up to 500 others of a pair,
 * which are the same whichever of both layers has changed last, 99 of 100 are at most as wide as the stored width. On the maps of
 * `db/fourteen-states.yaml` it is 500 m for Congress districts and states, 590 m for counties and states, and 1,400 m for school
 * districts. ZIP areas without a state count by what at most a fiftieth of them has in a state. A pair without such an overlap
 * takes the sum of what both layers have with the states.
 *
 * The shares of detailed boundaries (migration 0035) spare the comparison of a state with all that is in it. Planning the
 * statements would take most of the time of a small area: functions in PL/pgSQL keep their plans for the session, and a generic
 * plan is made once. An area with states of record is not compared with the country, nor with states that are all that is
 * wanted; and what lies in a district is compared with the whole layer of that district only if it lies neither in the district
 * as a whole nor, but for the difference of outlines, outside.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table outline_differences (
      layer text not null,
      other_layer district_type not null,
      metres float8 not null,
      overlap_count integer not null,
      primary key (layer, other_layer)
    );
    comment on table outline_differences is 'How far the outlines of two layers are apart where they draw the same border.';
    comment on column outline_differences.layer is 'A type of districts, or ZIP.';
    comment on column outline_differences.metres is 'The mean width that 99 of 100 overlaps of districts of different states have at most.';
    comment on column outline_differences.overlap_count is 'The number of overlaps that were measured, at most 500.';

    create function ballotgraph_measure_outlines(changed text[]) returns void
      language plpgsql security definer set search_path from current set jit to off as $$
    declare
      own_layer text;
    begin
      delete from outline_differences where layer = any(changed) or other_layer::text = any(changed);
      for own_layer in select unnest(changed) union select 'ZIP' loop
        with area as materialized (
          (select b.id, d.state, d.state is not null as is_recorded
            from boundaries b join districts d on d.id = b.district_id
            where d.type::text = own_layer and d.state <> 'US' order by hashint4(b.id), b.id limit 2000)
          union all
          (select a.id, substring(a.part from '^[A-Z]{2}'), a.part ~ '^[A-Z]{2}'
            from zip_areas a where own_layer = 'ZIP' order by hashint4(a.id), a.id limit 2000)
        ), piece as materialized (
          select area.id, area.state, area.is_recorded, p.geometry from area
          join boundary_pieces p on p.boundary_id = area.id where own_layer <> 'ZIP'
          union all
          select area.id, area.state, area.is_recorded, p.geometry from area
          join zip_area_pieces p on p.zip_area_id = area.id where own_layer = 'ZIP'
        ), pair as materialized (
          select piece.id, piece.is_recorded, d.type, q.boundary_id, piece.geometry as one, q.geometry as two,
            dense_rank() over (partition by d.type order by hashint4(piece.id # q.boundary_id), least(piece.id, q.boundary_id), greatest(piece.id, q.boundary_id)) as place
          from piece
          cross join lateral (
            select boundary_id, geometry from boundary_pieces where boundary_pieces.geometry && piece.geometry offset 0
          ) q
          join boundaries b on b.id = q.boundary_id
          join districts d on d.id = b.district_id
          where d.type <> 'Country' and (own_layer <> 'ZIP' or changed && array['ZIP', d.type::text])
            and (d.state <> piece.state or not piece.is_recorded and d.type = 'State')
        ), part as materialized (
          select id, is_recorded, type, boundary_id,
            ST_CollectionExtract(ST_Intersection(one, two, 1e-9), 3) as geometry
          from pair where place <= 500
        ), overlap as materialized (
          select id, is_recorded, type, boundary_id, sum(ST_Area(ST_Transform(geometry, 6933))) as area,
            sum(ST_Perimeter(geometry::geography)) as perimeter
          from part group by id, is_recorded, type, boundary_id
          having sum(ST_Area(ST_Transform(geometry, 6933))) > 0
        ), size as materialized (
          select id, sum(ST_Area(ST_Transform(geometry, 6933))) as area
          from piece where id in (select id from overlap) group by id
        ), other_size as materialized (
          select boundary_id, sum(ST_Area(ST_Transform(geometry, 6933))) as area
          from boundary_pieces where boundary_id in (select boundary_id from overlap) group by boundary_id
        ), measured as (
          select type, count(*)::int as overlap_count,
            round((percentile_cont(0.99) within group (order by 2 * overlap.area / overlap.perimeter))::numeric, 3)::float8 as metres
          from overlap join size using (id) join other_size using (boundary_id)
          where overlap.area < least(size.area, other_size.area) * case when is_recorded then 0.25 else 0.02 end
          group by type
        ), both_ways (layer, other_layer, metres, overlap_count) as (
          select own_layer, type, metres, overlap_count from measured
          union
          select type::text, own_layer::district_type, metres, overlap_count from measured where own_layer <> 'ZIP'
        )
        insert into outline_differences select * from both_ways on conflict do nothing;
      end loop;
    end $$;
    comment on function ballotgraph_measure_outlines is
      'Measures again how far the outlines of the layers that have changed are apart from those of all others.';

    create function outline_difference(one text, other text) returns float8
      language plpgsql stable parallel safe as $$
    begin
      return coalesce(
        (select metres from outline_differences where layer = one and other_layer::text = other),
        coalesce((select metres from outline_differences where layer = one and other_layer = 'State'), 0)
          + (select metres from outline_differences where layer = other and other_layer = 'State'),
        (select metres from outline_differences where layer = one and other_layer = 'State'),
        (select min(metres) from outline_differences where other_layer = 'State' and 'State' in (one, other)),
        0);
    end $$;
    comment on function outline_difference is
      'The width in metres up to which an overlap of two layers, of which the first one may be ZIP, is a difference between their outlines.';

    create function shares_of_area(pieces geometry[], own_boundary integer, own_layer text, own_states text[],
        wanted district_type[], on_day date, only_boundary integer default null)
      returns table (district_id integer, area_share float8) language plpgsql stable parallel safe
      set jit to off set plan_cache_mode to force_generic_plan as $$
    #variable_conflict use_column
    begin
      return query
      select d.id, 1::float8 from districts d
      where own_states is not null and (wanted is null or d.type = any(wanted))
        and (d.type = 'Country' or d.type = 'State' and d.state = any(own_states) and cardinality(own_states) = 1)
        and exists (select from boundaries_in_effect(on_day) b where b.district_id = d.id);
      if cardinality(own_states) = 1 and wanted <@ array['Country', 'State']::district_type[] then return; end if;

      return query
      with own as materialized (
        select unnest(pieces) as geometry
      ), size as materialized (
        select coalesce(sum(ST_Area(ST_Transform(own.geometry, 6933))), max(detailed.area)) as area
        from (select 1) as one
        left join own on true
        left join detailed_boundaries detailed on detailed.boundary_id = own_boundary and pieces = '{}'
      ), part as materialized (
        select d.id, d.type, b.id as boundary_id, case when ST_Covers(q.geometry, own.geometry) then own.geometry
          else ST_CollectionExtract(ST_Intersection(q.geometry, own.geometry, 1e-9), 3) end as geometry
        from own
        cross join lateral (
          select p.boundary_id, p.geometry from boundary_pieces p where p.geometry && own.geometry offset 0
        ) q
        cross join lateral (select b.* from boundaries_in_effect(on_day) b where b.id = q.boundary_id offset 0) b
        join districts d on d.id = b.district_id
        where (wanted is null or d.type = any(wanted) or own_layer is not null and d.type in ('Country', 'State'))
          and (own_states is null or d.type <> 'Country' and (d.state is null or d.state = any(own_states) or d.state = 'US'))
          and (only_boundary is null or b.id = only_boundary or d.type in ('Country', 'State'))
          -- Districts of these layers do not overlap, so that one of them lies in itself alone.
          and (d.type::text is distinct from own_layer or own_layer not in ('State', 'Congress', 'County'))
          and b.id is distinct from own_boundary
      ), overlap as materialized (
        select id, type, boundary_id, sum(ST_Area(ST_Transform(geometry, 6933))) as area, sum(ST_Area(geometry)) as degrees
        from part group by id, type, boundary_id
        union all
        select d.id, d.type, b.id, stored.share * size.area, null
        from size
        join boundary_shares stored on stored.inner_id = own_boundary and pieces = '{}'
        join boundaries_in_effect(on_day) b on b.id = stored.outer_id
        join districts d on d.id = b.district_id
        where (wanted is null or d.type = any(wanted) or d.type in ('Country', 'State'))
          and (own_states is null or d.state is null or d.state = any(own_states) or d.state = 'US')
          and (d.type::text <> own_layer or own_layer not in ('State', 'Congress', 'County'))
        union all
        select d.id, d.type, b.id, size.area, null
        from size
        join boundaries b on b.id = own_boundary
        join districts d on d.id = b.district_id
      ), drawn as (
        select sum(area) filter (where type = 'Country') as country, sum(area) filter (where type = 'State') as states from overlap
      ), land as materialized (
        select case when own_layer is null or own_layer = 'Country' then size.area else least(size.area, coalesce(
          case when own_states is not null then drawn.states
            when drawn.country is not null then greatest(drawn.country, drawn.states) end, size.area)) end as area
        from size, drawn
      ), layer as materialized (
        select type, sum(area) as covered, case when own_layer is null then 0
          else outline_difference(own_layer, case type when 'Country' then 'State' else type::text end) end as metres
        from overlap group by type
      ), counted as materialized (
        select overlap.id, overlap.type, overlap.area, layer.metres, layer.covered,
          sum(overlap.area) over (partition by overlap.type) as total
        from overlap join layer using (type) cross join size
        where overlap.area > 0
          and case when overlap.degrees is null or layer.metres = 0 or overlap.type = 'State' and own_states is not null
              or overlap.area >= size.area * 0.25 then true
            when overlap.degrees >= 0.25 * (select ST_Area(b.geometry) from boundaries b where b.id = overlap.boundary_id) then true
            else 2 * overlap.area > layer.metres * 1.000001 * (
              select sum(ST_Perimeter(part.geometry::geography)) from part where part.boundary_id = overlap.boundary_id) end
      ), share as (
        select counted.id, counted.type, counted.area / case
            -- What an overlap has that does not count is no gap. No outline is shorter than the circle of its area; its own
            -- length is computed where that is not enough.
            when land.area - covered <= land.area * case when metres = 0 then 0 when counted.type in ('Country', 'State',
                'Congress', 'State Legislative (Upper)', 'State Legislative (Lower)', 'County', 'County subdivision')
                then 0.25 else 0.02 end and (land.area - covered <= metres * sqrt(pi() * land.area)
                or land.area - covered <= metres / 2 * coalesce(
                  (select sum(ST_Perimeter(own.geometry::geography)) from own),
                  (select ST_Perimeter(b.geometry::geography) from boundaries b where b.id = own_boundary)))
              then least(total, size.area)
            else least(size.area, greatest(land.area, total)) end as share
        from counted cross join size cross join land
        where not (own_states is not null and (counted.type = 'Country' or counted.type = 'State' and cardinality(own_states) = 1))
      )
      select id, round(least(share, 1)::numeric, 6)::float8 from share
      where (wanted is null or type = any(wanted)) and share >= 0.001;
    end $$;
    comment on function shares_of_area is
      'The districts in which an area lies by the boundaries in effect on a day, with its shares from 0.001. The layer is a type of districts or ZIP, null for an area that is drawn: then each overlap counts. With only_boundary, the shares of other layers than the country and the states are those of this boundary alone. The states are those of its record; null if it has none.';

    create function shares_of_boundary(own_boundary integer, wanted district_type[], on_day date,
        only_boundary integer default null)
      returns table (district_id integer, area_share float8) language sql stable parallel safe as $$
      select s.* from boundaries b
      join districts d on d.id = b.district_id
      cross join lateral shares_of_area(
        case when b.id in (select boundary_id from detailed_boundaries) then '{}'
          else array(select p.geometry from boundary_pieces p where p.boundary_id = b.id) end,
        b.id, d.type::text, case when d.state <> 'US' then array[d.state::text] end, wanted, on_day, only_boundary) s
      where b.id = own_boundary
    $$;
    comment on function shares_of_boundary is 'The districts in which the district of a boundary lies, with its shares.';

    create function shares_of_zip(zip text, wanted district_type[], on_day date)
      returns table (district_id integer, area_share float8) language sql stable parallel safe as $$
      select s.* from shares_of_area(
        array(select p.geometry from zip_areas a join zip_area_pieces p on p.zip_area_id = a.id where a.code = zip),
        null, 'ZIP',
        (select array_agg(distinct d.state::text) from zip_areas a
          left join districts d on d.type = 'State' and d.state = substring(a.part from '^[A-Z]{2}')
          where a.code = zip having bool_and(d.id is not null)),
        wanted, on_day) s
    $$;
    comment on function shares_of_zip is 'The districts in which the area of a ZIP code lies, with its shares.';

    create function shares_within(own_boundary integer, wanted district_type[], on_day date, minimum float8)
      returns table (district_id integer, area_share float8) language plpgsql stable parallel safe
      set jit to off set plan_cache_mode to force_generic_plan as $$
    #variable_conflict use_column
    declare
      own record;
    begin
      select d.id, d.type, d.state, d.type in ('Country', 'State') and d.state is not null as has_records,
        exists (select from detailed_boundaries where boundary_id = own_boundary) as is_detailed
      into strict own from boundaries b join districts d on d.id = b.district_id where b.id = own_boundary;

      if own.has_records then
        return query
        select d.id, 1::float8 from districts d
        where d.id <> own.id and d.state is not null and (own.type = 'Country' or d.state = own.state)
          and (wanted is null or d.type = any(wanted))
          and exists (select from boundaries_in_effect(on_day) b where b.district_id = d.id);
      end if;

      return query
      with pair as materialized (
        select q.boundary_id, q.geometry as inner_piece, p.geometry as outer_piece from boundary_pieces p
        cross join lateral (
          select boundary_id, geometry from boundary_pieces where boundary_pieces.geometry && p.geometry offset 0
        ) q
        where p.boundary_id = own_boundary and not own.is_detailed
      ), candidate as materialized (
        select b.id, d.id as district_id, d.state, d.type in ('Country', 'State') as is_filled, b.id in (select boundary_id from detailed_boundaries) as is_detailed,
          outline_difference(d.type::text, case own.type when 'Country' then 'State' else own.type::text end) as metres
        from (
          select boundary_id as id from pair union select inner_id from boundary_shares where outer_id = own_boundary
        ) near
        cross join lateral (select b.* from boundaries_in_effect(on_day) b where b.id = near.id offset 0) b
        join districts d on d.id = b.district_id and d.id <> own.id
        where (wanted is null or d.type = any(wanted))
          and (d.state is null or d.state = 'US' or own.state is null or own.state = 'US' or d.state = own.state)
          and not (own.has_records and d.state is not null and (own.type = 'Country' or d.state = own.state))
          and (d.type <> own.type or d.type not in ('State', 'Congress', 'County'))
      ), part as materialized (
        select candidate.id, case when ST_Covers(outer_piece, inner_piece) then inner_piece
          else ST_CollectionExtract(ST_Intersection(outer_piece, inner_piece, 1e-9), 3) end as geometry
        from candidate join pair on pair.boundary_id = candidate.id
        where not is_detailed
      ), overlap as materialized (
        select part.id, sum(ST_Area(ST_Transform(geometry, 6933))) as area, sum(ST_Area(geometry)) as degrees,
          (select sum(ST_Area(ST_Transform(p.geometry, 6933))) from boundary_pieces p where p.boundary_id = part.id) as size
        from part group by part.id having sum(ST_Area(geometry)) > 0
      ), compared as materialized (
        select candidate.*, overlap.area, overlap.size, overlap.area >= overlap.size * (1 - 1e-9) as is_whole
        from candidate left join overlap using (id)
        -- As in shares_of_area: what is no wider than the difference of outlines does not count.
        where candidate.is_detailed or own.is_detailed or case
          when metres = 0 or own.type = 'State' or area >= size * 0.25 then area > 0
          when degrees >= 0.25 * (select ST_Area(b.geometry) from boundaries b where b.id = own_boundary) then true
          else 2 * area > metres * 1.000001 * (
            select sum(ST_Perimeter(part.geometry::geography)) from part where part.id = overlap.id) end
      ), split as materialized (
        select compared.*
        from compared
        cross join lateral (
          -- A share is at most the part of what counts of the whole layer, so that some large overlaps show that it is too small.
          select coalesce(sum(other.area), 0) as others from (
            select sum(ST_Area(ST_Transform(large.geometry, 6933))) as area from (
              select near.boundary_id, ST_CollectionExtract(ST_Intersection(near.one, near.two, 1e-9), 3) as geometry
              from (
                select q.boundary_id, p.geometry as one, q.geometry as two
                from (
                  select geometry from boundary_pieces where boundary_id = compared.id order by ST_Area(geometry) desc limit 2
                ) p
                cross join lateral (
                  select boundary_id, geometry from boundary_pieces where boundary_pieces.geometry && p.geometry offset 0
                ) q
                cross join lateral (select b.* from boundaries_in_effect(on_day) b where b.id = q.boundary_id offset 0) b
                join districts d on d.id = b.district_id
                where q.boundary_id <> own_boundary and d.type = own.type
                  and (d.state is null or d.state = 'US' or compared.state is null or compared.state = 'US' or d.state = compared.state)
                order by ST_Area(ST_Intersection(ST_Envelope(p.geometry), ST_Envelope(q.geometry))) desc limit 8
              ) near
            ) large
            group by large.boundary_id
            having sum(ST_Area(large.geometry)) >= 0.25 * (
              select ST_Area(b.geometry) from boundaries b where b.id = large.boundary_id)
          ) other
          where not is_filled and compared.area < minimum * compared.size
        ) others
        where is_whole is not true and case
          -- The country and a state are filled by their districts: at least half of them counts.
          when is_filled then coalesce(area / size, (
            select share from boundary_shares where outer_id = own_boundary and inner_id = compared.id)) >= minimum / 2
          else area is null or area >= minimum * least(size, area + others) * (1 - 1e-9) end
      )
      select district_id, 1::float8 from compared where is_whole
      union all
      select split.district_id, s.area_share
      from split
      cross join lateral shares_of_boundary(split.id, array[own.type], on_day, case when metres = 0 then own_boundary end) s
      where s.district_id = own.id;
    end $$;
    comment on function shares_within(integer, district_type[], date, float8) is
      'The districts that lie in the district of a boundary, each with its own share: those with this share at least, and possibly others.';

    create function shares_within(own_boundary integer, wanted district_type[], on_day date)
      returns table (district_id integer, area_share float8) language sql stable parallel safe as $$
      select * from shares_within(own_boundary, wanted, on_day, 0)
    $$;
    comment on function shares_within(integer, district_type[], date) is 'The districts that lie in the district of a boundary, each with its own share.';

    create function work_of_shares(own_boundary integer, minimum float8) returns integer language sql stable parallel safe as $$
      with own as materialized (
        select b.id, d.type, b.id in (select boundary_id from detailed_boundaries) as is_detailed
        from boundaries b join districts d on d.id = b.district_id where b.id = own_boundary
      ), pair as materialized (
        select other.boundary_id, own.type
        from own
        join boundary_pieces piece on piece.boundary_id = own.id
        join boundary_pieces other on other.geometry && piece.geometry and other.boundary_id <> own.id
        where not own.is_detailed
      )
      select ((select count(*) from pair) + (
          select count(*)
          from (select distinct boundary_id, type from pair) near
          join boundary_pieces piece on piece.boundary_id = near.boundary_id
          join boundary_pieces other on other.geometry && piece.geometry
          join boundaries b on b.id = other.boundary_id
          join districts d on d.id = b.district_id and d.type = near.type
          where near.type not in ('Country', 'State') and near.boundary_id not in (select boundary_id from detailed_boundaries)
            and minimum < 0.5
        ) + (
          select count(*) from boundary_shares where outer_id in (select id from own where is_detailed)
        ) / 3)::integer
    $$;
    comment on function work_of_shares is
      'How much work it is to compare the district of a boundary with others, in records that take as long: one for each pair of pieces that have to be intersected (about 0.1 ms), which the index finds in a hundredth of the time; a third for a stored share. With a lower minimum share than half, what overlaps a district is compared with the whole layer of that district.';

    create function states_of_zip_areas() returns table (state text) language sql stable parallel safe as $$
      with area as materialized (
        select distinct on (left(code, 3), part) part, ST_PointOnSurface(geometry) as point
        from zip_areas order by left(code, 3), part, code
      )
      select distinct coalesce(substring(part from '^[A-Z]{2}'), (
        select d.state::text from boundary_pieces p
        join boundaries b on b.id = p.boundary_id join districts d on d.id = b.district_id
        where d.type = 'State' and ST_Covers(p.geometry, area.point) limit 1)) from area
    $$;
    comment on function states_of_zip_areas is 'The states of which ZIP areas are loaded: of one area for each beginning of three digits.';

    create function measure_outlines_of_pieces() returns trigger
      language plpgsql security definer set search_path from current as $$
    begin
      perform ballotgraph_measure_outlines(array(select distinct d.type::text from written_pieces p
        join boundaries b on b.id = p.boundary_id join districts d on d.id = b.district_id));
      return null;
    end $$;
    create trigger measure_outlines_of_inserted after insert on boundary_pieces
      referencing new table as written_pieces for each statement
      when (coalesce(current_setting('ballotgraph.boundary_shares', true), '') <> 'later')
      execute function measure_outlines_of_pieces();

    select ballotgraph_measure_outlines(array(select distinct type::text from districts) || 'ZIP'::text);
    analyze outline_differences;
  `.execute(db);
}
