import { sql } from 'kysely';
import type { Database } from '../../src/store/sql/database.ts';
import type { AccessGrant } from '../../src/store/sql/tables.ts';
import { createElectionWorld } from '../support/election-world.ts';
import { setUpdateTimes } from '../support/update-times.ts';

/** Changes the data that a grant opens, and nothing else. */
export type Change = (db: Database) => Promise<void>;

async function run(db: Database, ...statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Statuses that say how something ended. */
const ENDED = `('Won', 'Lost', 'Advanced')`;
const DECIDED = `('Approved', 'Defeated', 'Too close to call')`;

/** As an import does at its end: what it stores must not follow from results. */
const STORE_FIRST_DAYS = 'select ballotgraph_store_first_days()';

/** Rewrites every row in another order, so that reads without ORDER BY return another order. */
async function rewrite(db: Database, table: string, order: string): Promise<void> {
  await run(
    db,
    `create temp table again as select * from ${table}`,
    `delete from ${table}`,
    `insert into ${table} overriding system value select * from again order by ${order}`,
    'drop table again',
  );
}

/** The winner loses, and the last one wins: votes, statuses and rounds go to others in the opposite order. */
const reverseResults: Change = async (db) => {
  await run(
    db,
    `create temp table ended as
      select id, row_number() over (partition by race_id order by votes_for_cand, id) as place,
        row_number() over (partition by race_id order by votes_for_cand desc, id desc) as opposite, race_id,
        cand_status, votes_for_cand
      from candidates where cand_status in ${ENDED}`,
    `create temp table counted as
      select other.id as candidate_id, round.round, round.votes_for + 1 as votes_for, round.status
      from ranked_choice_rounds as round join ended on ended.id = round.candidate_id
      join ended as other on other.race_id = ended.race_id and other.opposite = ended.place`,
    `update candidates as c set cand_status = other.cand_status, votes_for_cand = other.votes_for_cand + 7
      from ended join ended as other on other.race_id = ended.race_id and other.opposite = ended.place
      where c.id = ended.id`,
    'delete from ranked_choice_rounds',
    'insert into ranked_choice_rounds select * from counted order by random()',
    `update ballot_measures set yes_votes_total = no_votes_total, no_votes_total = yes_votes_total + 3,
      status = case status when 'Approved' then 'Defeated' when 'Defeated' then 'Approved' else 'Defeated' end
      where status in ${DECIDED}`,
    'drop table ended',
    'drop table counted',
    `insert into unplaced_contests (source_id, state, date, stage, is_special, party, office, district, county, votes, names)
      select id, 'AA', '2022-11-08', 'General', false, '', 'CORONER', '', '', 9, '[{"name": "A", "party": "", "votes": 9}]' from sources order by id limit 1`,
    `insert into precinct_results (race_id, source_id, file, county, town, precinct, candidate_ids, votes)
      select c.race_id, s.id, 'a.csv', 'GAMMA', '', '01', array[c.id], array[c.id] from candidates as c, (select min(id) as id from sources) as s
      where s.id is not null`,
    STORE_FIRST_DAYS,
  );
};

/** Removes all results, as before the polls close. */
export const removeResults: Change = (db) =>
  run(
    db,
    'delete from ranked_choice_rounds',
    `update candidates set votes_for_cand = null, cand_status = case when cand_status in ${ENDED} then null else cand_status end`,
    'delete from unplaced_contests',
    'delete from precinct_results',
    `update ballot_measures set yes_votes_total = null, no_votes_total = null,
      status = case when status in ${DECIDED} then null else status end`,
    STORE_FIRST_DAYS,
  );

/** Tied votes, many rounds, unknown statuses. */
export const tieResults: Change = async (db) => {
  await run(
    db,
    `update candidates set votes_for_cand = 2147483647, cand_status = 'Retained by a judge' where cand_status in ${ENDED}`,
    `update ballot_measures set yes_votes_total = 2147483647, no_votes_total = 2147483647, status = 'Recounted'
      where status in ${DECIDED}`,
    `insert into ranked_choice_rounds select id, n, 1, 'Advanced' from candidates, generate_series(3, 9) as n`,
    STORE_FIRST_DAYS,
  );
  await rewrite(db, 'ballot_measures', 'yes_votes_total nulls first, id desc');
};

const changeContacts = (collection: string): Change =>
  async function change(db) {
    await run(
      db,
      `delete from contacts where collection = '${collection}' and id % 2 = 0`,
      `update contacts set contact = contact || '/changed', contact_type = contact_type || ' 2' where collection = '${collection}'`,
      `insert into contacts (person_id, collection, contact_type, contact)
        select id, '${collection}', 'Fax', 'https://new.example/' || id from persons`,
      `insert into contacts (officeholder_id, collection, contact_type, contact)
        select id, '${collection}', 'Fax', 'https://new.example/' || id from officeholders`,
    );
  };

const changeOfficeholders: Change = (db) =>
  run(
    db,
    'delete from officeholders where id = 2',
    `update officeholders set person_id = 5 - person_id, status = 'Acting', start_date = null, partisan_affiliation = 3
      where person_id < 5 and id > 2`,
    `insert into officeholders (office_id, person_id, status) values (104, 6, 'Current'), (100, 2, 'Current')`,
  );

/**
 * Replaces all races, candidates and measures by others in places that hold the same elections, since an election date
 * applies to every point that has a contest.
 */
const changeElections: Change = async (db) => {
  await reverseResults(db);
  await run(
    db,
    'delete from candidates where id in (800, 804, 805, 814)',
    'delete from races where id in (602, 604)',
    'delete from ballot_measures where id in (701, 703)',
    `insert into races (election_id, office_id, year, type, stage_type, number_of_seats)
      select 505, id, 2026, 'Regular', 'General', 2 from offices where id in (101, 102, 103)`,
    `insert into candidates (race_id, person_id, cand_status) select races.id, persons.id, 'On the Ballot'
      from races, persons where races.election_id = 505`,
    `insert into ballot_measures (election_id, district_id, name) values (505, 10, 'New'), (505, 30, 'Newer')`,
  );
};

/** The election days without their races and measures; days that a ballot contains remain. */
const changeElectionDates: Change = (db) =>
  run(
    db,
    `update elections set description = 'changed', type = 'Recall', candidate_lists_complete = not candidate_lists_complete`,
    'delete from elections where id = 505',
    `insert into elections (date, type, district_id, candidate_lists_complete)
      values ('2026-09-01', 'Primary', 10, true), ('2025-12-01', 'Special', 1, true), ('2026-09-02', 'Recall', 11, false)`,
  );

/** Other ids in the same order. */
const changeElectionIds: Change = (db) =>
  run(
    db,
    'alter table races drop constraint races_election_id_fkey',
    'alter table ballot_measures drop constraint ballot_measures_election_id_fkey',
    ...['races', 'ballot_measures'].map((table) => `update ${table} set election_id = election_id * 1000`),
    'update elections set id = id * 1000',
    'alter table races add constraint races_election_id_fkey foreign key (election_id) references elections',
    'alter table ballot_measures add constraint ballot_measures_election_id_fkey foreign key (election_id) references elections',
  );

/** Another district of the same state holds them, one with the same boundary (see `createBase`). */
const changeElectionDistricts: Change = (db) => run(db, 'update elections set district_id = 12 where district_id = 10');

/** Other outlines; the pieces that points are looked up in stay. */
const changeBoundaries: Change = (db) =>
  run(
    db,
    `update boundaries set digest = digest || ' 2',
      geometry = ST_Multi(ST_Difference(geometry, ST_Buffer(ST_PointOnSurface(geometry), 0.5)))`,
  );

/** Places to vote of the elections, and deadlines of the states. */
const addVoting: Change = (db) =>
  run(
    db,
    `insert into voting_places (id, election_id, kind, name, longitude, latitude, district_ids)
      select 9000000 + id, id, 'Election day', 'Hall ' || id, -98, 42, array[district_id] from elections`,
    `insert into deadlines (id, district_id, kind, phrase, days_before)
      select 9000000 + id, id, 'Register online', 'Some days before', 9 from districts where type = 'State'`,
  );

/** Changes by the grant that is needed to notice them. */
export const CHANGES = {
  results: reverseResults,
  contact: changeContacts('contact'),
  social: changeContacts('social'),
  boundaries: changeBoundaries,
  officeholders: changeOfficeholders,
  elections: changeElections,
  election_dates: changeElectionDates,
  election_ids: changeElectionIds,
  election_districts: changeElectionDistricts,
  voting: addVoting,
} as const satisfies Partial<Record<AccessGrant, Change>>;

/** The small country with its elections, a term that follows a race, and a district that has the boundary of a state. */
export async function createBase(db: Database): Promise<void> {
  await createElectionWorld(db);
  await run(
    db,
    `insert into districts (id, type, name, state) values (12, 'Special District', 'Alpha, again', 'AA')`,
    `insert into boundaries (district_id, start_date, precise, geometry, digest)
      select 12, start_date, precise, geometry, digest from boundaries where district_id = 10`,
    `insert into boundary_pieces (boundary_id, geometry)
      select again.id, piece.geometry from boundary_pieces as piece join boundaries as b on b.id = piece.boundary_id,
        boundaries as again where b.district_id = 10 and again.district_id = 12`,
    `insert into officeholders (office_id, person_id, status, start_date, end_date)
      select office_id, min(person_id), 'Former', date '2023-01-03', date '2025-01-03'
      from candidates join races on races.id = race_id where race_id = 602 group by office_id`,
    STORE_FIRST_DAYS,
  );
  await setUpdateTimes(db, '2026-01-01T00:00:00Z');
  await run(db, `update change_sets set changed_at = '2026-01-01'`);
}

const KINDS = {
  ...{ district: 'districts', boundary: 'boundaries', party: 'parties', office: 'offices', person: 'persons' },
  ...{ officeholder: 'officeholders', contact: 'contacts', election: 'elections', race: 'races' },
  ...{ candidate: 'candidates', ballot_measure: 'ballot_measures' },
  ...{ voting_place: 'voting_places', deadline: 'deadlines' },
};

/** Notes for every record that it comes from one source. */
export async function addSources(db: Database): Promise<void> {
  await run(
    db,
    `insert into sources (name, loaded_at) values ('Test data', '2026-01-01')`,
    ...Object.entries(KINDS).map(
      ([kind, table]) => `insert into record_sources select '${kind}', ${table}.id, sources.id from ${table}, sources`,
    ),
  );
}
