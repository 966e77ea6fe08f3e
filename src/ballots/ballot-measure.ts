import { DistrictObject, districtById } from '../districts/district.ts';
import { districtInSql } from '../districts/districts.store.ts';
import { ElectionObject } from '../elections/election.ts';
import { electionInSql } from '../elections/elections.store.ts';
import { builder, requireGrants } from '../graphql/builder.ts';
import { inSql } from '../graphql/in-sql.ts';
import { createLoader, loadable, matchByKey } from '../graphql/loader.ts';
import { type MeasureRow, measuresById } from './ballots.store.ts';
import { maySeeResults, OPEN_MEASURE_STATUSES, statusInSql } from './results.ts';

const measureById = createLoader(async (context, ids: readonly number[]) =>
  matchByKey(ids, await measuresById(context.db, ids, maySeeResults(context)), (measure) => measure.id),
);

export const BallotMeasureObject = builder.objectRef<MeasureRow>('BallotMeasure').implement({
  description: 'A question on the ballot that voters answer with yes or no.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Internal ID; stable across imports.' }),
    name: t.exposeString('name', { description: 'The short name, for example `Question 1`.' }),
    type: t.exposeString('type', {
      nullable: true,
      description: 'Type of measure, an open set: `Citizen initiative`, `Bond issue` and others.',
    }),
    officialTitle: t.exposeString('official_title', {
      nullable: true,
      description: 'The question as printed on the ballot.',
    }),
    yesVote: t.exposeString('yes_vote', {
      nullable: true,
      description: 'The effect of a yes vote. May contain HTML, passed through unchanged from the source.',
    }),
    noVote: t.exposeString('no_vote', {
      nullable: true,
      description: 'The effect of a no vote. May contain HTML, passed through unchanged from the source.',
    }),
    url: t.exposeString('url', { nullable: true, description: 'A public page about the measure.' }),
    electionDate: t.field({
      type: 'Date',
      description: 'The election date of the measure.',
      resolve: (measure) => measure.election.date,
      ...inSql(({ row }) => `(select date from elections where id = ${row}.election_id)`),
    }),
    election: t.field({
      type: ElectionObject,
      description: 'The election that the measure is part of.',
      resolve: (measure) => measure.election,
      ...inSql(electionInSql),
    }),
    district: t.field({
      type: DistrictObject,
      nullable: true,
      description: 'The district that votes on the measure, within its boundary in effect on the election date.',
      ...loadable(districtById, ({ district_id }: MeasureRow) => district_id, districtInSql),
    }),
    status: t.exposeString('status', {
      nullable: true,
      description:
        'Status of the measure: `Proposed`, `On the ballot` and others; and, only with the grant `results`, `Approved`, `Defeated` and `Too close to call`. Null when not known or not visible to the caller.',
      ...inSql(statusInSql('status', OPEN_MEASURE_STATUSES)),
    }),
    yesVotesTotal: t.int({
      description: 'Number of yes votes; null when not known. Needs the grant `results`.',
      ...requireGrants('results'),
      resolve: (measure) => measure.yes_votes_total,
      ...inSql(({ row }) => `${row}.yes_votes_total`),
    }),
    noVotesTotal: t.int({
      description: 'Number of no votes; null when not known. Needs the grant `results`.',
      ...requireGrants('results'),
      resolve: (measure) => measure.no_votes_total,
      ...inSql(({ row }) => `${row}.no_votes_total`),
    }),
    yesShare: t.float({
      description:
        'Yes votes as a fraction of all yes and no votes, from 0 to 1; null when not known or when there are no votes. A measure may need more than half to pass. Needs the grant `results`.',
      ...requireGrants('results'),
      resolve: yesShareOf,
    }),
  }),
});

function yesShareOf({ yes_votes_total: yes, no_votes_total: no }: MeasureRow): number | null {
  return yes != null && no != null && yes + no > 0 ? yes / (yes + no) : null;
}

builder.queryField('ballotMeasure', (t) =>
  t.field({
    type: BallotMeasureObject,
    description: 'One ballot measure by id; null when there is none. Needs the grant `elections`.',
    ...requireGrants('elections'),
    args: { id: t.arg.int({ required: true, description: 'The internal ID, as returned in `id`.' }) },
    resolve: (_, { id }, context) => measureById(context).load(id),
  }),
);
