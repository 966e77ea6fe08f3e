import type { Database } from '../../src/store/sql/database.ts';
import { createElectionWorld, VOTE } from './election-world.ts';
import { insertPrecincts } from './precincts.ts';
import { addVoting } from './voting-world.ts';
import { boundary, insert, WORLD } from './world.ts';

/** All kinds of characters that JSON escapes, and some that it does not. */
export const ODD_TEXT = 'Zoë "Z" O\'Dd \\ /\b\f\n\r\t\u0001\u001f\u007f\u2028\u{1f5f3} \\u0000';

/**
 * Creates the election world with additional edge cases: unusual texts, two holders of one office, a district across
 * the 180th meridian, a candidate with missing rounds of a ranked-choice race.
 */
export async function createOddWorld(db: Database): Promise<void> {
  await createElectionWorld(db);
  await addOddities(db);
}

async function addOddities(db: Database): Promise<void> {
  await insert(db, 'persons', [{ id: 90, name: ODD_TEXT, first_name: '', url: 'https://odd.example/?a=1&b=<2>' }]);
  await insert(db, 'officeholders', [
    // The second holder of the same office; with its unknown start it is sorted first.
    { id: 90, office_id: WORLD.president, person_id: 90, status: 'Current', partisan_affiliation: 7 },
  ]);
  await insert(db, 'contacts', [
    { person_id: 90, collection: 'contact', contact_type: 'Address', contact: 'One\nTwo' },
    { officeholder_id: 90, collection: 'social', contact_type: 'Öther', contact: "it's" },
  ]);
  await insert(db, 'candidates', [
    { id: 890, race_id: VOTE.governor2024, person_id: 90, cand_status: 'Withdrew', votes_for_cand: 0 },
  ]);
  await insert(db, 'districts', [{ id: 92, type: 'State', name: 'Far East' }]);
  await insert(db, 'offices', [{ id: 92, district_id: 92, name: 'Governor', level: 'State', branch: 'Executive' }]);
  await boundary(db, 92, ['2000-01-01', null], [170, 50, 180, 55]);
  await insert(db, 'candidate_parties', [{ candidate_id: 890, position: 1, party_id: 3 }]);
  // The second gain is unknown, and with it every total from there on.
  await insert(db, 'ranked_choice_rounds', [
    { candidate_id: 890, round: 1, votes_for: 7 },
    { candidate_id: 890, round: 2, votes_for: null },
    { candidate_id: 890, round: 3, votes_for: 2, status: 'Lost' },
  ]);
}

/**
 * Creates the odd world with more of everything that responses contain: places to vote, records with sources and identifiers, a
 * retention race, a recall, seats, measures and elections of several districts on one day, and imprecise boundaries.
 */
export async function createRichWorld(db: Database): Promise<void> {
  await createElectionWorld(db);
  await enrichElectionWorld(db);
}

/** Adds the data of the rich world to an election world. */
export async function enrichElectionWorld(db: Database): Promise<void> {
  const [w, v] = [WORLD, VOTE];
  await addOddities(db);
  await addVoting(db);
  await insert(db, 'sources', [
    { name: 'First source', source: 'https://source.example', license: 'CC0', as_of: '2024-01-01' },
    { name: ODD_TEXT },
  ]);
  const sources = await db.selectFrom('sources').select('id').orderBy('id').execute();
  await insertPrecincts(db, sources[0]?.id ?? 0, w.county);
  const records = [
    ...[['district', w.alpha] as const, ['district', w.county] as const, ['office', w.governor] as const],
    ...[['person', 1] as const, ['person', 90] as const, ['officeholder', 4] as const],
    ...[['election', v.alpha2022] as const, ['race', v.regularFirst] as const, ['candidate', 803] as const],
    ...[['ballot_measure', v.water] as const],
  ];
  for (const [kind, id] of records) {
    for (const source of sources.slice(0, 1 + (id % 2))) {
      await insert(db, 'record_sources', [{ kind, record_id: id, source_id: source.id }]);
    }
    await insert(db, 'external_identifiers', [
      { kind, record_id: id, scheme: 'one', value: `${id}` },
      { kind, record_id: id, scheme: 'two', value: `${ODD_TEXT} ${id}` },
    ]);
  }
  await insert(db, 'districts', [
    { id: 40, type: 'Judicial District', name: 'Court', state: 'AA' },
    { id: 41, type: 'County', name: 'By name only', state: 'AA' },
  ]);
  await boundary(db, 40, ['2001-01-01', '2021-12-31'], [-100, 40, -92, 50], false);
  await boundary(db, 40, ['2021-12-31', null], [-99, 40, -90, 50]);
  await insert(db, 'offices', [
    { id: 140, district_id: 40, name: 'Judge', level: 'State', branch: 'Judicial', seat: 'Seat 2', is_partisan: 'No' },
    { id: 141, district_id: 40, name: 'Judge', level: 'State', branch: 'Judicial', seat: 'Seat 1' },
    { id: 142, district_id: w.county, name: 'Council', level: 'Local', branch: 'Legislative' },
  ]);
  await insert(db, 'officeholders', [
    { id: 140, office_id: 140, person_id: 5, status: 'Current', start_date: '2010-05-05', end_date: '2030-05-05' },
    { id: 142, office_id: 142, person_id: 6, status: 'Current', start_date: '2024-12-01' },
    { id: 143, office_id: 142, person_id: 6, status: 'Former', start_date: '2020-12-01', end_date: '2024-12-01' },
  ]);
  const race = { stage_type: 'General', year: 2022, election_id: v.alpha2022 };
  await insert(db, 'races', [
    { ...race, id: 640, office_id: 140, type: 'Retention', number_of_seats: 1, is_marquee: false },
    { ...race, id: 642, office_id: 142, type: 'Regular', number_of_seats: 2, election_id: v.county2022 },
    {
      ...race,
      id: 643,
      office_id: w.governor,
      type: 'Recall',
      number_of_seats: 1,
      year: 2024,
      election_id: v.alpha2024,
    },
  ]);
  await insert(db, 'candidates', [
    { id: 840, race_id: 640, person_id: 5, cand_status: 'Won', votes_for_cand: 77 },
    { id: 841, race_id: 642, person_id: 6, cand_status: 'Won', votes_for_cand: 50, is_write_in: false },
    { id: 842, race_id: 642, person_id: 1, cand_status: 'Won', votes_for_cand: 50 },
    { id: 843, race_id: 642, person_id: 2, cand_status: 'Lost', votes_for_cand: 20 },
    { id: 844, race_id: 643, person_id: 2, cand_status: 'Lost' },
  ]);
  await insert(db, 'ballot_measures', [
    { id: 740, election_id: v.alpha2022, district_id: w.alphaFirst, name: 'Bridges', status: 'Proposed' },
    {
      id: 741,
      election_id: v.beta2024,
      district_id: w.country,
      name: 'Nation',
      status: 'Approved',
      yes_votes_total: 3,
    },
  ]);
}
