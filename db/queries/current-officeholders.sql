-- title: Current officeholders with contacts, by state
-- description: Everyone who is in office today: one row for each officeholder, with the office, its district and the
--   party, and telephone numbers, websites and e-mail addresses (several are separated by semicolons). Vacant offices
--   have no row. The status is Current, or what the source says instead, such as Acting, Appointed or On leave. The
--   picture of image_url is at a third party, as the source states it.
-- grants: officeholders, contact
with serving as (
  -- The day of the request; in psql, the day on the server.
  select * from officeholders_in_office(coalesce(nullif(current_setting('ballotgraph.today', true), '')::date, current_date))
),
-- Contacts of the office, and those of the person.
ways as (
  select serving.id, contact.contact_type, contact.contact, contact.id as place
  from serving
  join contacts contact on contact.officeholder_id = serving.id or contact.person_id = serving.person_id
  where contact.collection = 'contact'
),
reached as (
  select id,
    string_agg(contact, '; ' order by place) filter (where contact_type = 'Phone') as phone,
    string_agg(contact, '; ' order by place) filter (where contact_type = 'Website') as website,
    string_agg(contact, '; ' order by place) filter (where contact_type = 'Email') as email,
    string_agg(contact_type || ': ' || contact, '; ' order by place)
      filter (where contact_type not in ('Phone', 'Website', 'Email')) as other_contacts
  from ways
  group by id
)
select
  district.state,
  district.type as district_type,
  district.name as district,
  district.ocdid,
  office.name as office,
  office.seat,
  office.level,
  office.branch,
  person.name,
  person.first_name,
  person.last_name,
  party.name as party,
  serving.status,
  serving.start_date,
  serving.end_date,
  reached.phone,
  reached.website,
  reached.email,
  reached.other_contacts,
  person.image_url,
  serving.id as officeholder_id,
  office.id as office_id,
  person.id as person_id,
  district.id as district_id
from serving
join offices office on office.id = serving.office_id
join districts district on district.id = office.district_id
join persons person on person.id = serving.person_id
left join parties party on party.id = serving.partisan_affiliation
left join reached on reached.id = serving.id
-- The country first, then the states in alphabetical order, each from the top down.
order by district.state <> 'US', district.state nulls last, district.type, district.name, district.id,
  office.ballot_rank, office.name, office.seat nulls first, office.id, serving.start_date nulls first, serving.id
