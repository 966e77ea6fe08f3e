/* District.offices */
with
  keys as (
    select
      *
    from
      unnest($1::int[]) with ordinality as keys (key, ordinal)
  )
select
  keys.ordinal::int,
  concat(
    '[',
    (
      select
        string_agg(item, ',')
      from
        (
          select
            concat(
              '{"name":',
              coalesce(to_json(r1.name)::text, missing ('Office.name')),
              ',"officeholders":[',
              (
                select
                  string_agg(item, ',')
                from
                  (
                    select
                      concat(
                        '{"person":',
                        coalesce(
                          (
                            select
                              concat('{"name":', coalesce(to_json(r3.name)::text, missing ('Person.name')), '}')
                            from
                              persons r3
                            where
                              r3.id = r2.person_id
                          ),
                          'null'
                        ),
                        '}'
                      ) as item
                    from
                      (
                        select
                          holder.id,
                          holder.office_id,
                          holder.person_id,
                          holder.start_date,
                          holder.end_date,
                          holder.partisan_affiliation,
                          case
                            when $2::date = $3::date then holder.status
                            else (
                              select
                                known.status
                              from
                                officeholders_with_status ($3::date) known
                              where
                                known.id = holder.id
                            )
                          end as status
                        from
                          officeholders_in_office ($2::date) holder
                      ) r2
                    where
                      r2.office_id = r1.id
                    order by
                      r2.start_date nulls first,
                      r2.id
                  ) listed
              ),
              ']}'
            ) as item
          from
            offices r1
          where
            r1.district_id = keys.key
          order by
            r1.ballot_rank,
            r1.name,
            r1.seat nulls first,
            r1.id
        ) listed
    ),
    ']'
  ) as json
from
  keys;

/* districts.boundaryGeometries */
select
  requested.index::int,
  ST_AsGeoJSON (
    case
      when requested.tolerance > 0 then ST_SimplifyPreserveTopology (b.geometry, requested.tolerance)
      else b.geometry
    end,
    7
  ) as geometry
from
  unnest($1::int[], $2::float8[]) with ordinality as requested (id, tolerance, index)
  join boundaries b on b.id = requested.id;

/* districts.boundaryOfDistrict */
select
  keys.ordinal::int - 1 as ordinal,
  r.*
from
  unnest($1::int[]) with ordinality as keys (id, ordinal)
  cross join lateral (
    select
      r.*
    from
      (
        select
          id,
          district_id,
          start_date,
          end_date,
          precise
        from
          boundaries_in_effect ($2::date)
      ) r
    where
      r.district_id = keys.id
    limit
      1
  ) r;

/* districts.districtsOfPoint */
select
  keys.ordinal::int - 1 as ordinal,
  r.*
from
  unnest($1::float8[], $2::float8[]) with ordinality as keys (longitude, latitude, ordinal)
  cross join lateral (
    select
      r.*
    from
      (
        select
          d.*,
          b.id as boundary_id,
          b.start_date,
          b.end_date,
          b.precise
        from
          (
            select distinct
              piece.boundary_id
            from
              (
                values
                  (keys.longitude),
                  (
                    case
                      when abs(keys.longitude) = 180 then - keys.longitude
                    end
                  )
              ) twin (longitude)
              join boundary_pieces piece on ST_DWithin (piece.geometry, ST_SetSRID (ST_MakePoint (twin.longitude, keys.latitude), 4326), 1e-9)
              and (
                not ST_DWithin (ST_Boundary (piece.geometry), ST_SetSRID (ST_MakePoint (twin.longitude, keys.latitude), 4326), 1e-9)
                or exists (
                  select
                  from
                    boundaries whole
                  where
                    whole.id = piece.boundary_id
                    and ST_Covers (whole.geometry, ST_SetSRID (ST_MakePoint (twin.longitude, keys.latitude), 4326))
                )
              )
          ) covering
          join boundaries_in_effect ($3::date) b on b.id = covering.boundary_id
          join districts d on d.id = b.district_id
          and (
            $4::district_type[] is null
            or d.type = any ($4::district_type[])
          )
      ) r
    order by
      r.type,
      r.name,
      r.id,
      r.boundary_id
  ) r;

/* districts.verticesOfBoundaries */
select
  id,
  ST_NPoints (geometry) as vertices
from
  boundaries
where
  id = any ($1::int[]);
