import { globalIdOf } from '../../store/sql/functions.ts';
import { builder, requireGrants } from '../builder/builder.ts';
import { numberedPageArgs, recordConnectionType, updatedSinceArg } from '../builder/connection-type.ts';
import { DATABASE_ID, globalId, RECORD_ID, recordId } from '../builder/global-id.ts';
import { connectionOf } from '../builder/keyset.ts';
import { leaf } from '../builder/leaf.ts';
import { defineRecord, NodeInterface } from '../builder/node.ts';
import { sortOrders } from '../builder/sort-order.ts';
import { DistrictObject } from '../districts/district.ts';
import { districts } from '../districts/districts.store.ts';
import { ElectionFilterInput, readElectionFilter } from './election-filter.ts';
import {
  ELECTION_ORDERS,
  type ElectionRow,
  electionByKey,
  elections,
  electionsWhere,
  isElectionKey,
} from './elections.store.ts';
import { ElectionStatusEnum, stageField } from './enums.ts';

export const ElectionObject = builder.objectRef<ElectionRow>('Election');

ElectionObject.implement({
  interfaces: [NodeInterface],
  description: 'An election that a district holds on one day. Several districts may hold elections on the same day.',
  fields: (t) => ({
    id: t.id({
      ...recordId('Election'),
      description: `${RECORD_ID} Its key is encrypted: when the operator rotates the secret of the database, the id changes, and for some time \`node\` also finds the record by the one from before.`,
      resolve: ({ key }) => globalId('Election', key),
      ...leaf<ElectionRow>((column) => globalIdOf('Election', column('key'))),
    }),
    databaseId: t.exposeInt('id', { description: DATABASE_ID, ...requireGrants('election_ids') }),
    name: t.exposeString('name', {
      description:
        'The name for people: the type, with the state of the district that holds it, for example `Primary election in Maine`. Several elections of a day may have one name: it does not say which county or city holds one.',
    }),
    date: t.expose('date', { type: 'Date', description: 'Election day: the last day for voting.' }),
    type: t.exposeString('type', {
      description:
        'Type of election, an open set: `General`, `Primary`, `Special`, `Recall`, `General Runoff` and others.',
    }),
    typeCode: t.field(stageField('type', '`type`')),
    status: t.expose('status', {
      type: ElectionStatusEnum,
      nullable: true,
      description:
        'Whether the election is held on its day. Null if no source says so: most list an election without a status.',
    }),
    description: t.exposeString('description', {
      nullable: true,
      description: 'Free text, for recalls it may be a URL; null when the source has none.',
    }),
    candidateListsComplete: t.exposeBoolean('candidate_lists_complete', {
      description: 'Whether all candidates in all races of the election are known.',
    }),
    state: t.exposeString('state', {
      nullable: true,
      description:
        'State of the district that holds the election, as a two-letter abbreviation; `US` for the country, null if the district does not belong to a single state.',
    }),
    district: t.field({
      type: DistrictObject,
      description: 'The district that holds the election.',
      ...requireGrants('election_districts'),
      ...districts.of('district_id'),
    }),
  }),
});

const electionOrders = sortOrders('ElectionOrder', 'elections', ELECTION_ORDERS, 'DATE');

const ElectionConnection = recordConnectionType(ElectionObject, 'elections', elections.relation);

builder.queryFields((t) => ({
  election: t.field({
    type: ElectionObject,
    description: 'One election by one of its ids; null when there is none.',
    ...defineRecord(ElectionObject, {
      grants: ['election_dates', 'elections'],
      load: elections.load,
      find: async (context, key) => (isElectionKey(key) ? electionByKey.load(context, { key }) : null),
    }),
  }),
  elections: t.field({
    caching: 'whole',
    type: ElectionConnection,
    description: 'Elections that match the filter.',
    ...requireGrants('election_dates'),
    args: {
      filter: t.arg({ type: ElectionFilterInput, description: 'Which elections to return; all by default.' }),
      orderBy: t.arg(electionOrders.orderByArg),
      ...numberedPageArgs,
      ...updatedSinceArg,
    },
    resolve: (_, { filter, orderBy, ...page }, context) => {
      const list = electionsWhere(readElectionFilter(filter), electionOrders.orderOf(orderBy));
      return connectionOf<ElectionRow>(context, page, list);
    },
  }),
}));
