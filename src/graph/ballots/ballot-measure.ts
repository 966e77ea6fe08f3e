import { builder, requireGrants } from '../builder/builder.ts';
import { DATABASE_ID, recordId } from '../builder/global-id.ts';
import { wholeFloat } from '../builder/leaf.ts';
import { NodeInterface } from '../builder/node.ts';
import { recordField } from '../builder/record-field.ts';
import { DistrictObject } from '../districts/district.ts';
import { districts } from '../districts/districts.store.ts';
import { ElectionObject } from '../elections/election.ts';
import { elections } from '../elections/elections.store.ts';
import { type MeasureRow, measures } from './ballots.store.ts';
import { measureStatusField } from './enums.ts';

export const BallotMeasureObject = builder.objectRef<MeasureRow>('BallotMeasure').implement({
  interfaces: [NodeInterface],
  description: 'A question on the ballot that voters answer with yes or no.',
  fields: (t) => ({
    id: t.id(recordId('BallotMeasure')),
    databaseId: t.exposeInt('id', { description: DATABASE_ID }),
    name: t.exposeString('name', { description: 'The short name, for example `Question 1`.' }),
    type: t.exposeString('type', {
      nullable: true,
      description: 'Type of measure, an open set: `Citizen initiative`, `Bond issue` and others; null when not known.',
    }),
    officialTitle: t.exposeString('official_title', {
      nullable: true,
      description: 'The question as printed on the ballot; null when not known.',
    }),
    yesVote: t.exposeString('yes_vote', {
      nullable: true,
      description:
        'The effect of a yes vote; null when not known. May contain HTML, passed through unchanged from the source.',
    }),
    noVote: t.exposeString('no_vote', {
      nullable: true,
      description:
        'The effect of a no vote; null when not known. May contain HTML, passed through unchanged from the source.',
    }),
    url: t.exposeString('url', {
      nullable: true,
      description: 'A public page about the measure; null when none is known.',
    }),
    electionDate: t.expose('election_date', { type: 'Date', description: 'The election date of the measure.' }),
    election: t.field({
      type: ElectionObject,
      description: 'The election that the measure is part of.',
      ...elections.of('election_id'),
    }),
    district: t.field({
      type: DistrictObject,
      nullable: true,
      description:
        'The district that votes on the measure, within its boundary in effect on the election date. Null only if it was deleted while the request was executed.',
      ...districts.of('district_id'),
    }),
    status: t.exposeString('status', {
      nullable: true,
      description:
        'Status of the measure: `Proposed`, `On the ballot` and others; and the results `Approved`, `Defeated` and `Too close to call`. Null when not known.',
      grantsOfSomeValues: [['results']],
    }),
    statusCode: t.field({ ...measureStatusField('status', '`status`'), grantsOfSomeValues: [['results']] }),
    yesVotesTotal: t.expose('yes_votes_total', {
      ...wholeFloat,
      description: 'Number of yes votes, a whole number that may exceed 32 bits; null when not known.',
      ...requireGrants('results'),
    }),
    noVotesTotal: t.expose('no_votes_total', {
      ...wholeFloat,
      description: 'Number of no votes, a whole number that may exceed 32 bits; null when not known.',
      ...requireGrants('results'),
    }),
    yesShare: t.float({
      description:
        'Yes votes as a fraction of all yes and no votes, from 0 to 1; null when not known or when there are no votes. A measure may need more than half to pass.',
      ...requireGrants('results'),
      resolve: yesShareOf,
    }),
  }),
});

function yesShareOf({ yes_votes_total: yes, no_votes_total: no }: MeasureRow): number | null {
  return yes != null && no != null && yes + no > 0 ? yes / (yes + no) : null;
}

recordField(BallotMeasureObject, { grants: ['elections'], load: measures.load });
