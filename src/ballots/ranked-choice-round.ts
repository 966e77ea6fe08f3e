import { builder } from '../graphql/builder.ts';
import { wholeFloat } from '../graphql/in-sql.ts';
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
        'Votes gained in this round only, a whole number that may exceed 32 bits: first choices in round 1, votes transferred from other candidates in later rounds. The rounds add up to `Candidate.votes`. Null when not known.',
    }),
    runningTotal: t.expose('running_total', {
      ...wholeFloat,
      nullable: true,
      description:
        'Total votes after this round, a whole number that may exceed 32 bits; null if the votes gained in this or an earlier round are not known.',
    }),
    status: t.exposeString('status', {
      nullable: true,
      description: '`Advanced` to the next round, `Lost` or `Won`; null when not known.',
    }),
    statusCode: t.field(roundStatusField('status', '`status`')),
  }),
});
