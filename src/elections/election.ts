import { DistrictObject, districtById } from '../districts/district.ts';
import { builder, needs } from '../graphql/builder.ts';
import { connectionType } from '../graphql/connection-type.ts';
import { inSql } from '../graphql/in-sql.ts';
import { createLoader, loadable, matchByKey } from '../graphql/loader.ts';
import { ElectionFilterInput, readElectionFilter } from './election-filter.ts';
import { countElections, type ElectionRow, electionsById, pageOfElections } from './elections.store.ts';
import { numberedConnection, numberedPageArgs } from './numbered-page.ts';

/** An election; `idIsOpen` when it was reached by a way on which its id takes no grant. */
export interface ElectionNode extends ElectionRow {
  readonly idIsOpen?: boolean;
}

const electionById = createLoader(async (context, ids: readonly number[]) =>
  matchByKey(ids, await electionsById(context.db, ids), (election) => election.id),
);

export const ElectionObject = builder.objectRef<ElectionNode>('Election');

ElectionObject.implement({
  description: 'A day on which a district votes. Several districts may hold elections on the same day.',
  fields: (t) => ({
    id: t.int({
      nullable: true,
      description:
        'Ours, stable over repeated loads. Needs the grant `election_ids`, except on an election that was found by a point or by the id itself.',
      resolve: ({ id, idIsOpen }, _, context) => (idIsOpen || context.caller.grants.has('election_ids') ? id : null),
      // Nothing in SQL leads here by a point or an id.
      ...inSql(({ row, isGranted }) => (isGranted('election_ids') ? `${row}.id` : 'null::int')),
    }),
    date: t.expose('date', { type: 'Date', description: 'Election day: the last day for voting.' }),
    type: t.exposeString('type', {
      description: 'An open set: `General`, `Primary`, `Special`, `Recall`, `General Runoff` and others.',
    }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'Free text; for recalls it may be the address of a page.',
    }),
    candidateListsComplete: t.exposeBoolean('candidate_lists_complete', {
      description: 'Whether all candidates of all its races are known.',
    }),
    state: t.exposeString('state', {
      nullable: true,
      description:
        'Of the district that holds it, as two letters; `US` for the country, null where that belongs to no one state.',
    }),
    district: t.field({
      type: DistrictObject,
      description: 'The district that holds it. Needs the grant `election_districts`.',
      ...needs('election_districts'),
      ...loadable(districtById, ({ district_id }: ElectionNode) => district_id),
    }),
  }),
});

const ElectionConnection = connectionType(ElectionObject, 'elections');

builder.queryFields((t) => ({
  election: t.field({
    type: ElectionObject,
    description: 'One election by id; null when there is none. Needs the grant `election_dates` or `elections`.',
    ...needs('election_dates', 'elections'),
    args: { id: t.arg.int({ required: true, description: 'Our id.' }) },
    resolve: async (_, { id }, context) => {
      const election = await electionById(context).load(id);
      return election && { ...election, idIsOpen: true };
    },
  }),
  elections: t.field({
    type: ElectionConnection,
    description:
      'Elections that fit the filter, by date, then by id; all when it is left out. Needs the grant `election_dates`.',
    ...needs('election_dates'),
    args: {
      filter: t.arg({ type: ElectionFilterInput, description: 'Which elections; all of them when left out.' }),
      ...numberedPageArgs,
    },
    resolve: (_, { filter, ...page }, context) => {
      const read = readElectionFilter(filter);
      return numberedConnection(
        page,
        (offset, limit) => pageOfElections(context.db, read, offset, limit),
        () => countElections(context.db, read),
      );
    },
  }),
}));
