import type { State } from '../../base/words/states.ts';

/** A county, or a town in a state whose results list towns, under the name that the source uses. */
export interface Area {
  readonly name: string;
  /** The GEOID, where the source has it. */
  readonly fips: string;
}

/** The data of a source about a contest, without its candidates. */
export interface ContestFacts {
  readonly state: State;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly special: boolean;
  /** The office or question, in capitals. */
  readonly office: string;
  /** The district in capitals without leading zeros; empty for none. */
  readonly district: string;
  /** The words that the source writes in capitals beside others that it does not: `BART` in `BART Director`. */
  readonly acronyms: readonly string[];
  /** True if the source calls it a contest of the state or of Congress; false for a local one, null if it does not say. */
  readonly ofState: boolean | null;
  /** The counties with votes. */
  readonly counties: readonly Area[];
  /** The towns with votes, where results are by town. */
  readonly towns: readonly Area[];
  /** True if the files have some counties of a state only: contests of more than a county may have votes in others. */
  readonly isPartial: boolean;
  /** The number of counties in the files. */
  readonly countiesInFiles: number;
  /** True if the files have some towns of a county only, and the text does not say that it is a contest of a town. */
  readonly isPartOfCounty: boolean;
  /** True if all counties of the state vote on it. */
  readonly everywhere: boolean;
  /** True if no other county has a district of this office with the same number. */
  readonly isNumberOfState: boolean;
  /** True if counties without a candidate in common have a district of this number: the number is within a part of the state. */
  readonly isNumberRepeated: boolean;
  /** True if other rows of the office and district have some of the candidates, and may be votes of the contest. */
  readonly isIncomplete: boolean;
  /** True if a county votes on several numbers of the office: those of a court are seats, not districts. */
  readonly isSeatNumber: boolean;
  /**
   * Whose office a plain title such as `Treasurer` is in the files of some counties, by the other offices in them: the county's
   * if they have a `State Auditor`, or no officer of the state; the state's if they have a `County Auditor`.
   */
  readonly plainTitles: 'county' | 'state' | 'unknown';
}
