import { RACES_PER_PAGE } from '../workloads.ts';

/**
 * The statements of the hand-written peers. They read the requested columns only, join what every row needs exactly one
 * of (person, office), and find contests as the baseline does.
 */

const POINT = 'ST_SetSRID(ST_MakePoint($2, $1), 4326)';
const IN_EFFECT = 'b.start_date <= $3::date and (b.end_date is null or b.end_date > $3::date)';
const DISTRICT = 'd.id, d.name, d.type::text, d.state, d.ocdid, d.geo_id, d.nces_id, d.url';

export const districtsAt = `select ${DISTRICT}, b.end_date::text as end_date, b.precise as precise_boundary
  from (select distinct boundary_id from boundary_pieces where ST_Covers(geometry, ${POINT})) p
  join boundaries b on b.id = p.boundary_id and ${IN_EFFECT} join districts d on d.id = b.district_id
  order by d.type, d.name, d.id`;

export const districtsAtPoints = `select point.n::int, d.id, d.name, d.type::text, d.state
  from (select distinct point.n, p.boundary_id
    from unnest($1::float8[], $2::float8[]) with ordinality as point(latitude, longitude, n)
    join boundary_pieces p on ST_Covers(p.geometry, ST_SetSRID(ST_MakePoint(point.longitude, point.latitude), 4326))) point
  join boundaries b on b.id = point.boundary_id and ${IN_EFFECT} join districts d on d.id = b.district_id
  order by d.type, d.name, d.id`;

const boundaryOn = (district, day) => `(
  select b.id from boundaries b where b.district_id = ${district} and b.start_date <= ${day}
    and (b.end_date is null or ${day} <= b.end_date) order by b.start_date desc limit 1)`;
const REFERENCE_DAY = `(case when r.type = 'Special' then e.date
  else coalesce(r.swearing_in_date, make_date(least(r.year, 9998) + 1, 1, 31)) end)`;
const COVERING = `with covering as materialized (
    select b.id, b.district_id
    from (select distinct boundary_id from boundary_pieces where ST_Covers(geometry, ${POINT})) p
    join boundaries b on b.id = p.boundary_id
  ), here as materialized (select distinct district_id from covering)`;
const RACE = `r.id, r.url, r.number_of_seats, r.year, r.type, r.is_marquee, r.office_position, r.is_ranked_choice,
  r.results_certified, r.stage_type, r.stage_party, o.district_id, o.id as office_id, o.name as office_name,
  o.level::text as office_level, o.branch::text as office_branch, o.chamber::text as office_chamber,
  o.is_partisan as office_is_partisan, o.type as office_type, o.seat as office_seat, o.url as office_url`;
const MEASURE = `m.id, m.district_id, m.name, m.url, m.status, m.type, m.yes_vote, m.no_vote, m.official_title,
  m.yes_votes_total, m.no_votes_total, e.date::text as election_date`;
const HAS_CANDIDATES = 'exists (select from candidates c where c.race_id = r.id)';

export const racesAt = `${COVERING} select ${RACE}
  from here join offices o on o.district_id = here.district_id join races r on r.office_id = o.id
  join elections e on e.id = r.election_id and e.date = $3
  join lateral ${boundaryOn('o.district_id', REFERENCE_DAY)} used on true
  join covering on covering.id = used.id
  where ${HAS_CANDIDATES} order by o.name, o.seat nulls first, r.id`;

export const measuresAt = `${COVERING} select ${MEASURE}
  from here join ballot_measures m on m.district_id = here.district_id
  join elections e on e.id = m.election_id and e.date = $3
  join lateral ${boundaryOn('m.district_id', 'e.date')} used on true
  join covering on covering.id = used.id order by m.name, m.id`;

const measureDistricts = (condition) => `
    select d.id from elections e join districts h on h.id = e.district_id
    join ballot_measures m on m.election_id = e.id join districts d on d.id = m.district_id
    where e.date = $2 and ${condition}`;

