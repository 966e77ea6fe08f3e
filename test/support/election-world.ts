import type { Database } from '../../src/store/sql/database.ts';
import { createWorld, insert, WORLD } from './world.ts';

/**
 * The elections of the small country of `world.ts`.
 *
 * On 2022-11-08 Alpha votes twice for its first Congress seat: in a special race for the weeks until the redistricting
 * of 2023-01-03, on the old map, and in a regular race for the term after it, on the new map. The county votes on the
 * same day in an election of its own. On 2024-11-05 Alpha's governor is elected by ranked choice, the president and a
 * question of the county, which belongs to no single state, are on Alpha's ballot, and Beta votes for its governor. For
 * 2026-11-03, only the date is known.
 */
export const VOTE = {
  date2022: '2022-11-08',
  primary2024: '2024-03-05',
  date2024: '2024-11-05',
  date2026: '2026-11-03',
  alpha2022: 500,
  county2022: 501,
  alphaPrimary2024: 502,
  alpha2024: 503,
  beta2024: 504,
  alpha2026: 505,
  specialFirst: 600,
  regularFirst: 601,
  regularSecond: 602,
  governor2022: 603,
  withoutCandidates: 604,
  primaryFirst: 605,
  governor2024: 606,
  alphaPresident: 607,
  betaGovernor: 608,
  water: 700,
  roads: 701,
  schools: 702,
  parks: 703,
} as const;

