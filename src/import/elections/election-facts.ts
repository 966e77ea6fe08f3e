import type { Office } from './offices.ts';
import type { Place } from './places.ts';

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
  readonly seats: number;
  /** Which of several seats that are elected apart. */
  readonly position?: string;
  readonly isRankedChoice?: boolean;
}

export interface CandidateFacts {
  readonly name: string;
  readonly parties?: readonly string[];
  readonly runningMate?: string;
  readonly isWriteIn?: boolean;
  readonly votes?: number | null;
  readonly status?: string;
  readonly personUrl?: string;
  readonly contacts?: readonly {
    readonly collection: 'contact' | 'social';
    readonly type: string;
    readonly contact: string;
  }[];
  /** Votes gained in each round, the first one first. */
  readonly rounds?: readonly { readonly votes: number; readonly status: string }[];
}
