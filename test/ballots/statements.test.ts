import { parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/graph/schema.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld, VOTE } from '../support/election-world.ts';
import { request } from '../support/graph.ts';
import { nameOf, recordStatements } from '../support/statements.ts';
import { boundary, insert, WORLD } from '../support/world.ts';

const database = useDatabase();

/** Adds districts with the races of Alpha, so that a page of the state has the requested number. */
const WARDS = 100;

beforeAll(async () => {
  await createElectionWorld(database.db);
  for (let id = 2001; id <= 2000 + WARDS; id += 1) {
    await insert(database.db, 'districts', [{ id, type: 'County', name: `County ${id}`, state: 'AA' }]);
    await boundary(database.db, id, ['2000-01-01', null], [-98, 40, -96, 45]);
    await insert(database.db, 'offices', [
      { id, district_id: id, name: 'Sheriff', level: 'Local', branch: 'Executive' },
    ]);
    await insert(database.db, 'races', [
      {
        ...{ id, election_id: VOTE.alpha2022, office_id: id, year: 2022 },
        ...{ type: 'Regular', stage_type: 'General', number_of_seats: 1 },
      },
    ]);
    await insert(database.db, 'candidates', [
      { id, race_id: id, person_id: 3, cand_status: 'Won', votes_for_cand: id },
    ]);
    await insert(database.db, 'candidate_parties', [{ candidate_id: id, position: 1, party_id: 2 }]);
  }
});

/** All of a ballot, from the district down to the contacts of the candidates. */
const DISTRICT = `
  id
  district { id: databaseId name type state ocdId geoId ncesId url }
  boundary { id: databaseId startDate endDate precise }
  races {
    id name url numberOfSeats year type typeCode stageCode isMarquee officePosition isRankedChoice scopeBasis resultsCertified stageType stageParty
    swearingInDate totalVotes margin resultNote
    election { id name date type typeCode status description candidateListsComplete state }
    office { id: databaseId name type level branch chamber isPartisan partisanship seat url }
    boundary { id reason referenceDay boundary { id: databaseId startDate endDate precise } }
    candidates {
      id name fecId runningMate stageParty isIncumbent isWriteIn withdrewStillOnBallot status statusCode votes share isWinner
      parties { id: databaseId name url }
      person { id: databaseId name firstName lastName url contacts { type typeCode value } socialLinks { network url } }
      rankedChoiceRounds { round votesGained runningTotal status statusCode }
    }
  }
  ballotMeasures {
    id name url status statusCode type officialTitle yesVote noVote electionDate yesVotesTotal noVotesTotal yesShare
    election { id date type typeCode status description candidateListsComplete state }
  }`;

const POINTS = `query ($points: [PointInput!]!) {
  locations(points: $points) { ballot(electionDate: "${VOTE.date2022}") {
    id date candidateListsComplete raceCount measureCount missingMaps { id sentence } notKnown elections { id date } districts { ${DISTRICT} }
  } }
}`;

const PAGE = `query ($first: Int!) {
  stateBallot(state: "AA", electionDate: "${VOTE.date2022}", first: $first) {
    totalCount pageInfo { hasNextPage } edges { node { ${DISTRICT} } }
  }
}`;

/** The statements for the selection `DISTRICT`. */
const OF_DISTRICT = [
  'ballots.boundaryOfRace',
  'ballots.candidatesOfRace',
  'ballots.measureById',
  'ballots.nameOfRace',
  'ballots.partiesOfCandidate',
  'ballots.raceById',
  'ballots.roundsOfCandidate',
  'districts.boundaryById',
  'districts.byId',
  'elections.electionById',
  'officials.contactsOf',
  'officials.contactsOf',
  'officials.officeById',
  'officials.personById',
];

/** Up to 100 points, some in the old and new maps of either district, half of them in the counties. */
const points = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    latitude: 41 + ((index * 7) % 80) / 10,
    longitude: -97 + (index % 4) * 2,
  }));

async function statementsFor(query: string, variables: Record<string, unknown>) {
  const recorded = recordStatements(database);
  const { data, errors } = await request(recorded.db, query, { variables });
  expect(errors).toBeUndefined();
  const names = recorded.take().map(nameOf);
  // All fields share the loader of a record. Whether two fields also share a statement depends on how long others take.
  const isFirst = (name: string, index: number) => !/ById$/.test(name) || names.indexOf(name) === index;
  for (const name of names) expect(names.filter((other) => other === name).length, name).toBeLessThanOrEqual(2);
  return { data, names: names.filter(isFirst).sort() };
}

