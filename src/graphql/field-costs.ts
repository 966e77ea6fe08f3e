/**
 * How many records the lists of the schema hold, by type and field: near the most that is usual (in the four states that
 * the tests load, 99 of 100 lists are shorter), lower where an average over many parents is what counts. Pages and lists of
 * points are as long as their arguments say. A test holds that no list is missing.
 */
export const LIST_SIZES: Readonly<Record<string, number>> = {
  'Location.districts': 10,
  'Location.elections': 10,
  'Ballot.elections': 2,
  'Ballot.districts': 8,
  'BallotDistrict.races': 5,
  'BallotDistrict.ballotMeasures': 3,
  'District.boundaries': 2,
  'District.offices': 2,
  'Office.officeholders': 2,
  // A member of Congress has one every two years.
  'Person.officeholders': 25,
  'Person.candidacies': 5,
  'Election.districts': 200,
  'Race.candidates': 4,
  'Candidate.parties': 1,
  'Candidate.rankedChoiceRounds': 3,
  'Query.bulkQueries': 10,
};

/** Those of every type that has the field. */
export const LIST_SIZES_OF_ANY_TYPE: Readonly<Record<string, number>> = {
  edges: 1,
  contacts: 4,
  socialLinks: 3,
  sources: 2,
  identifiers: 4,
};

/** What a leaf counts by the value of an argument (0 when it is left out), in records that take as many bytes. */
export interface LeafCost {
  readonly argument: string;
  readonly of: (value: number) => number;
}

/** A record takes about 100 bytes. */
const LARGE_GEOMETRY = 2_000;
const LEAST_GEOMETRY = 100;

/**
 * An outline of all points has 200 KB where it is large (700 KB where it is largest). One that is simplified by 50 metres
 * has half of that, and by 1000 metres 10 KB; islands remain at any tolerance.
 */
export function geometryCost(tolerance: number): number {
  return Math.max(LEAST_GEOMETRY, Math.round(LARGE_GEOMETRY / (1 + Math.max(tolerance, 0) / 50)));
}

export const LEAF_COSTS: Readonly<Record<string, LeafCost>> = {
  'Boundary.geometry': { argument: 'tolerance', of: geometryCost },
};
