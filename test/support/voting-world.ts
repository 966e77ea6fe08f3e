import type { Database } from '../../src/store/sql/database.ts';
import { createElectionWorld, VOTE } from './election-world.ts';
import { boundary, insert, WORLD } from './world.ts';

/** The places to vote and the deadlines of the small country: two precincts of the county west of 95° W, of which each votes in a place. */
export const VOTING = {
  westPrecinct: 940,
  eastPrecinct: 941,
  westHall: 900,
  eastSchool: 901,
  library: 902,
  oldHall: 903,
  unjoined: 904,
  online: 950,
  inPerson: 951,
  mail: 952,
  early: 953,
  onlineStated: 954,
} as const;

export async function createVotingWorld(db: Database): Promise<void> {
  await createElectionWorld(db);
  await addVoting(db);
}

/** Adds precincts, places to vote and deadlines to the election world. */
export async function addVoting(db: Database): Promise<void> {
  const [w, v, o] = [WORLD, VOTE, VOTING];
  await insert(db, 'districts', [
    { id: o.westPrecinct, type: 'Precinct', name: '01-01', state: 'AA' },
    { id: o.eastPrecinct, type: 'Precinct', name: '01-02', state: 'AA' },
  ]);
  await boundary(db, o.westPrecinct, ['2000-01-01', null], [-100, 40, -97.5, 45]);
  await boundary(db, o.eastPrecinct, ['2000-01-01', null], [-97.5, 40, -95, 45]);
  const in2024 = { election_id: v.alpha2024, state: 'AA' };
  await insert(db, 'voting_places', [
    {
      ...in2024,
      id: o.westHall,
      kind: 'Election day',
      name: 'West Hall',
      address: '1 Main Street',
      longitude: -98.5,
      latitude: 42,
      hours: '7 to 7',
      open_intervals: ['2024-11-05T07:00/2024-11-05T19:00'],
      time_zone: 'America/Chicago',
      district_ids: [o.westPrecinct],
    },
    { ...in2024, id: o.eastSchool, kind: 'Election day', name: 'East School', district_ids: [o.eastPrecinct] },
    {
      ...in2024,
      id: o.library,
      kind: 'Early voting',
      name: 'Library',
      longitude: -97,
      latitude: 41,
      district_ids: [o.westPrecinct, o.eastPrecinct],
      notes: 'Side door',
      url: 'https://library.example/',
    },
    { ...in2024, id: o.unjoined, kind: 'Drop box', name: 'Box at the mill', status: 'Moved', moved_to: 'The bakery' },
    {
      id: o.oldHall,
      election_id: v.alpha2022,
      kind: 'Election day',
      name: 'Old Hall',
      status: 'Closed',
      district_ids: [o.westPrecinct],
    },
  ]);
  const rule = { district_id: w.alpha, language: 'en', as_of: '2024-07-25', day_kind: 'Calendar' };
  await insert(db, 'deadlines', [
    {
      ...rule,
      id: o.online,
      kind: 'Register online',
      phrase: '15 days before Election Day',
      days_before: 15,
      translations: JSON.stringify({ es: { label: 'En línea', phrase: '15 días antes' } }),
    },
    {
      ...rule,
      id: o.inPerson,
      kind: 'Register in person',
      phrase: 'The Friday before',
      days_before: 1,
      weekday: 'Friday',
    },
    {
      ...rule,
      id: o.mail,
      kind: 'Register by mail, received',
      phrase: '20 business days before',
      days_before: 20,
      day_kind: 'Business',
    },
    { ...rule, id: o.early, kind: 'Early voting to', phrase: 'During early voting', day_kind: null },
    {
      id: o.onlineStated,
      district_id: w.alpha,
      election_id: v.alpha2022,
      kind: 'Register online',
      day: '2022-10-20',
      time: '17:00',
      time_zone: 'America/Chicago',
    },
  ]);
}
