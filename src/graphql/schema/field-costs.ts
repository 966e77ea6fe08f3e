/**
 * The assumed number of records in each list of the schema, by type and field: near the usual maximum (in the four
 * states of the test data, 99 of 100 lists are shorter), or lower where the average over many parents matters. Pages
 * and lists of points or ids are as long as their arguments. A test checks that no list is missing.
 */
export const LIST_SIZES: Readonly<Record<string, number>> = {
  'Location.districts': 10,
  'Location.districtsWithBoundary': 10,
  'Location.elections': 10,
  'Location.changes': 8,
  'Location.nearestLines': 10,
  'NearestLine.neighbors': 1,
  'LocationLayer.changes': 2,
  'LocationChange.before': 1,
  'LocationChange.after': 1,
  'LocationChange.officeholdersBefore': 2,
  'LocationChange.officeholdersAfter': 2,
  'Location.ballots': 10,
  'Ballot.elections': 2,
  'Ballot.districts': 8,
  'BallotDistrict.races': 5,
  'BallotDistrict.ballotMeasures': 3,
  'District.boundaries': 2,
  'DistrictSuccession.parts': 5,
  'MapChanges.successors': 20,
  'MapChanges.predecessors': 20,
  'District.offices': 2,
  'District.officeholders': 4,
  'District.elections': 5,
  'District.races': 25,
  'District.ballotMeasures': 10,
  'Office.officeholders': 2,
  'Office.terms': 10,
  'Office.races': 10,
  'Race.electedOfficeholders': 1,
  // A member of Congress has one for each two-year term.
  'Person.officeholders': 25,
  'Person.candidacies': 5,
  'Election.districts': 200,
  'Race.candidates': 4,
  'Candidate.parties': 1,
  'Candidate.rankedChoiceRounds': 3,
  'Area.districts': 20,
  'Geocoding.matches': 1,
  'ZipCodeArea.districts': 20,
  // As for `edges`, the size of the page counts for the connection.
  'BallotDistrictConnection.nodes': 1,
  'BallotMeasureConnection.nodes': 1,
  'CandidateConnection.nodes': 1,
  'DistrictConnection.nodes': 1,
  'DistrictContainmentConnection.nodes': 1,
  'ElectionConnection.nodes': 1,
  'OfficeConnection.nodes': 1,
  'OfficeholderConnection.nodes': 1,
  'PartyConnection.nodes': 1,
  'PersonConnection.nodes': 1,
  'RaceConnection.nodes': 1,
  'Query.bulkQueries': 10,
  'Query.coverage': 25,
  'Query.sources': 50,
};

/** List sizes of fields by name alone, for every type that has the field. */
export const LIST_SIZES_OF_ANY_TYPE: Readonly<Record<string, number>> = {
  edges: 1,
  contacts: 4,
  socialLinks: 3,
  sources: 2,
  identifiers: 4,
};

/**
 * The cost of a leaf by the value of an argument (0 if it is omitted, or if the leaf has none): the number of records of
 * the same size in bytes, or that take as long.
 */
export interface LeafCost {
  readonly argument?: string;
  readonly of: (value: number) => number;
}

/** A record takes about 100 bytes. */
const LARGE_GEOMETRY = 2_000;
const LEAST_GEOMETRY = 100;

/**
 * Returns the cost of a geometry simplified by `tolerance` metres. A large boundary with all points has 200 kB (the
 * largest 700 kB). Simplified by 50 metres it has half of that, and by 1000 metres 10 kB; islands remain at any
 * tolerance.
 */
function geometryCost(tolerance: number): number {
  return Math.max(LEAST_GEOMETRY, Math.round(LARGE_GEOMETRY / (1 + Math.max(tolerance, 0) / 50)));
}

export const LEAF_COSTS: Readonly<Record<string, LeafCost>> = {
  'Boundary.geometry': { argument: 'tolerance', of: geometryCost },
  // Computed once for each area, and not for each of the 20 districts that are assumed.
  'DistrictShare.addressShare': { argument: 'on', of: () => 50 },
  'DistrictSuccessionPart.addressShare': { of: () => 50 },
  'Area.isSplit': { argument: 'types', of: () => 1_000 },
  'ZipCodeArea.isSplit': { argument: 'types', of: () => 1_000 },
};

/**
 * The cost of leaves of every connection, once for the connection: both read the whole list, which has up to 300,000
 * records in the national store of the benchmark.
 */
export const CONNECTION_COSTS: Readonly<Record<string, number>> = {
  totalCount: 1_000,
  updatedAt: 8_000,
  // These join the tables of races or offices with those of their people.
  'CandidateConnection.totalCount': 4_000,
  'OfficeholderConnection.totalCount': 6_000,
  'OfficeholderConnection.updatedAt': 12_000,
};

/**
 * The cost of giving an argument, in addition to that of the field: `address` is what `Query.geocode` finds, and for
 * `updatedSince` the times of all records are compared.
 */
export const ARGUMENT_COSTS: Readonly<Record<string, number>> = {
  address: 1_000,
  updatedSince: 6_000,
};

/**
 * The cost of each field of the query type, in addition to its records: it sends a statement of its own, and a list finds
 * its page among the records of a state or of the country.
 */
export const ROOT_COSTS = { field: 20, connection: 100 };

/**
 * The cost of computing a field once, in addition to its records. Comparing the outlines of a district takes 5 to 300 ms,
 * in which PostgreSQL could read thousands of records; what it takes beyond the usual is counted when the operation runs.
 */
export const COMPUTATION_COSTS: Readonly<Record<string, number>> = {
  'District.containedIn': 1_000,
  'District.contains': 1_000,
  'District.successors': 1_000,
  'District.predecessors': 1_000,
  // An address takes 2 to 20 ms of the gateway and as much of the database.
  'Query.geocode': 1_000,
  'Area.boundingBox': 40,
  'Area.districts': 1_000,
  'Boundary.boundingBox': 40,
  'Location.ballot': 20,
  'Location.changes': 60,
  'Location.nearestLines': 500,
  'LocationChange.firstRace': 5,
  'Location.ballots': 20,
  'Location.districts': 20,
  'Location.districtsWithBoundary': 20,
  'Location.elections': 20,
  'Query.coverage': 2_000,
  'Query.mapChanges': 5_000,
  'Query.officeholders': 100,
  // All races of a day are read, to return the first ones.
  'Query.races': 1_000,
  'ZipCodeArea.boundingBox': 40,
  'ZipCodeArea.districts': 1_000,
};
