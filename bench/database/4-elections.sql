-- General elections and primaries of the states, and the elections of counties in between.
insert into elections (id, date, type, district_id, candidate_lists_complete)
  select row_number() over (order by day.date, d.id), day.date, day.type, d.id, day.date < '2026-01-01'
  from districts as d join (values
      ('State'::district_type, '2018-11-06'::date, 'General'), ('State', '2020-11-03', 'General'), ('State', '2022-11-08', 'General'),
      ('State', '2024-11-05', 'General'), ('State', '2026-11-03', 'General'),
      ('State', '2018-06-05', 'Primary'), ('State', '2020-06-02', 'Primary'), ('State', '2022-06-07', 'Primary'),
      ('State', '2024-06-04', 'Primary'), ('State', '2026-06-02', 'Primary'), ('County', '2025-11-04', 'Special')
    ) as day (type_of_district, date, type) on day.type_of_district = d.type
  where d.type = 'State' or d.id % 2 = 0;

-- Federal and state races at every general election, and a part of all other races.
create table bench.races as
  select e.id as election_id, o.id as office_id, extract(year from e.date)::integer as year
  from offices as o
  join districts as d on d.id = o.district_id
  join elections as e on e.type = 'General' and e.date in ('2022-11-08', '2024-11-05', '2026-11-03')
  join districts as holder on holder.id = e.district_id and (holder.state = d.state or (d.state = 'US' and holder.state = (select min(state) from bench.states)))
  where o.level <> 'Local' or (o.id + extract(year from e.date)::integer) % 50 <
    case e.date when '2024-11-05'::date then 10 when '2022-11-08'::date then 6 else 3 end;
insert into races (id, election_id, office_id, year, type, stage_type, number_of_seats, is_marquee, is_ranked_choice, results_certified, swearing_in_date, url)
  select row_number() over (order by year, election_id, office_id), election_id, office_id, year, 'Regular', 'General', 1, false,
    false, year < 2026, make_date(year + 1, 1, 3), 'https://races.example/' || office_id || '/' || year
  from bench.races;

insert into persons (id, name, first_name, last_name, url)
  select 1000000 + r.id * 3 + n, 'Name' || (r.id * 7 + n) % 991 || ' Runner ' || r.id, 'Name' || (r.id * 7 + n) % 991, 'Runner ' || r.id, null
  from races as r, generate_series(0, 2) as n;
insert into candidates (id, race_id, person_id, is_incumbent, is_write_in, cand_status, votes_for_cand)
  select r.id * 3 + n, r.id, 1000000 + r.id * 3 + n, n = 0, false,
    case when r.year = 2026 then 'On the Ballot' when n = 0 then 'Won' else 'Lost' end,
    case when r.year < 2026 then 50000 / (n + 1) + r.id % 1000 end
  from races as r, generate_series(0, 2) as n;
insert into candidate_parties (candidate_id, position, party_id) select id, 1, 1 + id % 3 from candidates;
update races set is_ranked_choice = true where id % 20 = 0;
insert into ranked_choice_rounds (candidate_id, round, votes_for, status)
  select c.id, n, c.votes_for_cand / 2, case when n = 1 then 'Advanced' else c.cand_status end
  from candidates as c join races as r on r.id = c.race_id, generate_series(1, 2) as n
  where r.is_ranked_choice and c.votes_for_cand is not null and c.id % 3 < 2;
insert into ballot_measures (id, election_id, district_id, name, type, status, official_title, yes_vote, no_vote, yes_votes_total, no_votes_total)
  select row_number() over (order by e.id, n), e.id, e.district_id, 'Question ' || n, 'Bond issue',
    case when n % 2 = 0 then 'Approved' else 'Defeated' end, 'Shall it be so, question ' || n || '?', '<p>It shall.</p>', 'It shall not.', 40000 + n, 39000 + n
  from elections as e, generate_series(1, 3) as n
  where e.date < '2026-01-01' and (e.type = 'General' or (e.type = 'Special' and n = 1));
