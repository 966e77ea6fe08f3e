import { sql } from 'kysely';
import type { Database } from '../../src/store/sql/database.ts';
import { boundary, insert } from '../support/world.ts';

const RI = 'ocd-division/country:us/state:ri';
type Box = readonly [west: number, south: number, east: number, north: number];
const STATE: Box = [-72, 41, -71, 42];
const WEST: Box = [-72, 41, -71.5, 42];
const EAST: Box = [-71.5, 41, -71, 42];

const DISTRICTS = [
  [1, 'Country', 'United States', 'US', 'ocd-division/country:us', '0100000US', [-80, 40, -70, 45]],
  [2, 'State', 'Rhode Island', 'RI', RI, '0400000US44', STATE],
  [3, 'State', 'Delaware', 'DE', 'ocd-division/country:us/state:de', '0400000US10', [-76, 41, -75, 42]],
  [11, 'Congress', "Rhode Island's 1st congressional district", 'RI', `${RI}/cd:1`, '5001800US4401', WEST],
  [12, 'Congress', "Rhode Island's 2nd congressional district", 'RI', `${RI}/cd:2`, '5001800US4402', EAST],
  [21, 'State Legislative (Upper)', 'Senate 1', 'RI', `${RI}/sldu:1`, '610U600US44001', WEST],
  [22, 'State Legislative (Upper)', 'Senate 2', 'RI', `${RI}/sldu:2`, '610U600US44002', EAST],
  [31, 'State Legislative (Lower)', 'House 1', 'RI', `${RI}/sldl:1`, '620L600US44001', [-72, 41, -71.5, 41.5]],
  [32, 'State Legislative (Lower)', 'House 2', 'RI', `${RI}/sldl:2`, '620L600US44002', [-71.5, 41, -71, 41.5]],
  [33, 'State Legislative (Lower)', 'House 3', 'RI', `${RI}/sldl:3`, '620L600US44003', [-72, 41.5, -71.5, 42]],
  [34, 'State Legislative (Lower)', 'House 4', 'RI', `${RI}/sldl:4`, '620L600US44004', [-71.5, 41.5, -71, 42]],
  [41, 'County', 'Kent', 'RI', `${RI}/county:kent`, '0500000US44003', WEST],
  [42, 'County', 'Bristol', 'RI', `${RI}/county:bristol`, '0500000US44001', EAST],
  [51, 'School District', 'Bristol Warren', 'RI', null, '4400030', EAST],
] as const;

/**
 * Creates a database without violations: a state with complete maps, officeholders, a past election with a race by plurality
 * and one with ranked-choice rounds, a measure, and an election to come.
 */
export async function createCleanWorld(db: Database): Promise<void> {
  for (const [id, type, name, state, ocdid, geo_id, box] of DISTRICTS) {
    const nces_id = type === 'School District' ? geo_id : null;
    await insert(db, 'districts', [{ id, type, name, state, ocdid, geo_id, nces_id }]);
    await boundary(db, id, ['2013-01-03', null], box);
  }
  await insert(db, 'offices', [
    { id: 1, district_id: 2, name: 'Governor', level: 'State', branch: 'Executive' },
    { id: 2, district_id: 2, name: 'U.S. Senator', level: 'Federal', branch: 'Legislative', seat: 'Class 1' },
    { id: 3, district_id: 11, name: 'U.S. Representative', level: 'Federal', branch: 'Legislative', chamber: 'Lower' },
    { id: 4, district_id: 42, name: 'Council', level: 'Local', branch: 'Legislative' },
  ]);
  const names = ['Ada Able', 'Ben Baker', 'Cleo Charlie', 'Dan Dog', 'Eve Easy', 'Fay Fox', 'Gil Gray', 'Hal Holt'];
  await insert(
    db,
    'persons',
    names.map((name, index) => ({ id: index + 1, name, last_name: name.split(' ')[1] })),
  );
  await insert(db, 'officeholders', [
    { id: 1, office_id: 1, person_id: 1, status: 'Former', start_date: '2015-01-06', end_date: '2023-01-03' },
    { id: 2, office_id: 1, person_id: 2, status: 'Current', start_date: '2023-01-03', end_date: '2027-01-05' },
    { id: 3, office_id: 2, person_id: 3, status: 'Current', start_date: '2019-01-03', end_date: '2025-01-03' },
    { id: 4, office_id: 4, person_id: 4, status: 'Current' },
    { id: 5, office_id: 4, person_id: 5, status: 'Current' },
  ]);
  await insert(db, 'contacts', [
    { officeholder_id: 2, collection: 'contact', contact_type: 'Phone', contact: '401-555-0101' },
  ]);
  await insert(db, 'elections', [
    { id: 1, date: '2022-11-08', type: 'General', district_id: 2, candidate_lists_complete: true },
    { id: 2, date: '2026-11-03', type: 'General', district_id: 2, candidate_lists_complete: false },
  ]);
  const race = { year: 2022, type: 'Regular', stage_type: 'General', number_of_seats: 1 };
  await insert(db, 'races', [
    { ...race, id: 1, election_id: 1, office_id: 1, swearing_in_date: '2023-01-03' },
    { ...race, id: 2, election_id: 1, office_id: 3, is_ranked_choice: true },
    { ...race, id: 3, election_id: 1, office_id: 4, number_of_seats: 2 },
    { ...race, id: 4, election_id: 2, office_id: 1, year: 2026 },
  ]);
  await insert(db, 'candidates', [
    { id: 1, race_id: 1, person_id: 2, cand_status: 'Won', votes_for_cand: 5000 },
    { id: 2, race_id: 1, person_id: 1, cand_status: 'Lost', votes_for_cand: 4000 },
    { id: 3, race_id: 1, person_id: 7, cand_status: 'Lost', votes_for_cand: 900 },
    { id: 4, race_id: 1, person_id: 8, cand_status: 'Lost', votes_for_cand: 50 },
    { id: 5, race_id: 2, person_id: 3, cand_status: 'Won', votes_for_cand: 60 },
    { id: 6, race_id: 2, person_id: 6, cand_status: 'Lost', votes_for_cand: 70 },
    { id: 7, race_id: 3, person_id: 4, cand_status: 'Won', votes_for_cand: 30 },
    { id: 8, race_id: 3, person_id: 5, cand_status: 'Won', votes_for_cand: 20 },
    { id: 9, race_id: 4, person_id: 2, cand_status: 'On the Ballot' },
  ]);
  await insert(db, 'candidate_parties', [{ candidate_id: 1, position: 1, party_id: 2 }]);
  await insert(db, 'ranked_choice_rounds', [
    { candidate_id: 5, round: 1, votes_for: 40 },
    { candidate_id: 5, round: 2, votes_for: 20 },
    { candidate_id: 6, round: 1, votes_for: 70 },
  ]);
  await insert(db, 'ballot_measures', [
    {
      id: 1,
      election_id: 1,
      district_id: 2,
      name: 'Question 1',
      status: 'Approved',
      yes_votes_total: 600,
      no_votes_total: 400,
    },
  ]);
  await sql`insert into sources (id, name) overriding system value values (1, 'clean')`.execute(db);
  await sql`insert into record_sources (kind, record_id, source_id) select 'district', id, 1 from districts`.execute(
    db,
  );
  await sql`insert into external_identifiers (kind, scheme, value, record_id) values ('person', 'fec', 'H1', 1)`.execute(
    db,
  );
}
