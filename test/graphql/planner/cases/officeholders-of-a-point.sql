/* Location.districts */
with
  keys as (
    select
      *
    from
      unnest($1::float8[], $2::float8[]) with ordinality as keys (longitude, latitude, ordinal)
  ),
  found_r1 as materialized (
    select
      ordinal,
      r1.*
    from
      keys,
      lateral (
        select
          r1.*
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
          ) r1
      ) r1
  ),
  serialized_r1 as materialized (
    select
      r1.boundary_id,
      concat(
        '{"type":',
        coalesce(
          case r1.type
            when 'City-town' then '"CITY_TOWN"'
            when 'City-town subdivision' then '"CITY_TOWN_SUBDIVISION"'
            when 'Congress' then '"CONGRESS"'
            when 'Country' then '"COUNTRY"'
            when 'County' then '"COUNTY"'
            when 'County subdivision' then '"COUNTY_SUBDIVISION"'
            when 'Judicial District' then '"JUDICIAL_DISTRICT"'
            when 'Judicial district subdivision' then '"JUDICIAL_DISTRICT_SUBDIVISION"'
            when 'School District' then '"SCHOOL_DISTRICT"'
            when 'School district subdivision' then '"SCHOOL_DISTRICT_SUBDIVISION"'
            when 'Special District' then '"SPECIAL_DISTRICT"'
            when 'Special district subdivision' then '"SPECIAL_DISTRICT_SUBDIVISION"'
            when 'State' then '"STATE"'
            when 'State Legislative (Lower)' then '"STATE_LEGISLATIVE_LOWER"'
            when 'State Legislative (Upper)' then '"STATE_LEGISLATIVE_UPPER"'
            when 'State subdivision' then '"STATE_SUBDIVISION"'
          end,
          missing ('District.type')
        ),
        ',"name":',
        coalesce(to_json(r1.name)::text, missing ('District.name')),
        ',"offices":[',
        (
          select
            string_agg(item, ',')
          from
            (
              select
                concat(
                  '{"name":',
                  coalesce(to_json(r2.name)::text, missing ('Office.name')),
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
                                  concat(
                                    '{"name":',
                                    coalesce(to_json(r4.name)::text, missing ('Person.name')),
                                    ',"contacts":[',
                                    (
                                      select
                                        string_agg(item, ',')
                                      from
                                        (
                                          select
                                            concat(
                                              '{"type":',
                                              coalesce(to_json(r5.contact_type)::text, missing ('Contact.type')),
                                              ',"value":',
                                              coalesce(to_json(r5.contact)::text, missing ('Contact.value')),
                                              '}'
                                            ) as item
                                          from
                                            contacts r5
                                          where
                                            r5.person_id = r4.id
                                            and r5.collection = 'contact'
                                          order by
                                            r5.id
                                        ) listed
                                    ),
                                    ']}'
                                  )
                                from
                                  persons r4
                                where
                                  r4.id = r3.person_id
                              ),
                              'null'
                            ),
                            ',"party":',
                            coalesce(
                              (
                                select
                                  concat('{"name":', coalesce(to_json(r6.name)::text, missing ('Party.name')), '}')
                                from
                                  parties r6
                                where
                                  r6.id = r3.partisan_affiliation
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
                                when $5::date = $6::date then holder.status
                                else (
                                  select
                                    known.status
                                  from
                                    officeholders_with_status ($6::date) known
                                  where
                                    known.id = holder.id
                                )
                              end as status
                            from
                              officeholders_in_office ($5::date) holder
                          ) r3
                        where
                          r3.office_id = r2.id
                        order by
                          r3.start_date nulls first,
                          r3.id
                      ) listed
                  ),
                  ']}'
                ) as item
              from
                offices r2
              where
                r2.district_id = r1.id
              order by
                r2.ballot_rank,
                r2.name,
                r2.seat nulls first,
                r2.id
            ) listed
        ),
        ']}'
      ) as item
    from
      (
        select distinct
          on (boundary_id) *
        from
          found_r1
      ) r1
  ),
  listed_r1 as (
    select
      r1.ordinal,
      string_agg(
        serialized_r1.item,
        ','
        order by
          r1.type,
          r1.name,
          r1.id,
          r1.boundary_id
      ) as items
    from
      found_r1 r1
      join serialized_r1 using (boundary_id)
    group by
      r1.ordinal
  )
select
  keys.ordinal::int,
  concat('[', listed_r1.items, ']') as json
from
  keys
  left join listed_r1 using (ordinal);
