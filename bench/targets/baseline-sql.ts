import { RACES_PER_PAGE } from '../workloads.ts';

/** One statement per workload, whose single column is the whole response body. */

const HERE = 'ST_SetSRID(ST_MakePoint($2, $1), 4326)';

/** Returns the condition that boundary `b` is in effect on the day of a parameter. */
const inEffect = (day: string) => `b.start_date <= ${day} and (b.end_date is null or b.end_date > ${day} or (
  b.end_date = ${day} and not exists (
    select from boundaries n where n.district_id = b.district_id and n.start_date = b.end_date and n.id <> b.id)))`;

const envelope = (data: string) => `select '{"success":true,"data":' || (${data})::text || ',"message":null}' as body`;

/** Parameters: latitude, longitude, today. */
export const DISTRICTS = envelope(`
  select coalesce(json_agg(json_build_object(
    'id', d.id::text, 'name', d.name, 'type', d.type, 'url', coalesce(d.url, ''), 'ocdid', coalesce(d.ocdid, ''),
    'nces_id', d.nces_id, 'geo_id', coalesce(d.geo_id, ''), 'state', coalesce(d.state, ''), 'end_date', b.end_date,
    'precise_boundary', b.precise) order by d.type, d.name, d.id), '[]')
  from (select distinct boundary_id from boundary_pieces where ST_Covers(geometry, ${HERE})) p
  join boundaries b on b.id = p.boundary_id and ${inEffect('$3')}
  join districts d on d.id = b.district_id`);

const contactsOf = (owner: string) => `(
  select json_agg(json_build_object('contact', c.contact, 'contact_type', c.contact_type) order by c.id)
  from contacts c where ${owner} and c.collection = 'contact')`;

/** Parameters: latitude, longitude, today. */
export const OFFICEHOLDERS = envelope(`
  select json_build_array(json_build_object('elected_officials', json_build_object('districts', json_agg(json_build_object(
    'id', d.id, 'name', d.name, 'type', d.type, 'state', d.state, 'precise_boundary', b.precise,
    'offices', (
      select json_agg(json_build_object(
        'id', o.id, 'name', o.name, 'type', o.type, 'level', o.level, 'branch', o.branch,
        'officeholders', (
          select json_agg(json_build_object(
            'id', h.id, 'status', h.status, 'name', p.name, 'last_name', coalesce(p.last_name, ''),
            'url', coalesce(p.url, ''), 'partisan_affiliation', h.partisan_affiliation,
            'officeholder_contact_information', ${contactsOf('c.officeholder_id = h.id')},
            'person_contact_information', ${contactsOf('c.person_id = p.id')}) order by h.start_date nulls first, h.id)
          from officeholders h join persons p on p.id = h.person_id
          where h.office_id = o.id and (h.start_date is null or h.start_date <= $3)
            and (h.end_date >= $3 or (h.end_date is null and h.status <> 'Former'))
            and (h.end_date is distinct from $3 or not exists (
              select from officeholders n where n.office_id = h.office_id and n.start_date = $3 and n.id <> h.id))
          ),
        'holder_known', coalesce(o.vacant_since <= $3, false) or exists (
          select from officeholders h
          where h.office_id = o.id and (h.start_date is null or h.start_date <= $3)
            and (h.end_date >= $3 or (h.end_date is null and h.status <> 'Former')))
        ) order by o.ballot_rank, o.name, o.seat nulls first, o.id)
      from offices o where o.district_id = d.id)) order by d.type, d.name, d.id))))
  from (select distinct boundary_id from boundary_pieces where ST_Covers(geometry, ${HERE})) p
  join boundaries b on b.id = p.boundary_id and ${inEffect('$3')}
  join districts d on d.id = b.district_id`);

