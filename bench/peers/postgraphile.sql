-- The schema that PostGraphile serves: the tables without those that hold geometries, and the point lookups as
-- functions. To the planner, a view of one table is that table.
drop schema if exists peer cascade;
create schema peer;
create view peer.districts as
  select b.id as boundary_id, d.id, d.type::text, d.name, d.state::text, d.ocdid, d.geo_id, d.nces_id, d.url, b.start_date, b.end_date, b.precise
  from public.boundaries b join public.districts d on d.id = b.district_id;
comment on view peer.districts is E'@primaryKey boundary_id\n@unique id';
-- The district of an office or a measure without its boundaries, so that the join to them is left out.
create view peer.office_districts as select id, type::text, name from public.districts;
comment on view peer.office_districts is '@primaryKey id';
create view peer.offices as select id, district_id, name, type, level::text, branch::text, chamber::text, is_partisan, seat, url from public.offices;
comment on view peer.offices is E'@primaryKey id\n@foreignKey (district_id) references peer.districts (id)|@fieldName withOffices\n@foreignKey (district_id) references peer.office_districts (id)|@fieldName officeDistrict';
create view peer.persons as select * from public.persons;
comment on view peer.persons is '@primaryKey id';
create view peer.officeholders as select * from public.officeholders
  where (start_date is null or start_date <= '2026-07-01') and (end_date >= '2026-07-01' or (end_date is null and status <> 'Former'));
comment on view peer.officeholders is E'@primaryKey id\n@foreignKey (office_id) references peer.offices (id)\n@foreignKey (person_id) references peer.persons (id)';
create view peer.contacts as select id, officeholder_id, person_id, contact_type, contact from public.contacts where collection = 'contact';
comment on view peer.contacts is E'@primaryKey id\n@foreignKey (officeholder_id) references peer.officeholders (id)\n@foreignKey (person_id) references peer.persons (id)';
-- Named columns: PostGraphile leaves a type out, and all that refers to it, if a column is an enum with blanks in its values.
create view peer.races as select id, election_id, office_id, year, type, stage_type, stage_party, number_of_seats, is_marquee,
  office_position, is_ranked_choice, results_certified, swearing_in_date, url from public.races;
comment on view peer.races is E'@primaryKey id\n@foreignKey (office_id) references peer.offices (id)';
-- Cast: of a bigint or a numeric, PostGraphile returns a text.
create view peer.candidates as select id, race_id, person_id, stage_party, running_mate, fec_id, is_incumbent, is_write_in,
  withdrew_still_on_ballot, cand_status, votes_for_cand::int from public.candidates;
comment on view peer.candidates is E'@primaryKey id\n@foreignKey (race_id) references peer.races (id)\n@foreignKey (person_id) references peer.persons (id)';
create view peer.parties as select * from public.parties;
comment on view peer.parties is '@primaryKey id';
create view peer.candidate_parties as select * from public.candidate_parties;
comment on view peer.candidate_parties is E'@primaryKey candidate_id,position\n@foreignKey (candidate_id) references peer.candidates (id)\n@foreignKey (party_id) references peer.parties (id)';
create view peer.rounds as select candidate_id, round, votes_for::float8, status from public.ranked_choice_rounds;
comment on view peer.rounds is E'@primaryKey candidate_id,round\n@foreignKey (candidate_id) references peer.candidates (id)';
create view peer.measures as select m.id, m.election_id, m.district_id, m.name, m.url, m.status, m.type, m.yes_vote, m.no_vote, m.official_title,
  m.yes_votes_total::int, m.no_votes_total::int, e.date as election_date from public.ballot_measures m join public.elections e on e.id = m.election_id;
comment on view peer.measures is E'@primaryKey id\n@foreignKey (district_id) references peer.office_districts (id)|@fieldName officeDistrict';

create function peer.districts_at(latitude float8, longitude float8) returns setof peer.districts language sql stable as $$
  select d.* from (
    select distinct boundary_id from public.boundary_pieces
    where public.ST_Covers(geometry, public.ST_SetSRID(public.ST_MakePoint(longitude, latitude), 4326))) c
  join peer.districts d on d.boundary_id = c.boundary_id
    and d.start_date <= '2026-07-01' and (d.end_date is null or d.end_date > '2026-07-01')
$$;
create view peer.point_districts as select 0 as n, id, name, type::text, state::text from public.districts;
comment on view peer.point_districts is '@primaryKey n,id';
create function peer.districts_at_points(latitudes float8[], longitudes float8[]) returns setof peer.point_districts language sql stable as $$
  select covering.n::int, d.id, d.name, d.type::text, d.state::text from (
    select distinct point.n, p.boundary_id from unnest(latitudes, longitudes) with ordinality as point(latitude, longitude, n)
    join public.boundary_pieces p
      on public.ST_Covers(p.geometry, public.ST_SetSRID(public.ST_MakePoint(point.longitude, point.latitude), 4326))) covering
  join public.boundaries b on b.id = covering.boundary_id
    and b.start_date <= '2026-07-01' and (b.end_date is null or b.end_date > '2026-07-01')
  join public.districts d on d.id = b.district_id
