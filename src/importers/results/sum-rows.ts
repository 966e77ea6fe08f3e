/** The votes for a name of a contest in one jurisdiction of a county. */
export interface SumRow {
  readonly contest: number;
  readonly county_name: string;
  readonly county_fips: string;
  readonly jurisdiction_name: string;
  readonly jurisdiction_fips: string;
  readonly candidate: string;
  /** The first record of the name in its contest, counted from 1. */
  readonly record: number;
  /** Without the counts that the source suppresses. */
  readonly votes: number;
  /** The number of counts that the source suppresses, or that are no number of votes. */
  readonly hidden: number;
  /** The record of the first count that is no number of votes, and its text. */
  readonly bad_record: number | null;
  readonly bad_votes: string | null;
  readonly precincts: number;
  /** The most votes that the counts which are hidden, or contradict each other, may add; infinite if nothing limits them. */
  readonly doubt: number;
  readonly party: string;
  readonly is_write_in: boolean;
  /** The largest magnitude of its rows; 0 if the source has none. */
  readonly magnitude: number;
  /** The part of the contest, where precincts vote on different seats that the source does not distinguish; else 0. */
  readonly part: number;
}

/** A contest as the columns of the source identify it. */
export interface ContestRow {
  readonly contest: number;
  readonly state_po: string;
  readonly date: string;
  readonly stage: string;
  readonly special: boolean;
  readonly office: string;
  readonly district: string;
  /** The party of a primary. */
  readonly party: string;
  readonly dataverse: string;
  /** Its first record, counted from 1. */
  readonly record: number;
}

/** A contest in one jurisdiction of a county. */
export interface AreaRow {
  readonly contest: number;
  readonly county_name: string;
  readonly jurisdiction_name: string;
  readonly precincts: number;
  /** Ballots in its precincts, by the contest at the top of the ballot; null without one. */
  readonly ballots: number | null;
  /** True if some of its precincts have no contest at the top of the ballot. */
  readonly lacksBallots: boolean;
}

/** The ballots of the precincts of an area, in whatever contest. */
export interface AreaBallots {
  readonly county_name: string;
  readonly jurisdiction_name: string;
  readonly ballots: number;
  /** Those of the precincts with a contest of the state or of a part of it. */
  readonly withState: number;
  /** The votes for each office at the top of the ballot. */
  readonly byOffice: ReadonlyMap<string, number>;
  /** The ballots of the precincts with a contest of a chamber whose districts are numbered. */
  readonly byChamber: ReadonlyMap<string, number>;
}

/** The votes for a name of a contest as the candidate of one of several parties. */
export interface PartyRow {
  readonly contest: number;
  readonly candidate: string;
  readonly party: string;
  readonly votes: number;
  /** Whether one unit has several parties for the name: the nominations of all of them, and no contradiction. */
  readonly isNomination: boolean;
}
