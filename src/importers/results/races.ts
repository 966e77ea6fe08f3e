import type { State } from '../../base/words/states.ts';
import type { ReportKind } from '../exchange/report-kinds.ts';
import type { NameVotes } from './candidates.ts';
import type { RawContest } from './cells.ts';
import type { LawFacts } from './laws.ts';
import type { NamedContest } from './name-contest.ts';
import type { PlacedContest } from './place-contest.ts';

/** A race while its file is counted. */
export interface DraftRace {
  readonly key: string;
  readonly contests: Set<number>;
  readonly raw: RawContest;
  readonly state: State;
  readonly date: string;
  readonly stage: string;
  readonly isSpecial: boolean;
  /** 0 for the count, 1 for the first recount. */
  readonly recount: number;
  readonly named: NamedContest;
  readonly placed: PlacedContest;
  readonly law: LawFacts;
  readonly counties: Set<string>;
  readonly magnitudes: Set<number>;
}

/** A race, or a question, as far as a file has it. */
export interface FileRace {
  readonly key: string;
  readonly file: string;
  /** The files of which it is joined; undefined for one. */
  readonly files?: ReadonlySet<string>;
  readonly state: State;
  readonly date: string;
  readonly stage: string;
  readonly isSpecial: boolean;
  readonly recount: number;
  readonly isRecall: boolean;
  readonly party: string;
  readonly named: NamedContest;
  readonly placed: PlacedContest;
  readonly law: LawFacts;
  /** The texts of its contests, as the file writes them. */
  readonly written: ReadonlySet<string>;
  readonly names: readonly NameVotes[];
  /** The file writes last names first. */
  readonly isLastNameFirst: boolean;
  /** The GEOIDs of the counties with votes. */
  readonly counties: ReadonlySet<string>;
  readonly magnitudes: ReadonlySet<number>;
  /** The number of its units. */
  readonly units: number;
  /** The ballots of the units with a count, by other offices, and the most that may be missing in the units of its place. */
  readonly ballots: number | undefined;
  readonly missing: number;
  /** The votes in its units, without a name, that have a district which the chamber does not have. */
  readonly strays: number;
  /** Its contests have rows in one unit: they contradict each other. */
  readonly isContradictory: boolean;
  readonly line: number;
}

/** A contest that no row declares, or whose place is not there, as the source writes it. */
export interface UnplacedContest {
  readonly file: string;
  readonly state: string;
  readonly date: string;
  readonly stage: string;
  readonly isSpecial: boolean;
  readonly party: string;
  readonly office: string;
  readonly district: string;
  readonly county: string;
  readonly isCountyKnown: boolean;
  readonly names: readonly { readonly name: string; readonly party: string; readonly votes: number }[];
  /** Why it is not placed; undefined if no row declares its office. */
  readonly reason: string | undefined;
  readonly kind: ReportKind;
  readonly line: number;
}

/** What a file has, by races and what is left. */
export interface FileCount {
  readonly races: readonly FileRace[];
  readonly unplaced: readonly UnplacedContest[];
  /** The GEOIDs of the counties of each state in the file. */
  readonly counties: ReadonlyMap<string, ReadonlySet<string>>;
  /** Contests with far more votes in a precinct than others have there. */
  readonly outliers: readonly { readonly record: string; readonly votes: number; readonly others: number }[];
  /** Texts in the column of the office that are no contests. */
  readonly noContests: readonly string[];
}