describe('the statements of a full ballot', () => {
  it('cover every field', () => {
    // Fields that lead back up the tree, and fields that every record has, are omitted: each would need its own
    // statement.
    const upwards = [
      'Candidate.race',
      'BallotMeasure.district',
      'Election.district',
      'Election.districts',
      'Race.electedOfficeholders',
      // Of a place, not of a ballot (test/voting).
      'Election.deadlines',
      'Election.votingPlaces',
      // Of precincts (test/ballots/precinct-results).
      'Race.results',
    ];
    const ofEveryRecord = /\.(sources|identifiers|databaseId|updatedAt)$/;
    const types = [
      'Ballot',
      'BallotDistrict',
      'Race',
      'RaceBoundary',
      'Candidate',
      'RankedChoiceRound',
      'BallotMeasure',
      'Election',
    ];
    const selected = new Set(upwards);
    const info = new TypeInfo(schema);
    visit(
      parse(POINTS),
      visitWithTypeInfo(info, {
        Field: (field) => void selected.add(`${info.getParentType()?.name}.${field.name.value}`),
      }),
    );
    const all = types.flatMap((name) => {
      const type = schema.getType(name);
      return type && 'getFields' in type ? Object.keys(type.getFields()).map((field) => `${name}.${field}`) : [];
    });
    expect(all.length).toBeGreaterThan(60);
    expect(all.filter((field) => !selected.has(field) && !ofEveryRecord.test(field))).toEqual([]);
  });

  it('are the same for 1, 10 and 100 locations', async () => {
    const one = await statementsFor(POINTS, { points: points(1) });
    expect(one.names).toEqual(
      ['ballots.ballotOfPoint', 'ballots.districtsOfBallot', 'ballots.missingMapsOfBallot', ...OF_DISTRICT].sort(),
    );
    const ten = await statementsFor(POINTS, { points: points(10) });
    const hundred = await statementsFor(POINTS, { points: points(100) });
    expect(ten.names).toEqual(one.names);
    expect(hundred.names).toEqual(one.names);
    const { locations } = hundred.data as { locations: { ballot: { districts: unknown[] } }[] };
    expect(locations.filter(({ ballot }) => ballot.districts.length >= WARDS).length).toBeGreaterThan(10);
  });

  it('are the same for a page of a state with 1, 10 and 100 districts', async () => {
    const one = await statementsFor(PAGE, { first: 1 });
    expect(one.names).toEqual(['ballots.countStateBallot', 'ballots.pageOfStateBallot', ...OF_DISTRICT].sort());
    const ten = await statementsFor(PAGE, { first: 10 });
    const hundred = await statementsFor(PAGE, { first: 100 });
    expect(ten.names).toEqual(one.names);
    expect(hundred.names).toEqual(one.names);
    const { stateBallot } = hundred.data as { stateBallot: { totalCount: number; edges: unknown[] } };
    expect([stateBallot.totalCount, stateBallot.edges.length]).toEqual([WARDS + 3, 100]);
  });

  it('are the same for 1 and 6 elections with their districts, and for one person and many', async () => {
    const ELECTIONS = `query ($first: Int!) { elections(first: $first) { edges { node {
      district { name } districts { ${DISTRICT} } } } } }`;
    const one = await statementsFor(ELECTIONS, { first: 1 });
    expect(one.names).toEqual(
      [...['elections.elections', 'districts.byId', 'ballots.districtsOfElection'], ...[...OF_DISTRICT]].sort(),
    );
    expect((await statementsFor(ELECTIONS, { first: 6 })).names).toEqual(one.names);

    const people = (...ids: number[]) =>
      `{ ${ids
        .map(
          (id) =>
            `p${id}: person(databaseId: ${id}) { candidacies { id: databaseId share isWinner race { id: databaseId margin election { date } } } }`,
        )
        .join(' ')} }`;
    const person = await statementsFor(people(1), {});
    expect(person.names).toEqual([
      'ballots.candidaciesOfPerson',
      'ballots.candidatesOfRace',
      'ballots.raceById',
      'ballots.roundsOfCandidate',
      'elections.electionById',
      'officials.personOrMerged',
    ]);
    expect((await statementsFor(people(1, 2, 3, 4, 5, 6), {})).names).toEqual(person.names);
  });

  it('do not fetch fields that are not selected', async () => {
    const little = `query ($points: [PointInput!]!) { locations(points: $points) {
      ballot(electionDate: "${VOTE.date2022}") { date }
    } }`;
    expect((await statementsFor(little, { points: points(3) })).names).toEqual(['ballots.ballotOfPoint']);
    const dates = `{ location(latitude: 42, longitude: -98) { elections { date } } }`;
    expect((await statementsFor(dates, {})).names).toEqual(['ballots.electionsOfPoint']);
    const state = `{ stateBallot(state: "AA", electionDate: "${VOTE.date2022}", districtTypes: [STATE]) {
      edges { node { district { id: databaseId } } } } }`;
    const { data } = await statementsFor(state, {});
    expect(data).toEqual({ stateBallot: { edges: [{ node: { district: { id: WORLD.alpha } } }] } });
  });
});
