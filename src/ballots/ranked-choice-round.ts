import { builder } from '../graphql/builder.ts';
import { inSql } from '../graphql/in-sql.ts';
import { type RoundRow, runningTotalInSql } from './candidates.store.ts';

export interface RankedChoiceRoundNode extends RoundRow {
  readonly runningTotal: number | null;
}

/**
 * Returns the rounds in order, each with the votes that the candidate has gained up to and including it; null if any of
 * these gains is not known.
 */
export function withRunningTotals(rounds: readonly RoundRow[]): RankedChoiceRoundNode[] {
  let runningTotal: number | null = 0;
  return rounds.map((round) => {
    runningTotal = runningTotal === null || round.votes_for === null ? null : runningTotal + round.votes_for;
    return { ...round, runningTotal };
  });
}

export const RankedChoiceRoundObject = builder.objectRef<RankedChoiceRoundNode>('RankedChoiceRound').implement({
  description: 'The result of a candidate in one round of a ranked-choice count.',
  fields: (t) => ({
    round: t.exposeInt('round', { description: 'Round number, starting at 1.' }),
    votesGained: t.exposeInt('votes_for', {
      nullable: true,
      description:
        'Votes gained in this round only: first choices in round 1, votes transferred from other candidates in later rounds. The rounds add up to `Candidate.votes`. Null when not known.',
    }),
    runningTotal: t.int({
      nullable: true,
      description: 'Total votes after this round; null if the votes gained in this or an earlier round are not known.',
      resolve: (round) => round.runningTotal,
      ...inSql(runningTotalInSql),
    }),
    status: t.exposeString('status', {
      nullable: true,
      description: '`Advanced` to the next round, `Lost` or `Won`; null when not known.',
    }),
  }),
});