const raceJson = (typeName: string) => `json_build_object(
  'id', r.id, 'url', coalesce(r.url, ''), 'number_of_seats', r.number_of_seats, 'year', r.year, '${typeName}', r.type,
  'is_marquee', coalesce(r.is_marquee, false), 'office_position', r.office_position,
  'is_ranked_choice', coalesce(r.is_ranked_choice, false), 'results_certified', coalesce(r.results_certified, false),
  'stage_type', r.stage_type, 'stage_party', r.stage_party, 'office_district', o.district_id,
  'office', json_build_object('id', o.id, 'name', o.name, 'level', o.level, 'branch', o.branch, 'chamber', o.chamber,
    'is_partisan', coalesce(o.is_partisan, ''), 'type', o.type, 'seat', o.seat, 'url', o.url, 'office_district', o.district_id),
  'candidates', (
    select json_agg(json_build_object(
      'id', c.id, 'fec_id', c.fec_id, 'race', c.race_id, 'running_mate', c.running_mate, 'stage_party', c.stage_party,
      'party_affiliation', (
        select coalesce(json_agg(json_build_object('id', y.id, 'name', y.name, 'url', y.url) order by l.position), '[]')
        from candidate_parties l join parties y on y.id = l.party_id where l.candidate_id = c.id),
      'is_incumbent', coalesce(c.is_incumbent, false), 'is_write_in', coalesce(c.is_write_in, false),
      'withdrew_still_on_ballot', coalesce(c.withdrew_still_on_ballot, false), 'cand_status', c.cand_status,
      'votes_for_cand', c.votes_for_cand,
      'ranked_choice_voting_rounds', (
        select coalesce(json_agg(json_build_object('rcv_round', k.round, 'votes_for', k.votes_for, 'status', k.status) order by k.round), '[]')
        from ranked_choice_rounds k where k.candidate_id = c.id),
      'person', json_build_object('id', p.id, 'name', p.name, 'first_name', coalesce(p.first_name, ''),
        'last_name', coalesce(p.last_name, ''), 'url', coalesce(p.url, '')),
      'person_contact_information', ${contactsOf('c.person_id = p.id').replaceAll('c.', 'i.').replace('contacts c', 'contacts i')}
    ) order by c.votes_for_cand desc nulls last, p.name, c.id)
    from candidates c join persons p on p.id = c.person_id where c.race_id = r.id))`;

const measureJson = `json_build_object(
  'id', m.id, 'name', m.name, 'url', coalesce(m.url, ''), 'status', m.status, 'type', coalesce(m.type, ''),
  'district', m.district_id, 'yes_vote', coalesce(m.yes_vote, ''), 'no_vote', coalesce(m.no_vote, ''),
  'official_title', coalesce(m.official_title, ''), 'election_date', e.date, 'yes_votes_total', m.yes_votes_total,
  'no_votes_total', m.no_votes_total)`;

const REFERENCE_DAY = `case when r.type = 'Special' then e.date
  else coalesce(r.swearing_in_date, make_date(least(r.year, 9998) + 1, 1, 31)) end`;

const boundaryOn = (district: string, day: string) => `(
  select b.id from boundaries b where b.district_id = ${district} and b.start_date <= ${day}
    and (b.end_date is null or ${day} <= b.end_date) order by b.start_date desc limit 1)`;

/** Parameters: latitude, longitude, election date. */
export const BALLOT = `
  with maps as materialized (
    select b.id, b.district_id, b.start_date, b.end_date, b.precise
    from (select distinct boundary_id from boundary_pieces where ST_Covers(geometry, ${HERE})) p
    join boundaries b on b.id = p.boundary_id
  ), here as materialized (select distinct district_id from maps
  ), contests as materialized (
    select o.district_id, r.id, used.id as boundary_id, e.id as election_id, o.name, o.seat,
      exists (select from candidates c where c.race_id = r.id) as shown
    from here join offices o on o.district_id = here.district_id join races r on r.office_id = o.id
    join elections e on e.id = r.election_id and e.date = $3
    join lateral ${boundaryOn('o.district_id', `(${REFERENCE_DAY})`)} used on true
    join maps on maps.id = used.id
  ), measures as materialized (
    select m.district_id, m.id, used.id as boundary_id, e.id as election_id
    from here join ballot_measures m on m.district_id = here.district_id
    join elections e on e.id = m.election_id and e.date = $3
    join lateral ${boundaryOn('m.district_id', 'e.date')} used on true
    join maps on maps.id = used.id
  ), applying as (
    select election_id from contests union select election_id from measures union
    select e.id from here join elections e on e.district_id = here.district_id and e.date = $3
    join lateral ${boundaryOn('e.district_id', 'e.date')} used on true join maps on maps.id = used.id
  )
  ${envelope(`
    select json_build_object('longitude', $2::float8, 'latitude', $1::float8, 'elections', json_build_array(json_build_object(
      'date', $3::date,
      'candidate_lists_complete', (select coalesce(bool_and(e.candidate_lists_complete), false) from applying join elections e on e.id = applying.election_id),
      'districts', (
        select json_agg(json_build_object('id', d.id, 'name', d.name, 'type', d.type,
          'precise_boundary', coalesce((select maps.precise from maps where maps.district_id = d.id and (
            maps.id in (select boundary_id from contests where shown) or maps.id in (select boundary_id from measures)) order by maps.start_date desc limit 1), false),
          'races', (
            select json_agg(${raceJson('type')} order by o.ballot_rank, o.name, o.seat nulls first, r.id)
            from contests join races r on r.id = contests.id join offices o on o.id = r.office_id
            where contests.district_id = d.id and contests.shown),
          'ballot_measures', (
            select json_agg(${measureJson} order by m.name, m.id)
            from measures join ballot_measures m on m.id = measures.id join elections e on e.id = m.election_id
            where measures.district_id = d.id)) order by d.type, d.name, d.id)
        from districts d
        where d.id in (select district_id from contests where shown union select district_id from measures)))))`)}`;

