import { type Html, html } from './html.ts';
import { longDay } from './words.ts';

/** A move of a point from one district to another, because a newer map began. */
export interface Move {
  /** The first day of the newer map. */
  readonly day: string;
  readonly from: string;
  readonly to: string;
  /** The day of the first election that uses the newer map; undefined if none is known. */
  readonly election: string | undefined;
}

/** Says when a point moved, and whether an election before that day was already held in the new district. */
export function moveSentence({ day, from, to, election }: Move): Html {
  return html`On ${longDay(day)} this point moved from <bdi>${from}</bdi> to <bdi>${to}</bdi>${election !== undefined && election < day && html`; the election of ${longDay(election)} was already held in <bdi>${to}</bdi>`}.`;
}
