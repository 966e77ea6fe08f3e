import type { ScopeBasis } from '../../store/sql/tables.ts';
import type { Office } from '../facts/offices.ts';
import type { Place } from '../facts/places.ts';
import type { PrecinctVotes } from './candidates.ts';

export interface ElectionFacts {
  readonly place: Place;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly type: string;
}

export interface RaceFacts {
  readonly election: ElectionFacts;
  readonly office: Office;
  readonly type: 'Regular' | 'Special' | 'Retention';
  readonly stage: string;
  readonly stageParty?: string;
  /** Null if nothing states the number. */
  readonly seats: number | null;
  /** The seat, if several seats are elected separately. */
  readonly position?: string;
  readonly isRankedChoice?: boolean;
  /** What shows that the district votes on the race; none for sources that list races by district. */
  readonly basis?: ScopeBasis;
  /** Votes that the race may have, and that are left out. */
  readonly leftOut?: number;
}

export interface CandidateFacts {
  readonly name: string;
  readonly parties?: readonly string[];
  readonly runningMate?: string;
  readonly isWriteIn?: boolean;
  readonly votes?: number | null;
  readonly status?: string;
  readonly precincts?: PrecinctVotes;
  readonly personUrl?: string;
  readonly contacts?: readonly {
    readonly collection: 'contact' | 'social';
    readonly type: string;
    readonly contact: string;
  }[];
  /** Votes gained in each round, in the order of the rounds. */
  readonly rounds?: readonly { readonly votes: number; readonly status: string }[];
}
