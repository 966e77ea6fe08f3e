create table bench.posts (type district_type, n integer, name text, level office_level, branch office_branch, chamber chamber);
insert into bench.posts values
  ('Country', 1, 'President of the United States', 'Federal', 'Executive', null),
  ('Country', 2, 'Vice President of the United States', 'Federal', 'Executive', null),
  ('State', 1, 'Governor', 'State', 'Executive', null), ('State', 2, 'Lieutenant Governor', 'State', 'Executive', null),
  ('State', 3, 'Attorney General', 'State', 'Executive', null), ('State', 4, 'Secretary of State', 'State', 'Executive', null),
  ('State', 5, 'Treasurer', 'State', 'Executive', null), ('State', 6, 'Auditor', 'State', 'Executive', null),
  ('State', 7, 'U.S. Senator, Class 1', 'Federal', 'Legislative', 'Upper'), ('State', 8, 'U.S. Senator, Class 2', 'Federal', 'Legislative', 'Upper'),
  ('Congress', 1, 'U.S. Representative', 'Federal', 'Legislative', 'Lower'),
  ('State Legislative (Upper)', 1, 'State Senator', 'State', 'Legislative', 'Upper'),
  ('State Legislative (Lower)', 1, 'State Representative', 'State', 'Legislative', 'Lower'),
  ('County', 1, 'Sheriff', 'Local', 'Executive', null), ('County', 2, 'Clerk', 'Local', 'Executive', null),
  ('County', 3, 'Assessor', 'Local', 'Executive', null), ('County', 4, 'Treasurer', 'Local', 'Executive', null),
  ('County', 5, 'Commissioner 1', 'Local', 'Legislative', null), ('County', 6, 'Commissioner 2', 'Local', 'Legislative', null),
  ('County', 7, 'Commissioner 3', 'Local', 'Legislative', null), ('County', 8, 'Probate Judge', 'Local', 'Judicial', null),
  ('School District', 1, 'Board Member 1', 'Local', 'Legislative', null), ('School District', 2, 'Board Member 2', 'Local', 'Legislative', null),
  ('School District', 3, 'Board Member 3', 'Local', 'Legislative', null),
  ('City-town', 1, 'Mayor', 'Local', 'Executive', null);

insert into offices (id, district_id, name, level, branch, chamber, is_partisan, url)
  select row_number() over (order by d.id, p.n), d.id, p.name, p.level, p.branch, p.chamber, 'Partisan all', 'https://offices.example/' || d.id || '/' || p.n
  from districts as d join bench.posts as p on p.type = d.type;
insert into offices (id, district_id, name, level, branch, is_partisan)
  select 500000 + id, id, 'Council Member', 'Local', 'Legislative', 'Nonpartisan all' from districts where type = 'City-town' and id % 5 < 2;

-- All officeholders; three in ten offices have a predecessor as well.
create table bench.holders as
  select row_number() over (order by o.id, term.start_date) as id, o.id as office_id, term.*
  from offices as o cross join (values
    ('Former', '2019-01-03'::date, '2023-01-02'::date), ('Current', '2023-01-03', '2027-01-03')) as term (status, start_date, end_date)
  where term.status = 'Current' or o.id % 10 < 3;
insert into persons (id, name, first_name, last_name, url)
  select id, 'Name' || id % 977 || ' Holder ' || id, 'Name' || id % 977, 'Holder ' || id, 'https://people.example/' || id from bench.holders;
insert into officeholders (id, office_id, person_id, status, partisan_affiliation, start_date, end_date)
  select id, office_id, id, status, 1 + id % 7, start_date, end_date from bench.holders;
insert into contacts (officeholder_id, person_id, collection, contact_type, contact)
  select id, null::integer, 'contact'::contact_collection, 'Phone', '555-' || lpad((id % 10000)::text, 4, '0') from bench.holders
  union all
  select id, null, 'contact', 'Website', 'https://offices.example/holder/' || id from bench.holders
  union all
  select null, id, 'contact', 'Email', 'holder' || id || '@people.example' from bench.holders
  union all
  select id, null, 'social', 'Facebook', 'https://social.example/' || id from bench.holders where id % 4 = 0;
