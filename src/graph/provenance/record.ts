import { ServiceError } from '../../base/errors.ts';
import type { RecordKind } from '../../store/sql/tables.ts';
import { builder } from '../builder/builder.ts';
import type { Context } from '../builder/context.ts';
import { globalId } from '../builder/global-id.ts';
import { checkListLength } from '../builder/list-length.ts';
import { createLoader } from '../builder/loader.ts';
import {
  findEach,
  isNodeVisible,
  loadNode,
  MOST_NODES,
  NODE_GRANTS,
  NodeInterface,
  SAME_GRANTS,
} from '../builder/node.ts';
import { elections } from '../elections/elections.store.ts';
import { PartyObject } from '../officials/party.ts';
import { RECORDS } from './provenance-fields.ts';
import { type FoundRecord, findRecords, type RecordIdentifier } from './record.store.ts';

/** The names of the types by the kind of record; contacts are no records of the schema. */
export const TYPES_OF_KINDS: ReadonlyMap<RecordKind, string> = new Map(
  [...RECORDS, ['party', PartyObject] as const].map(([kind, { name }]) => [kind, name]),
);

const SCHEMES =
  'A scheme that `identifiers` shows, such as `bioguide`, `fec`, `wikidata`, `openstates-people` or `ocd-person` (Open States); or of a district `ocdid`, `geoid` (long or short) or `nces`.';
const SCHEME = { required: true, description: SCHEMES } as const;
const VALUE = {
  required: true,
  description: 'The identifier as written in that data set.',
  // Identifiers of candidates contain the names of their race and of the person.
  extensions: { maxLength: 1_000 },
} as const;

/** Maximum number of records that an error lists. */
const MOST_CHOICES = 10;

const recordsOf = createLoader(
  (context, identifiers: readonly RecordIdentifier[]) =>
    findRecords(context.db, identifiers, { candidates: isNodeVisible(context, 'Candidate') }),
  ({ scheme, value }) => `${scheme}\n${value}`,
);

/**
 * Returns the record with an identifier, among those of the types that the package includes; null if there is none.
 * @throws ServiceError INVALID_PARAMETER if the identifier is empty, or if several records have it.
 */
async function findRecord(context: Context, { scheme, value }: RecordIdentifier): Promise<object | null> {
  if (scheme === '' || value === '')
    throw new ServiceError('INVALID_PARAMETER', 'An identifier has a scheme and a value, which must not be empty.');
  const found = (await recordsOf(context).load({ scheme, value })).flatMap(({ kind, id }: FoundRecord) => {
    const type = TYPES_OF_KINDS.get(kind);
    return type && isNodeVisible(context, type) ? [{ type, id }] : [];
  });
  const [only] = found;
  if (found.length > 1) {
    const listed = found.slice(0, MOST_CHOICES);
    const choices = await Promise.all(
      listed.map(async ({ type, id }) => `${type} ${await globalIdOf(context, type, id)}`),
    );
    const more = found.length > choices.length ? ' and others' : '';
    throw new ServiceError(
      'INVALID_PARAMETER',
      `Several records have the identifier ${value} of the scheme ${scheme}: ${choices.join(', ')}${more}. Ask for one of them by its id.`,
    );
  }
  return only ? loadNode(context, only.type, only.id) : null;
}

async function globalIdOf(context: Context, type: string, id: number): Promise<string> {
  if (type !== 'Election') return globalId(type, id);
  return globalId(type, (await elections.load(context, id))?.key ?? '');
}

const IdentifierInput = builder.inputType('IdentifierInput', {
  description: 'An identifier of a record.',
  fields: (t) => ({
    scheme: t.string(SCHEME),
    value: t.string(VALUE),
  }),
});

builder.queryFields((t) => ({
  record: t.field({
    caching: 'whole',
    type: NodeInterface,
    description: `The record with an identifier of its own or of another data set; null if there is none. An identifier that several records have is rejected. ${SAME_GRANTS}`,
    ...NODE_GRANTS,
    args: {
      scheme: t.arg.string(SCHEME),
      value: t.arg.string(VALUE),
    },
    resolve: (_, identifier, context) => findRecord(context, identifier),
  }),
  records: t.field({
    caching: 'whole',
    type: t.listRef(NodeInterface, { nullable: true }),
    description: `The records with up to ${MOST_NODES} identifiers, in input order; null for each identifier without a record, and null with an error for each one that several records have. All identifiers are read in one SQL statement, and the records of each type in another one. ${SAME_GRANTS}`,
    ...NODE_GRANTS,
    args: {
      identifiers: t.arg({
        type: [IdentifierInput],
        required: true,
        description: 'The identifiers, in any order, of any schemes and types.',
      }),
    },
    resolve: (_, { identifiers }, context) => {
      checkListLength('records', 'identifiers', identifiers, MOST_NODES);
      return findEach(identifiers, (identifier) => findRecord(context, identifier));
    },
  }),
}));
