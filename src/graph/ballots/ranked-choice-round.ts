import { builder } from '../builder/builder.ts';
import { wholeFloat } from '../builder/leaf.ts';
import type { RoundRow } from './candidates.store.ts';
import { roundStatusField } from './enums.ts';

export const RankedChoiceRoundObject = builder.objectRef<RoundRow>('RankedChoiceRound').implement({
  description: 'The result of a candidate in one round of a ranked-choice count.',
  fields: (t) => ({
    round: t.exposeInt('round', { description: 'Round number, starting at 1.' }),
    votesGained: t.expose('votes_for', {
      ...wholeFloat,
      nullable: true,
      description:
        'Votes gained in this round only: first choices in round 1, votes transferred from other candidates in later rounds. Negative if votes were transferred to others: the surplus of an elected candidate. Transferred votes may be fractions. The rounds add up to `Candidate.votes`, which is rounded to a whole number. Null when not known.',
    }),
    runningTotal: t.expose('running_total', {
      ...wholeFloat,
      nullable: true,
      description:
        'Total votes after this round, a fraction if votes were transferred as fractions; null if the votes gained in this or an earlier round are not known.',
    }),
    status: t.exposeString('status', {
      nullable: true,
      description: '`Advanced` to the next round, `Lost` or `Won`; null when not known.',
    }),
    statusCode: t.field(roundStatusField('status', '`status`')),
  }),
});
