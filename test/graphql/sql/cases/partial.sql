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
                      officeholders r2
                    where
                      r2.office_id = r1.id
                      and (
                        r2.start_date is null
                        or r2.start_date <= $2::date
                      )
                      and (
                        r2.end_date >= $2::date
                        or (
                          r2.end_date is null
                          and r2.status <> 'Former'
                        )
                      )
                      and (
                        r2.end_date is distinct from $2::date
                        or not exists (
                          select
                          from
                            officeholders successor
                          where
                            successor.office_id = r2.office_id
                            and successor.start_date = $2::date
                            and successor.id <> r2.id
                        )
                      )
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

/* districts.coveringBoundaries */
select
  covering.index,
  d.id,
  d.type,
  d.name,
  d.state,
  d.ocdid,
  d.geo_id,
  d.nces_id,
  d.url,
  b.id as boundary_id,
  b.start_date,
  b.end_date,
  b.precise,
  (
    b.end_date is not null
    and exists (
      select
      from
        boundaries next
      where
        next.district_id = b.district_id
        and next.start_date = b.end_date
        and next.id <> b.id
    )
  ) as yields
from
  (
    select distinct
      requested.index,
      piece.boundary_id
    from
      unnest($1::float8[], $2::float8[], $3::int[]) as requested (longitude, latitude, index)
      join boundary_pieces piece on ST_Covers (piece.geometry, ST_SetSRID (ST_MakePoint (requested.longitude, requested.latitude), 4326))
  ) covering
  join boundaries b on b.id = covering.boundary_id
  join districts d on d.id = b.district_id
order by
  d.type,
  d.name,
  d.id,
  b.start_date desc,
  b.id;
