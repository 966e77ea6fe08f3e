import { type PlantedViolation, violation } from './violation.ts';

const PLACE = 'insert into voting_places (id, election_id, kind, name, state';
const PRECINCT = "insert into districts (id, type, name, state) values (71, 'Precinct', '1-A', 'RI')";

/** Deadlines and places to vote that cannot be those of their election. */
export const VOTING: readonly PlantedViolation[] = [
  violation(
    'a deadline to register after the election',
    'deadlines-after-election',
    `insert into deadlines (id, district_id, election_id, kind, day) values (1, 2, 1, 'Register online', '2022-11-09'),
      (2, 2, 1, 'Return ballot, received', '2022-11-15')`,
  ),
  violation(
    'hours of early voting at a place of election day',
    'hours-of-another-day',
    `${PLACE}, open_intervals) values (1, 1, 'Election day', 'Hall', 'RI', '{2022-11-01T09:00/2022-11-01T17:00}'),
      (2, 1, 'Early voting', 'Hall', 'RI', '{2022-11-01T09:00/2022-11-01T17:00}')`,
  ),
  violation(
    'hours of another year at a vote center',
    'hours-of-another-day',
    `${PLACE}, open_intervals) values
      (1, 1, 'Vote center', 'Hall', 'RI', '{2022-11-08T07:00/2022-11-08T20:00,2024-11-05T07:00/2024-11-05T20:00}')`,
  ),
  violation(
    'a place with longitude and latitude exchanged',
    'places-outside-their-state',
    `${PLACE}, longitude, latitude) values (1, 1, 'Drop box', 'Hall', 'RI', 41.5, -71.5), (2, 1, 'Drop box', 'Inn', 'RI', -71.5, 41.5)`,
  ),
  violation(
    'two places of one precinct',
    'several-places-of-a-precinct',
    `${PRECINCT}; ${PLACE}, district_ids) values (1, 1, 'Election day', 'Hall', 'RI', '{71}'),
      (2, 1, 'Election day', 'School', 'RI', '{71}'), (3, 1, 'Early voting', 'Library', 'RI', '{71}')`,
  ),
  violation(
    'a place without a precinct',
    'places-without-districts',
    `${PRECINCT}; ${PLACE}, district_ids) values (1, 1, 'Election day', 'Hall', 'RI', '{71}'),
      (2, 1, 'Election day', 'School', 'RI', null), (3, 2, 'Election day', 'School', 'RI', null)`,
  ),
  violation(
    'early voting before its first day',
    'hours-of-another-day',
    `insert into deadlines (id, district_id, election_id, kind, day) values (1, 2, 1, 'Early voting from', '2022-10-20');
    ${PLACE}, open_intervals) values (1, 1, 'Early voting', 'Hall', 'RI', '{2022-10-19T09:00/2022-10-19T17:00}'),
      (2, 1, 'Early voting', 'Inn', 'RI', '{2022-10-20T09:00/2022-10-20T17:00}')`,
  ),
  violation(
    'a place of one town twice, closed and open',
    'places-listed-twice',
    `${PLACE}, district_ids, status) values (1, 1, 'Early voting', 'Town Hall', 'RI', '{2}', null),
      (2, 1, 'Early voting', 'Town hall', 'RI', '{2}', 'Closed'), (3, 1, 'Early voting', 'Town Hall', 'RI', '{1}', null)`,
  ),
  violation(
    'a place that has moved to none',
    'moved-to-unknown-places',
    `${PLACE}, address, status, moved_to) values (1, 1, 'Drop box', 'Hall', 'RI', null, 'Moved', 'the mill'),
      (2, 1, 'Drop box', 'Inn', 'RI', null, 'Moved', 'Bakery, 2 Main St.'), (3, 1, 'Drop box', 'Bakery', 'RI', '2 Main St', null, null)`,
  ),
  violation(
    'a place in the time zone of another state',
    'time-zones-of-other-states',
    `${PLACE}, time_zone) values (1, 1, 'Drop box', 'Hall', 'RI', 'America/Chicago'), (2, 1, 'Drop box', 'Inn', 'RI', 'America/Detroit')`,
  ),
];