/**
 * The districts of the state with a race are looked for in their order until there are 30: `offset 0` keeps PostgreSQL
 * from joining all offices and races first. The others are added by a union, as `or` across two tables uses no index.
 */
export const stateDistricts = `select d.id, d.name, d.type::text from districts d where d.id in (
  select id from (
    (select d.id from (select id from districts where state = $1 order by id offset 0) d
    where exists (
      select from offices o join races r on r.office_id = o.id join elections e on e.id = r.election_id
      where o.district_id = d.id and e.date = $2 and ${HAS_CANDIDATES} offset 0)
    order by d.id limit 30)
    union
    select d.id from elections e join districts h on h.id = e.district_id join races r on r.election_id = e.id
    join offices o on o.id = r.office_id join districts d on d.id = o.district_id
    where e.date = $2 and h.state = $1 and d.state is distinct from $1 and ${HAS_CANDIDATES}
    union ${measureDistricts('h.state = $1')} union ${measureDistricts('d.state = $1')}) as voting
  order by id limit 30) order by d.id`;

export const stateRaces = `select ${RACE}
  from unnest($3::int[]) page(id) join districts d on d.id = page.id join offices o on o.district_id = d.id
  join races r on r.office_id = o.id join elections e on e.id = r.election_id and e.date = $2
  join districts h on h.id = e.district_id and (h.state = $1 or d.state = $1)
  where ${HAS_CANDIDATES} order by o.name, o.seat nulls first, r.id`;

export const racesOfState = `select ${RACE}
  from elections e join races r on r.election_id = e.id join offices o on o.id = r.office_id
  join districts d on d.id = o.district_id
  where e.date = $2 and d.state = $1 order by e.date, r.id limit ${RACES_PER_PAGE}`;

export const stateMeasures = `select ${MEASURE}
  from unnest($3::int[]) page(id) join districts d on d.id = page.id join ballot_measures m on m.district_id = d.id
  join elections e on e.id = m.election_id and e.date = $2
  join districts h on h.id = e.district_id and (h.state = $1 or d.state = $1) order by m.name, m.id`;

export const districtsById = `select d.id, d.name, d.type::text from districts d where id = any($1)
  order by d.type, d.name, d.id`;

export const officesOfDistricts = `select id, district_id, name, type, level::text, branch::text from offices
  where district_id = any($1) order by name, seat nulls first, id`;

export const holdersOfOffices = `select h.id, h.office_id, h.status, h.partisan_affiliation, h.person_id,
    p.name, p.last_name, p.url
  from officeholders h join persons p on p.id = h.person_id
  where office_id = any($1) and (start_date is null or start_date <= $2::date)
    and (end_date >= $2::date or (end_date is null and status <> 'Former')) order by h.start_date nulls first, h.id`;

const contactsOf = (owner) => `select ${owner}, contact, contact_type from contacts
  where ${owner} = any($1) and collection = 'contact' order by id`;
export const contactsOfHolders = contactsOf('officeholder_id');
export const contactsOfPersons = contactsOf('person_id');

export const candidatesOfRaces = `select c.id, c.race_id, c.person_id, c.stage_party, c.running_mate, c.fec_id,
    c.is_incumbent, c.is_write_in, c.withdrew_still_on_ballot, c.cand_status, c.votes_for_cand,
    p.name, p.first_name, p.last_name, p.url
  from candidates c join persons p on p.id = c.person_id where race_id = any($1)
  order by votes_for_cand desc nulls last, p.name, c.id`;

export const partiesOfCandidates = `select l.candidate_id, p.id, p.name, p.url
  from candidate_parties l join parties p on p.id = l.party_id where l.candidate_id = any($1) order by l.position`;

export const roundsOfCandidates = `select candidate_id, round as rcv_round, votes_for, status
  from ranked_choice_rounds where candidate_id = any($1) order by round`;