$$;

create function peer.races_at(latitude float8, longitude float8, day date) returns setof peer.races language sql stable as $$
  with covering as materialized (
    select b.id, b.district_id from (
      select distinct boundary_id from public.boundary_pieces
      where public.ST_Covers(geometry, public.ST_SetSRID(public.ST_MakePoint(longitude, latitude), 4326))) p
    join public.boundaries b on b.id = p.boundary_id
  ), here as materialized (select distinct district_id from covering)
  select r.* from here
  join public.offices o on o.district_id = here.district_id join peer.races r on r.office_id = o.id
  join public.elections e on e.id = r.election_id and e.date = day
  cross join lateral (select case when r.type = 'Special' then e.date
    else coalesce(r.swearing_in_date, make_date(least(r.year, 9998) + 1, 1, 31)) end as day) reference
  join lateral (
    select b.id from public.boundaries b where b.district_id = o.district_id and b.start_date <= reference.day
      and (b.end_date is null or reference.day <= b.end_date) order by b.start_date desc limit 1) used on true
  join covering on covering.id = used.id
  where exists (select from public.candidates c where c.race_id = r.id)
$$;
create function peer.measures_at(latitude float8, longitude float8, day date) returns setof peer.measures language sql stable as $$
  with covering as materialized (
    select b.id, b.district_id from (
      select distinct boundary_id from public.boundary_pieces
      where public.ST_Covers(geometry, public.ST_SetSRID(public.ST_MakePoint(longitude, latitude), 4326))) p
    join public.boundaries b on b.id = p.boundary_id
  ), here as materialized (select distinct district_id from covering)
  select m.* from here join peer.measures m on m.district_id = here.district_id and m.election_date = day
  join lateral (
    select b.id from public.boundaries b where b.district_id = m.district_id and b.start_date <= day
      and (b.end_date is null or day <= b.end_date) order by b.start_date desc limit 1) used on true
  join covering on covering.id = used.id
$$;

-- The first page of the districts with contests. Those of the state with a race are looked for in their order until there
-- are 30: `offset 0` keeps PostgreSQL from joining all offices and races first.
create function peer.page_of_state(wanted text, day date) returns table (id integer) language sql stable as $$
  select id from (
    (select d.id from (select id from public.districts where state = wanted order by id offset 0) d
    where exists (
      select from public.offices o join public.races r on r.office_id = o.id join public.elections e on e.id = r.election_id
      where o.district_id = d.id and e.date = day and exists (select from public.candidates c where c.race_id = r.id) offset 0)
    order by d.id limit 30)
    union
    select d.id from public.elections e join public.districts h on h.id = e.district_id
    join public.races r on r.election_id = e.id join public.offices o on o.id = r.office_id
    join public.districts d on d.id = o.district_id
    where e.date = day and h.state = wanted and d.state is distinct from wanted
      and exists (select from public.candidates c where c.race_id = r.id)
    union
    select m.district_id from public.elections e join public.districts h on h.id = e.district_id
    join public.ballot_measures m on m.election_id = e.id
    where e.date = day and h.state = wanted
    union
    select m.district_id from public.elections e
    join public.ballot_measures m on m.election_id = e.id join public.districts d on d.id = m.district_id
    where e.date = day and d.state = wanted) as voting
  order by id limit 30
$$;
create function peer.state_races(wanted text, day date) returns setof peer.races language sql stable as $$
  with page as materialized (select id from peer.page_of_state(wanted, day))
  select r.* from page join public.districts d on d.id = page.id join public.offices o on o.district_id = d.id
  join peer.races r on r.office_id = o.id join public.elections e on e.id = r.election_id and e.date = day
  join public.districts h on h.id = e.district_id and (h.state = wanted or d.state = wanted)
  where exists (select from public.candidates c where c.race_id = r.id)
$$;
create function peer.races_of_state(wanted text, day date) returns setof peer.races language sql stable as $$
  select r.* from public.elections e join peer.races r on r.election_id = e.id
  join public.offices o on o.id = r.office_id join public.districts d on d.id = o.district_id
  where e.date = day and d.state = wanted order by e.date, r.id limit 50
$$;
create function peer.state_measures(wanted text, day date) returns setof peer.measures language sql stable as $$
  with page as materialized (select id from peer.page_of_state(wanted, day))
  select m.* from page join public.districts d on d.id = page.id
  join peer.measures m on m.district_id = d.id and m.election_date = day
  join public.elections e on e.id = m.election_id
  join public.districts h on h.id = e.district_id and (h.state = wanted or d.state = wanted)
$$;
revoke execute on function peer.page_of_state from public;
comment on function peer.page_of_state is '@behavior -*';
