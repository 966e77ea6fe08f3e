import { readFileSync } from 'node:fs';

/** The documents sent to each server. This service gets those of the REST paths, so that both APIs do the same work. */
const ofRest = (name: string) => readFileSync(new URL(`../src/rest/${name}.graphql`, import.meta.url), 'utf8');

export const ours = {
  districts: ofRest('districts-point'),
  officeholders: `${ofRest('officeholders')}${ofRest('collections')}`,
  ballot: `${ofRest('elections-by-point')}${ofRest('contests')}${ofRest('collections')}`,
  state: `${ofRest('elections-by-state')}${ofRest('contests')}${ofRest('collections')}`,
  points: 'query ($points: [PointInput!]!) { locations(points: $points) { districts { id name type state } } }',
} as const;

const handWritten = {
  district: 'id name type url ocdId: ocdid ncesId: nces_id geoId: geo_id state',
  person: 'name lastName: last_name url contacts { type: contact_type contact }',
  race: `id url numberOfSeats: number_of_seats year type isMarquee: is_marquee officePosition: office_position
    isRankedChoice: is_ranked_choice resultsCertified: results_certified stageType: stage_type stageParty: stage_party
    office { id name level branch chamber isPartisan: is_partisan type seat url }
    candidates { id fecId: fec_id runningMate: running_mate stageParty: stage_party isIncumbent: is_incumbent
      isWriteIn: is_write_in withdrewStillOnBallot: withdrew_still_on_ballot status: cand_status votes: votes_for_cand
      rankedChoiceRounds: rounds { round: rcv_round votesGained: votes_for status } parties { id name url }
      person { id firstName: first_name name lastName: last_name url contacts { type: contact_type contact } } }`,
  measure: `id name url status type yesVote: yes_vote noVote: no_vote officialTitle: official_title
    electionDate: election_date yesVotesTotal: yes_votes_total noVotesTotal: no_votes_total`,
};

/** Documents for mercurius and Apollo Server, with the field names of this service. */
export const written = {
  districts: `query ($latitude: Float!, $longitude: Float!) { districts: districtsAt(latitude: $latitude, longitude: $longitude) {
    ${handWritten.district} endDate: end_date precise: precise_boundary } }`,
  officeholders: `query ($latitude: Float!, $longitude: Float!) { districts: districtsAt(latitude: $latitude, longitude: $longitude) {
    id name type state precise: precise_boundary offices { id name type level branch officeholders {
      id status partyId: partisan_affiliation contacts { type: contact_type contact } person { ${handWritten.person} } } } } }`,
  ballot: `query ($latitude: Float!, $longitude: Float!, $electionDate: String!) {
    ballot: ballotAt(latitude: $latitude, longitude: $longitude, date: $electionDate) {
      district { id name type } races { ${handWritten.race} } ballotMeasures: ballot_measures { ${handWritten.measure} } } }`,
  state: `query ($state: String!, $electionDate: String!) { ballot: stateBallot(state: $state, date: $electionDate) {
      district { id name type } races { ${handWritten.race} } ballotMeasures: ballot_measures { ${handWritten.measure} } } }`,
  points: 'query ($points: [PointInput!]!) { points(points: $points) { id name type state } }',
} as const;

const contacts = (owner: string) => `contacts: contactsBy${owner}Id { nodes { type: contactType contact } }`;

const grown = {
  race: `id: rowId url numberOfSeats year type isMarquee officePosition isRankedChoice resultsCertified stageType stageParty
    office: officeByOfficeId { id: rowId name level branch chamber isPartisan type seat url district: districtByDistrictId { id: rowId name type } }
    candidates: candidatesByRaceId { nodes { id: rowId fecId runningMate stageParty isIncumbent isWriteIn withdrewStillOnBallot
      status: candStatus votes: votesForCand
      rankedChoiceRounds: roundsByCandidateId { nodes { round votesGained: votesFor status } }
      parties: candidatePartiesByCandidateId { nodes { party: partyByPartyId { id: rowId name url } } }
      person: personByPersonId { id: rowId firstName name lastName url ${contacts('Person')} } } }`,
  measure: `id: rowId name url status type yesVote noVote officialTitle electionDate yesVotesTotal noVotesTotal
    district: districtByDistrictId { id: rowId name type }`,
};

/** Documents for PostGraphile, with aliases for the field names of this service where it accepts them. */
export const postgraphile = {
  districts: `query ($latitude: Float!, $longitude: Float!) { districts: districtsAt(latitude: $latitude, longitude: $longitude) {
    nodes { id: rowId name type url ocdId: ocdid ncesId geoId state endDate precise } } }`,
  officeholders: `query ($latitude: Float!, $longitude: Float!) { districts: districtsAt(latitude: $latitude, longitude: $longitude) {
    nodes { id: rowId name type state precise offices: officesByDistrictId { nodes { id: rowId name type level branch
      officeholders: officeholdersByOfficeId { nodes { id: rowId status partyId: partisanAffiliation ${contacts('Officeholder')}
        person: personByPersonId { name lastName url ${contacts('Person')} } } } } } } } }`,
  ballot: `query ($latitude: Float!, $longitude: Float!, $electionDate: Date!) {
    races: racesAt(latitude: $latitude, longitude: $longitude, day: $electionDate) { nodes { ${grown.race} } }
    measures: measuresAt(latitude: $latitude, longitude: $longitude, day: $electionDate) { nodes { ${grown.measure} } } }`,
  state: `query ($state: String!, $electionDate: Date!) {
    races: stateRaces(wanted: $state, day: $electionDate) { nodes { ${grown.race} } }
    measures: stateMeasures(wanted: $state, day: $electionDate) { nodes { ${grown.measure} } } }`,
  points: (count: number) =>
    `query (${list(count, (n) => `$a${n}: Float!, $b${n}: Float!`)}) { ${list(
      count,
      (n) => `p${n}: districtsAt(latitude: $a${n}, longitude: $b${n}) { nodes { id: rowId name type state } }`,
    )} }`,
} as const;

function list(count: number, item: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => item(n)).join(' ');
}
