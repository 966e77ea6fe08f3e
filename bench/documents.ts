import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RACES_PER_PAGE, type WorkloadName } from './workloads.ts';

type Documents = Readonly<Record<WorkloadName, string>>;

/** Returns the documents for this service in a checkout: those of its REST paths, so that both APIs do the same work. */
export function gatewayDocuments(root: string): Documents {
  // A commit before `src/gateway` has the folder at the top of `src`.
  const folder = ['src/gateway/rest', 'src/rest'].map((path) => join(root, path)).find(existsSync) ?? root;
  const read = (...names: string[]) =>
    names.map((name) => readFileSync(join(folder, `${name}.graphql`), 'utf8')).join('');
  // A commit before `include=edge_distance` has no such fragment.
  const edges = existsSync(join(folder, 'edges.graphql')) ? read('edges') : '';
  const districts = read('districts-point') + edges;
  // A commit before global ids returns the number as `id`.
  const id = districts.includes('databaseId') ? 'id: databaseId' : 'id';
  return {
    districts,
    officeholders: read('officeholders', 'collections') + edges,
    ballot: read('elections-by-point', 'contests', 'collections'),
    state: read('elections-by-state', 'contests', 'collections'),
    races: `query ($state: String!, $electionDate: Date!) {
      races(filter: { state: $state, from: $electionDate, to: $electionDate }, first: ${RACES_PER_PAGE}) {
        pageInfo { hasNextPage endCursor } edges { node { ${id} type year stageType numberOfSeats
          office { ${id} name level branch } candidates { ${id} status votes parties { ${id} name } person { ${id} name } } } } } }`,
    points: `query ($points: [PointInput!]!) { locations(points: $points) { districts { ${id} name type state } } }`,
  };
}

const contacts = 'contacts { type: contact_type contact }';
const handWritten = {
  race: `id url numberOfSeats: number_of_seats year type isMarquee: is_marquee officePosition: office_position
    isRankedChoice: is_ranked_choice resultsCertified: results_certified stageType: stage_type stageParty: stage_party
    office { id name level branch chamber isPartisan: is_partisan type seat url }
    candidates { id fecId: fec_id runningMate: running_mate stageParty: stage_party isIncumbent: is_incumbent
      isWriteIn: is_write_in withdrewStillOnBallot: withdrew_still_on_ballot status: cand_status votes: votes_for_cand
      rankedChoiceRounds: rounds { round: rcv_round votesGained: votes_for status } parties { id name url }
      person { id firstName: first_name name lastName: last_name url ${contacts} } }`,
  measure: `id name url status type yesVote: yes_vote noVote: no_vote officialTitle: official_title
    electionDate: election_date yesVotesTotal: yes_votes_total noVotesTotal: no_votes_total`,
};
const ballot = `district { id name type } races { ${handWritten.race} } ballotMeasures: ballot_measures { ${handWritten.measure} }`;

/** Documents for mercurius and Apollo Server, with the field names of this service. */
export const handWrittenDocuments: Documents = {
  districts: `query ($latitude: Float!, $longitude: Float!) { districts: districtsAt(latitude: $latitude, longitude: $longitude) {
    id name type url ocdId: ocdid ncesId: nces_id geoId: geo_id state endDate: end_date precise: precise_boundary } }`,
  officeholders: `query ($latitude: Float!, $longitude: Float!) { districts: districtsAt(latitude: $latitude, longitude: $longitude) {
    id name type state precise: precise_boundary offices { id name type level branch officeholders {
      id status partyId: partisan_affiliation ${contacts} person { name lastName: last_name url ${contacts} } } } } }`,
  ballot: `query ($latitude: Float!, $longitude: Float!, $electionDate: String!) {
    ballot: ballotAt(latitude: $latitude, longitude: $longitude, date: $electionDate) { ${ballot} } }`,
  state: `query ($state: String!, $electionDate: String!) {
    ballot: stateBallot(state: $state, date: $electionDate) { ${ballot} } }`,
  races: `query ($state: String!, $electionDate: String!) { races(state: $state, date: $electionDate) {
    id type year stageType: stage_type numberOfSeats: number_of_seats office { id name level branch }
    candidates { id status: cand_status votes: votes_for_cand parties { id name } person { id name } } } }`,
  points: 'query ($points: [PointInput!]!) { points(points: $points) { id name type state } }',
};

const contactsOf = (owner: string) => `contacts: contactsBy${owner}IdList { type: contactType contact }`;
const generated = {
  race: `id: rowId url numberOfSeats year type isMarquee officePosition isRankedChoice resultsCertified stageType stageParty
    office: officeByOfficeId { id: rowId name level branch chamber isPartisan type seat url district: officeDistrict { id: rowId name type } }
    candidates: candidatesByRaceIdList { id: rowId fecId runningMate stageParty isIncumbent isWriteIn withdrewStillOnBallot
      status: candStatus votes: votesForCand
      rankedChoiceRounds: roundsByCandidateIdList { round votesGained: votesFor status }
      parties: candidatePartiesByCandidateIdList { party: partyByPartyId { id: rowId name url } }
      person: personByPersonId { id: rowId firstName name lastName url ${contactsOf('Person')} } }`,
  measure: `id: rowId name url status type yesVote noVote officialTitle electionDate yesVotesTotal noVotesTotal
    district: officeDistrict { id: rowId name type }`,
};

/** Documents for the schema that PostGraphile generates, with aliases for the field names of this service. */
export const postgraphileDocuments: Documents = {
  districts: `query ($latitude: Float!, $longitude: Float!) { districts: districtsAtList(latitude: $latitude, longitude: $longitude) {
    id: rowId name type url ocdId: ocdid ncesId geoId state endDate precise } }`,
  officeholders: `query ($latitude: Float!, $longitude: Float!) { districts: districtsAtList(latitude: $latitude, longitude: $longitude) {
    id: rowId name type state precise offices: officesByDistrictIdList { id: rowId name type level branch
      officeholders: officeholdersByOfficeIdList { id: rowId status partyId: partisanAffiliation ${contactsOf('Officeholder')}
        person: personByPersonId { name lastName url ${contactsOf('Person')} } } } } }`,
  ballot: `query ($latitude: Float!, $longitude: Float!, $electionDate: Date!) {
    races: racesAtList(latitude: $latitude, longitude: $longitude, day: $electionDate) { ${generated.race} }
    measures: measuresAtList(latitude: $latitude, longitude: $longitude, day: $electionDate) { ${generated.measure} } }`,
  state: `query ($state: String!, $electionDate: Date!) {
    races: stateRacesList(wanted: $state, day: $electionDate) { ${generated.race} }
    measures: stateMeasuresList(wanted: $state, day: $electionDate) { ${generated.measure} } }`,
  races: `query ($state: String!, $electionDate: Date!) { races: racesOfStateList(wanted: $state, day: $electionDate) {
    id: rowId type year stageType numberOfSeats office: officeByOfficeId { id: rowId name level branch }
    candidates: candidatesByRaceIdList { id: rowId status: candStatus votes: votesForCand
      parties: candidatePartiesByCandidateIdList { party: partyByPartyId { id: rowId name } }
      person: personByPersonId { id: rowId name } } } }`,
  points: `query ($latitudes: [Float!]!, $longitudes: [Float!]!) {
    pointDistricts: districtsAtPointsList(latitudes: $latitudes, longitudes: $longitudes) { n id: rowId name type state } }`,
};