/**
 * Parameters: state, election date. Returns the first page of 30 districts. Those of the state with a race are looked for
 * in their order until there are 30: `offset 0` keeps PostgreSQL from joining all offices and races first.
 */
export const STATE_PAGE = `
  with page as materialized (
    select id from (
      (select d.id from (select id from districts where state = $1 order by id offset 0) d
      where exists (
        select from offices o join races r on r.office_id = o.id join elections e on e.id = r.election_id
        where o.district_id = d.id and e.date = $2 and exists (select from candidates c where c.race_id = r.id) offset 0)
      order by d.id limit 30)
      union
      select d.id from elections e join districts h on h.id = e.district_id join races r on r.election_id = e.id
      join offices o on o.id = r.office_id join districts d on d.id = o.district_id
      where e.date = $2 and h.state = $1 and d.state is distinct from $1
        and exists (select from candidates c where c.race_id = r.id)
      ${['h.state', 'd.state']
        .map(
          (state) => `
      union
      select d.id from elections e join districts h on h.id = e.district_id
      join ballot_measures m on m.election_id = e.id join districts d on d.id = m.district_id
      where e.date = $2 and ${state} = $1`,
        )
        .join('')}) as voting order by id limit 30
  ), contests as materialized (
    select r.id, o.district_id from page join districts d on d.id = page.id join offices o on o.district_id = d.id
    join races r on r.office_id = o.id join elections e on e.id = r.election_id and e.date = $2
    join districts h on h.id = e.district_id and (h.state = $1 or d.state = $1)
    where exists (select from candidates c where c.race_id = r.id)
  ), measures as materialized (
    select m.id, m.district_id from page join districts d on d.id = page.id join ballot_measures m on m.district_id = d.id
    join elections e on e.id = m.election_id and e.date = $2
    join districts h on h.id = e.district_id and (h.state = $1 or d.state = $1)
  )
  ${envelope(`
    select json_build_object('election_date', $2::date, 'districts', json_agg(json_build_object(
      'id', d.id, 'name', d.name, 'type', d.type,
      'races', (
        select json_agg(${raceJson('race_type')} order by o.ballot_rank, o.name, o.seat nulls first, r.id)
        from contests join races r on r.id = contests.id join offices o on o.id = r.office_id where contests.district_id = d.id),
      'ballot_measures', (
        select json_agg(${measureJson} order by m.name, m.id)
        from measures join ballot_measures m on m.id = measures.id join elections e on e.id = m.election_id
        where measures.district_id = d.id)) order by d.id))
    from page join districts d on d.id = page.id`)}`;

/** Parameters: state, election date. Returns the first page of the races of a state. */
export const RACES = `
  with page as materialized (
    select r.*, o.name, o.level, o.branch, e.date
    from elections e join races r on r.election_id = e.id join offices o on o.id = r.office_id
    join districts d on d.id = o.district_id
    where e.date = $2 and d.state = $1 order by e.date, r.id limit ${RACES_PER_PAGE})
  ${envelope(`
    select json_agg(json_build_object(
      'id', r.id, 'type', r.type, 'year', r.year, 'stage_type', r.stage_type, 'number_of_seats', r.number_of_seats,
      'office', json_build_object('id', r.office_id, 'name', r.name, 'level', r.level, 'branch', r.branch),
      'candidates', (
        select json_agg(json_build_object(
          'id', c.id, 'cand_status', c.cand_status, 'votes_for_cand', c.votes_for_cand,
          'party_affiliation', (
            select json_agg(json_build_object('id', y.id, 'name', y.name) order by l.position)
            from candidate_parties l join parties y on y.id = l.party_id where l.candidate_id = c.id),
          'person', json_build_object('id', p.id, 'name', p.name)
        ) order by c.votes_for_cand desc nulls last, p.name, c.id)
        from candidates c join persons p on p.id = c.person_id where c.race_id = r.id)) order by r.date, r.id)
    from page r`)}`;

/** Parameters: latitudes, longitudes, today. Returns the districts of each point, in the order of the points. */
export const MANY_POINTS = `
  with requested as (
    select * from unnest($1::float8[], $2::float8[]) with ordinality as requested(latitude, longitude, n)
  ), found as (
    select distinct requested.n, p.boundary_id from requested
    join boundary_pieces p on ST_Covers(p.geometry, ST_SetSRID(ST_MakePoint(requested.longitude, requested.latitude), 4326))
  ), lists as (
    select found.n, json_agg(json_build_object('id', d.id, 'name', d.name, 'type', d.type, 'state', d.state)
      order by d.type, d.name, d.id) as list
    from found join boundaries b on b.id = found.boundary_id and ${inEffect('$3')} join districts d on d.id = b.district_id
    group by found.n
  )
  ${envelope(`select json_agg(coalesce(lists.list, '[]') order by requested.n) from requested left join lists using (n)`)}`;