export async function createElectionWorld(db: Database): Promise<void> {
  const [w, v] = [WORLD, VOTE];
  await createWorld(db);
  await insert(db, 'persons', [
    { id: 5, name: 'Eve Easy', first_name: 'Eve', last_name: 'Easy' },
    { id: 6, name: 'Fay Fox' },
  ]);
  await insert(db, 'elections', [
    { id: v.alpha2022, date: v.date2022, type: 'General', district_id: w.alpha, candidate_lists_complete: true },
    {
      id: v.county2022,
      date: v.date2022,
      type: 'Special',
      district_id: w.county,
      description: 'Roads only',
      candidate_lists_complete: false,
    },
    {
      id: v.alphaPrimary2024,
      date: v.primary2024,
      type: 'Primary',
      district_id: w.alpha,
      candidate_lists_complete: true,
    },
    { id: v.alpha2024, date: v.date2024, type: 'General', district_id: w.alpha, candidate_lists_complete: true },
    { id: v.beta2024, date: v.date2024, type: 'General', district_id: w.beta, candidate_lists_complete: true },
    { id: v.alpha2026, date: v.date2026, type: 'General', district_id: w.alpha, candidate_lists_complete: false },
  ]);
  const race = { type: 'Regular', stage_type: 'General', number_of_seats: 1, year: 2022 };
  const in2022 = { ...race, election_id: v.alpha2022 };
  const in2024 = { ...race, year: 2024, election_id: v.alpha2024 };
  await insert(db, 'races', [
    { ...in2022, id: v.specialFirst, office_id: w.firstSeat, type: 'Special', swearing_in_date: '2022-11-29' },
    { ...in2022, id: v.regularFirst, office_id: w.firstSeat, swearing_in_date: '2023-01-03', results_certified: true },
    { ...in2022, id: v.regularSecond, office_id: w.secondSeat },
    { ...in2022, id: v.governor2022, office_id: w.governor, is_marquee: true, url: 'https://race.example' },
    { ...in2022, id: v.withoutCandidates, office_id: w.secondSeat, type: 'Special' },
    {
      ...in2024,
      id: v.primaryFirst,
      election_id: v.alphaPrimary2024,
      office_id: w.firstSeat,
      stage_type: 'Primary',
      stage_party: 'Green',
    },
    { ...in2024, id: v.governor2024, office_id: w.governor, is_ranked_choice: true },
    { ...in2024, id: v.alphaPresident, office_id: w.president, swearing_in_date: '2025-01-20' },
    { ...in2024, id: v.betaGovernor, election_id: v.beta2024, office_id: w.vacant, office_position: 'Seat 1' },
  ]);
  await insert(db, 'candidates', [
    { id: 800, race_id: v.specialFirst, person_id: 3, cand_status: 'Won', votes_for_cand: 510 },
    {
      id: 801,
      race_id: v.specialFirst,
      person_id: 4,
      cand_status: 'Lost',
      votes_for_cand: 490,
      running_mate: 'Gil Gold',
    },
    // Sorted by name, Cleo comes before Dan; sorted by votes, Dan comes before Cleo.
    { id: 802, race_id: v.regularFirst, person_id: 3, cand_status: 'Lost', votes_for_cand: 400, is_incumbent: true },
    { id: 803, race_id: v.regularFirst, person_id: 4, cand_status: 'Won', votes_for_cand: 600, fec_id: 'H0AA01001' },
    { id: 804, race_id: v.regularFirst, person_id: 6, cand_status: 'Withdrew', withdrew_still_on_ballot: true },
    { id: 805, race_id: v.regularSecond, person_id: 5, cand_status: 'Won', votes_for_cand: 900 },
    { id: 806, race_id: v.governor2022, person_id: 2, cand_status: 'Won', votes_for_cand: 1200 },
    { id: 807, race_id: v.governor2022, person_id: 1, cand_status: 'Lost', votes_for_cand: 800, is_write_in: true },
    {
      id: 808,
      race_id: v.primaryFirst,
      person_id: 5,
      cand_status: 'Advanced',
      votes_for_cand: 300,
      stage_party: 'Green',
    },
    { id: 809, race_id: v.primaryFirst, person_id: 6, cand_status: 'Lost', votes_for_cand: 100, stage_party: 'Green' },
    { id: 810, race_id: v.governor2024, person_id: 1, cand_status: 'Lost', votes_for_cand: 480 },
    { id: 811, race_id: v.governor2024, person_id: 2, cand_status: 'Won', votes_for_cand: 520 },
    { id: 812, race_id: v.governor2024, person_id: 6, cand_status: 'Lost', votes_for_cand: 150 },
    { id: 813, race_id: v.alphaPresident, person_id: 1, cand_status: 'On the Ballot' },
    { id: 814, race_id: v.betaGovernor, person_id: 5, cand_status: 'On the Ballot' },
  ]);
  await insert(db, 'candidate_parties', [
    { candidate_id: 803, position: 1, party_id: 5 },
    { candidate_id: 803, position: 2, party_id: 2 },
    { candidate_id: 802, position: 1, party_id: 1 },
    { candidate_id: 808, position: 1, party_id: 4 },
  ]);
  await insert(db, 'ranked_choice_rounds', [
    { candidate_id: 810, round: 1, votes_for: 450, status: 'Advanced' },
    { candidate_id: 810, round: 2, votes_for: 30, status: 'Lost' },
    { candidate_id: 811, round: 1, votes_for: 400, status: 'Advanced' },
    { candidate_id: 811, round: 2, votes_for: 120, status: 'Won' },
    { candidate_id: 812, round: 1, votes_for: 150, status: 'Lost' },
  ]);
  await insert(db, 'ballot_measures', [
    {
      id: v.water,
      election_id: v.alpha2022,
      district_id: w.alpha,
      name: 'Question 1: Water',
      type: 'Bond issue',
      status: 'Approved',
      official_title: 'Shall the state borrow for water?',
      yes_vote: '<p>Borrows.</p>',
      no_vote: 'Does not borrow.',
      yes_votes_total: 750,
      no_votes_total: 250,
      url: 'https://measure.example',
    },
    {
      id: v.roads,
      election_id: v.county2022,
      district_id: w.county,
      name: 'Roads',
      status: 'Defeated',
      yes_votes_total: 0,
    },
    {
      id: v.schools,
      election_id: v.alpha2024,
      district_id: w.alpha,
      name: 'Schools',
      status: 'Qualified for the ballot',
    },
    { id: v.parks, election_id: v.alpha2024, district_id: w.county, name: 'Parks', status: 'Too close to call' },
  ]);
  await insert(db, 'contacts', [
    { person_id: 3, collection: 'contact', contact_type: 'Website', contact: 'https://cleo.example' },
    { person_id: 4, collection: 'social', contact_type: 'Mastodon', contact: 'https://social.example/dan' },
  ]);
}
