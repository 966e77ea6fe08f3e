/** The statements of the peers, written as their resolvers need them. Ids and dates are parameters. */

const HERE = 'ST_SetSRID(ST_MakePoint($2, $1), 4326)';
const COVERING = `(select distinct boundary_id as id from boundary_pieces where ST_Covers(geometry, ${HERE}))`;
const boundaryOn = (district, day) => `(
  select b.id from boundaries b where b.district_id = ${district} and b.start_date <= ${day}
    and (b.end_date is null or ${day} <= b.end_date) order by b.start_date desc limit 1)`;
const REFERENCE_DAY = `case when r.type = 'Special' then e.date
  else coalesce(r.swearing_in_date, make_date(r.year + 1, 1, 31)) end`;
const IN_EFFECT = 'b.start_date <= $3::date and (b.end_date is null or b.end_date > $3::date)';
const RACE = 'r.*, r.swearing_in_date::text as swearing_in_date';
const SHOWN = 'exists (select from candidates c where c.race_id = r.id)';

export const districtsAt = `select d.*, b.end_date::text as end_date, b.precise as precise_boundary
  from ${COVERING} c join boundaries b on b.id = c.id and ${IN_EFFECT} join districts d on d.id = b.district_id
  order by d.type, d.name, d.id`;

export const districtsAtPoints = `select asked.n::int, d.*
  from (select distinct asked.n, p.boundary_id
    from unnest($1::float8[], $2::float8[]) with ordinality as asked(latitude, longitude, n)
    join boundary_pieces p on ST_Covers(p.geometry, ST_SetSRID(ST_MakePoint(asked.longitude, asked.latitude), 4326))) asked
  join boundaries b on b.id = asked.boundary_id and ${IN_EFFECT} join districts d on d.id = b.district_id
  order by d.type, d.name, d.id`;

export const racesAt = `with covering as materialized ${COVERING}
  select ${RACE}, o.district_id
  from (select distinct district_id from covering join boundaries using (id)) here
  join offices o on o.district_id = here.district_id join races r on r.office_id = o.id
  join elections e on e.id = r.election_id and e.date = $3
  join lateral ${boundaryOn('o.district_id', `(${REFERENCE_DAY})`)} used on used.id in (select id from covering)
  where ${SHOWN} order by o.name, o.seat nulls first, r.id`;

export const measuresAt = `with covering as materialized ${COVERING}
  select m.*, e.date::text as election_date
  from (select distinct district_id from covering join boundaries using (id)) here
  join ballot_measures m on m.district_id = here.district_id
  join elections e on e.id = m.election_id and e.date = $3
  join lateral ${boundaryOn('m.district_id', 'e.date')} used on used.id in (select id from covering)
  order by m.name, m.id`;

const STATE_RACES = `from elections e join districts h on h.id = e.district_id join races r on r.election_id = e.id
  join offices o on o.id = r.office_id join districts d on d.id = o.district_id
  where e.date = $2 and (h.state = $1 or d.state = $1) and ${SHOWN}`;
const STATE_MEASURES = `from elections e join districts h on h.id = e.district_id
  join ballot_measures m on m.election_id = e.id join districts d on d.id = m.district_id
  where e.date = $2 and (h.state = $1 or d.state = $1)`;

export const stateDistricts = `select * from districts where id in (
    select o.district_id ${STATE_RACES} union select m.district_id ${STATE_MEASURES}) order by id limit 30`;
export const stateRaces = `select ${RACE}, o.district_id ${STATE_RACES} and d.id = any($3)
  order by o.name, o.seat nulls first, r.id`;
export const stateMeasures = `select m.*, e.date::text as election_date ${STATE_MEASURES} and d.id = any($3) order by m.name, m.id`;

export const districtsById = 'select * from districts where id = any($1) order by type, name, id';
export const officesOfDistricts =
  'select * from offices where district_id = any($1) order by name, seat nulls first, id';
export const officesById = 'select * from offices where id = any($1)';
export const holdersOfOffices = `select h.*, h.start_date::text, h.end_date::text from officeholders h
  where office_id = any($1) and (start_date is null or start_date <= $2::date)
    and (end_date >= $2::date or (end_date is null and status <> 'Former')) order by h.start_date nulls first, h.id`;
export const personsById = 'select * from persons where id = any($1)';
export const contactsOfHolders = `select * from contacts where officeholder_id = any($1) and collection = 'contact' order by id`;
export const contactsOfPersons = `select * from contacts where person_id = any($1) and collection = 'contact' order by id`;
export const candidatesOfRaces = `select c.* from candidates c join persons p on p.id = c.person_id where race_id = any($1)
  order by votes_for_cand desc nulls last, p.name, c.id`;
export const partiesOfCandidates = `select l.candidate_id, p.* from candidate_parties l join parties p on p.id = l.party_id
  where l.candidate_id = any($1) order by l.position`;
export const roundsOfCandidates = `select candidate_id, round as rcv_round, votes_for, status from ranked_choice_rounds
  where candidate_id = any($1) order by round`;
