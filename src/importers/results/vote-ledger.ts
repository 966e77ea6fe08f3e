import { ImportError } from '../exchange/import-rows.ts';
import type { Contest } from './result-contests.ts';

/** What became of the votes of a contest. */
interface Account {
  readonly record: string;
  readonly votes: number;
  stored: number;
  reported: number;
}

/** Keeps account of the votes of an import: every vote of a contest is stored or in the report. */
export class VoteLedger {
  readonly #accounts = new Map<Contest, Account>();

  /** Opens the account of a contest, with all votes that its file has for it. */
  open(contest: Contest, record: string): void {
    const { names, pseudo, labels } = contest;
    const votes = [...names, ...pseudo, ...labels].reduce((sum, { shown }) => sum + shown, 0);
    this.#accounts.set(contest, { record, votes, stored: 0, reported: 0 });
  }

  /** Adds votes that the rows of the import have. */
  store(contest: Contest, votes: number): void {
    const account = this.#accounts.get(contest);
    if (account) account.stored += votes;
  }

  /** Adds votes that only the report has. */
  report(contest: Contest, votes: number): void {
    const account = this.#accounts.get(contest);
    if (account) account.reported += votes;
  }

  /**
   * Returns the sums of all contests.
   * @throws ImportError if votes of a contest are neither stored nor reported, or both.
   */
  close(): { readonly votes: number; readonly stored: number; readonly reported: number } {
    const all = [...this.#accounts.values()];
    const wrong = all.find(({ votes, stored, reported }) => stored + reported !== votes);
    if (wrong)
      throw new ImportError(
        `${wrong.record}: of ${wrong.votes} votes ${wrong.stored} are stored and ${wrong.reported} are in the report, which is not their sum`,
      );
    const sum = (of: (account: Account) => number) => all.reduce((total, account) => total + of(account), 0);
    return {
      votes: sum(({ votes }) => votes),
      stored: sum(({ stored }) => stored),
      reported: sum(({ reported }) => reported),
    };
  }
}
