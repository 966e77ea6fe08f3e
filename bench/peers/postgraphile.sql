-- The schema that PostGraphile serves: the tables without those that hold geometries, and the point lookups as
-- functions. To the planner, a view of one table is that table.
drop schema if exists peer cascade;
create schema peer;
create view peer.districts as
  select b.id as boundary_id, d.id, d.type::text, d.name, d.state::text, d.ocdid, d.geo_id, d.nces_id, d.url, b.start_date, b.end_date, b.precise
  from public.boundaries b join public.districts d on d.id = b.district_id;
comment on view peer.districts is E'@primaryKey boundary_id\n@unique id';
create view peer.offices as select id, district_id, name, type, level::text, branch::text, chamber::text, is_partisan, seat, url from public.offices;
comment on view peer.offices is E'@primaryKey id\n@foreignKey (district_id) references peer.districts (id)';
create view peer.persons as select * from public.persons;
comment on view peer.persons is '@primaryKey id';
create view peer.officeholders as select * from public.officeholders
  where (start_date is null or start_date <= '2026-07-01') and (end_date >= '2026-07-01' or (end_date is null and status <> 'Former'));
comment on view peer.officeholders is E'@primaryKey id\n@foreignKey (office_id) references peer.offices (id)\n@foreignKey (person_id) references peer.persons (id)';
create view peer.contacts as select id, officeholder_id, person_id, contact_type, contact from public.contacts where collection = 'contact';
comment on view peer.contacts is E'@primaryKey id\n@foreignKey (officeholder_id) references peer.officeholders (id)\n@foreignKey (person_id) references peer.persons (id)';
create view peer.races as select * from public.races;
comment on view peer.races is E'@primaryKey id\n@foreignKey (office_id) references peer.offices (id)';
create view peer.candidates as select * from public.candidates;
comment on view peer.candidates is E'@primaryKey id\n@foreignKey (race_id) references peer.races (id)\n@foreignKey (person_id) references peer.persons (id)';
create view peer.parties as select * from public.parties;
comment on view peer.parties is '@primaryKey id';
create view peer.candidate_parties as select * from public.candidate_parties;
comment on view peer.candidate_parties is E'@primaryKey candidate_id,position\n@foreignKey (candidate_id) references peer.candidates (id)\n@foreignKey (party_id) references peer.parties (id)';
create view peer.rounds as select * from public.ranked_choice_rounds;
comment on view peer.rounds is E'@primaryKey candidate_id,round\n@foreignKey (candidate_id) references peer.candidates (id)';
create view peer.measures as select m.*, e.date as election_date from public.ballot_measures m join public.elections e on e.id = m.election_id;
comment on view peer.measures is E'@primaryKey id\n@foreignKey (district_id) references peer.districts (id)';

create function peer.districts_at(latitude float8, longitude float8) returns setof peer.districts language sql stable as $$
  select d.* from (
    select distinct boundary_id from public.boundary_pieces
    where public.ST_Covers(geometry, public.ST_SetSRID(public.ST_MakePoint(longitude, latitude), 4326))) c
  join peer.districts d on d.boundary_id = c.boundary_id
    and d.start_date <= '2026-07-01' and (d.end_date is null or d.end_date > '2026-07-01')
$$;
create function peer.covering(latitude float8, longitude float8) returns table (id integer, district_id integer) language sql stable as $$
  select b.id, b.district_id from (
    select distinct boundary_id from public.boundary_pieces
    where public.ST_Covers(geometry, public.ST_SetSRID(public.ST_MakePoint(longitude, latitude), 4326))) c
  join public.boundaries b on b.id = c.boundary_id
$$;
create function peer.boundary_on(district integer, day date) returns integer language sql stable as $$
  select b.id from public.boundaries b where b.district_id = district and b.start_date <= day
    and (b.end_date is null or day <= b.end_date) order by b.start_date desc limit 1
$$;
create function peer.races_at(latitude float8, longitude float8, day date) returns setof peer.races language sql stable as $$
  with covering as materialized (select * from peer.covering(latitude, longitude))
  select r.* from (select distinct district_id from covering) here
  join public.offices o on o.district_id = here.district_id join public.races r on r.office_id = o.id
  join public.elections e on e.id = r.election_id and e.date = day
  where exists (select from public.candidates c where c.race_id = r.id)
    and peer.boundary_on(o.district_id, case when r.type = 'Special' then e.date
      else coalesce(r.swearing_in_date, make_date(r.year + 1, 1, 31)) end) in (select id from covering)
$$;
create function peer.measures_at(latitude float8, longitude float8, day date) returns setof peer.measures language sql stable as $$
  with covering as materialized (select * from peer.covering(latitude, longitude))
  select m.* from (select distinct district_id from covering) here
  join peer.measures m on m.district_id = here.district_id and m.election_date = day
  where peer.boundary_on(m.district_id, day) in (select id from covering)
$$;
create function peer.page_of_state(wanted text, day date) returns table (id integer) language sql stable as $$
  select o.district_id as id from public.elections e join public.districts h on h.id = e.district_id join public.races r on r.election_id = e.id
    join public.offices o on o.id = r.office_id join public.districts d on d.id = o.district_id
    where e.date = day and (h.state = wanted or d.state = wanted) and exists (select from public.candidates c where c.race_id = r.id)
  union
  select m.district_id from public.elections e join public.districts h on h.id = e.district_id
    join public.ballot_measures m on m.election_id = e.id join public.districts d on d.id = m.district_id
    where e.date = day and (h.state = wanted or d.state = wanted)
  order by id limit 30
$$;
create function peer.state_races(wanted text, day date) returns setof peer.races language sql stable as $$
  select r.* from peer.page_of_state(wanted, day) page join public.offices o on o.district_id = page.id
  join public.races r on r.office_id = o.id join public.elections e on e.id = r.election_id and e.date = day
  where exists (select from public.candidates c where c.race_id = r.id)
$$;
create function peer.state_measures(wanted text, day date) returns setof peer.measures language sql stable as $$
  select m.* from peer.page_of_state(wanted, day) page join peer.measures m on m.district_id = page.id and m.election_date = day
$$;
revoke execute on function peer.covering, peer.boundary_on, peer.page_of_state from public;
comment on function peer.covering is '@behavior -*';
comment on function peer.boundary_on is '@behavior -*';
comment on function peer.page_of_state is '@behavior -*';
