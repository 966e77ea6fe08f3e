import { ServiceError } from '../../base/errors.ts';
import type { ReadKind } from '../../store/reading/shared-reads.ts';
import type { Database } from '../../store/sql/database.ts';
import type { AccessGrant, RecordKind } from '../../store/sql/tables.ts';
import { builder } from '../builder/builder.ts';
import { DEFAULT_PAGE, readLimit } from '../builder/connection.ts';
import type { Context, Waiting } from '../builder/context.ts';
import { describedEnum } from '../builder/described-enum.ts';
import { globalId } from '../builder/global-id.ts';
import { dedupeKeys, readShared } from '../builder/loader.ts';
import { GRANTS_OF_NODES, isNodeVisible, loadNode, NODE_GRANTS, NodeInterface, SAME_GRANTS } from '../builder/node.ts';
import { isGranted } from '../builder/required-grants.ts';
import { readState } from '../districts/state.ts';
import { TYPES_OF_KINDS } from '../provenance/record.ts';
import { type ChangesRequest, endOfRange, readChanges, type Stream } from './changes.store.ts';

/** What a change of a field may need besides the grant of its type, as the column `needs` has it (migration 0078). */
export const NEEDS = [
  'results',
  'contact',
  'social',
  'boundaries',
  'voting',
  'election_districts',
] as const satisfies readonly AccessGrant[];

const ChangeKindEnum = describedEnum('ChangeKind', 'What happened to a record.', {
  CREATED: 'It is new, or it was there before the feed of this service began.',
  UPDATED: 'Values of it changed.',
  DELETED: 'It is no longer in the data. Said for ever, so that no copy keeps it.',
});
type ChangeKind = 'CREATED' | 'UPDATED' | 'DELETED';

interface Change {
  readonly kind: ChangeKind;
  readonly type: string;
  readonly key: string;
  readonly recordNumber: number;
  readonly fields: readonly string[] | null;
  readonly changedAt: string | null;
  readonly source: string | null;
}

interface ChangePage {
  readonly nodes: readonly Change[];
  readonly next: string;
  readonly isUpToDate: boolean;
}

const ChangeObject = builder.objectRef<Change>('Change').implement({
  description:
    'What one transaction did to one record, such as an import, a merge of persons or a withdrawal. The record may have changed again since: apply changes in their order, and take its values from `record`.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ChangeKindEnum, description: 'What happened to the record.' }),
    type: t.exposeString('type', { description: 'The type of the record, as its `__typename` names it.' }),
    recordId: t.id({
      description: 'The global ID of the record, as its `id` was.',
      resolve: ({ type, key }) => globalId(type, key),
    }),
    fields: t.exposeStringList('fields', {
      nullable: true,
      description:
        'The fields whose values changed, among those that the package includes; null if the record is new or deleted, or was replaced as a whole. Values that follow from other records or from the day do not count, and neither do `sources` and `identifiers`.',
    }),
    changedAt: t.expose('changedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'The start of the transaction, which the records that it changed have as `updatedAt`; null for records that are older than the feed, which are told as `CREATED` at its start.',
    }),
    source: t.exposeString('source', {
      nullable: true,
      description: 'The name of the data set that was imported; null for other commands and for changes by hand.',
    }),
    record: t.field({
      type: NodeInterface,
      nullable: true,
      computation: 20,
      description: 'The record as it is now; null if it is no longer in the data.',
      async resolve({ type, recordNumber }, _, context) {
        const found = await loadNode(context, type, recordNumber);
        // The id of a person who was merged finds the one that is left, which has changes of its own.
        return found && 'id' in found && found.id === recordNumber ? found : null;
      },
    }),
  }),
});

const ChangePageObject = builder.objectRef<ChangePage>('ChangePage').implement({
  description: 'Changes in the order in which they were made.',
  fields: (t) => ({
    nodes: t.field({
      type: [ChangeObject],
      listLength: 1,
      description: 'The changes, at most `first`. A record may be among them more than once.',
      resolve: ({ nodes }) => nodes,
    }),
    next: t.exposeString('next', {
      description:
        'Pass it as `after` to the next request: now if `isUpToDate` is false, otherwise when you like. It stays the same as long as nothing changes that the package includes.',
    }),
    isUpToDate: t.exposeBoolean('isUpToDate', { description: 'Whether no change follows this page.' }),
  }),
});

const typeOf = (kind: RecordKind) => TYPES_OF_KINDS.get(kind) ?? '';

/** The streams of changes that a caller may see. */
function streamsOf(context: Context): Stream[] {
  const kinds = [...TYPES_OF_KINDS].filter(([, type]) => isNodeVisible(context, type));
  const needs = ['', ...NEEDS.filter((grant) => isGranted(context, [grant]))];
  return kinds.flatMap(([kind]) => needs.map((each) => ({ kind, needs: each })));
}

/** Throws for a name that is no type of records. A type that the package does not include has no changes, as it has no records. */
function checkTypes(types: readonly string[]): void {
  const known = [...TYPES_OF_KINDS.values()];
  const unknown = types.find((type) => !known.includes(type));
  if (unknown === undefined) return;
  const reason = `must be types of records, and "${unknown}" is none: ${known.join(', ')}`;
  throw new ServiceError('INVALID_PARAMETER', `types ${reason}.`, [{ name: 'types', reason }]);
}

interface ChangesArgs {
  readonly after?: string | null | undefined;
  readonly since?: string | null | undefined;
  readonly types?: readonly string[] | null | undefined;
  readonly state?: string | null | undefined;
  readonly first?: number | null | undefined;
}

const FEED_ARGS = builder.args((t) => ({
  after: t.string({
    description:
      'The `next` of the page before, or `start` for the first change that is kept: every record that exists has one from there on. Without it the page has no changes, and its `next` is that of now: take it before a download by other means.',
    extensions: { maxLength: 100 },
  }),
  types: t.stringList({ description: 'Only records of these types, such as `Candidate`.' }),
  state: t.string({
    description: 'Only records of this state (two letters), and records of no single state, such as persons.',
  }),
  first: t.int({ description: `Maximum number of changes, from 0 to 100; ${DEFAULT_PAGE} by default.` }),
}));

/** Readers of one page, such as all that wait for the same change, have one statement. */
const PAGES: ReadKind<ChangesRequest, Awaited<ReturnType<typeof readChanges>>> = {
  id: 'changes',
  fetch: dedupeKeys(
    (db, requests) => Promise.all(requests.map((each) => readChanges(db, each))),
    (request) => JSON.stringify(request),
  ),
};

async function readPage(context: Context, { after, since, types, state, first }: ChangesArgs): Promise<ChangePage> {
  if (types) checkTypes(types);
  if (after && since) throw new ServiceError('INVALID_PARAMETER', 'changes takes either after or since.');
  const limit = readLimit(first) ?? DEFAULT_PAGE;
  const visible = streamsOf(context);
  const request = {
    streams: types ? visible.filter(({ kind }) => types.includes(typeOf(kind))) : visible,
    visible,
    after: after || null,
    since: since ?? null,
    state: state == null ? null : readState(state),
    first: limit,
  };
  const [rows = []] = await readShared(context, PAGES, [request]);
  const [head] = rows;
  if (!head) throw new Error('No row of the newest change');
  if (after && !head.is_known) throw gone(head.newest);
  const found = rows.flatMap(({ cursor, ...row }) => (cursor === null ? [] : [{ ...row, cursor }]));
  const page = found.slice(0, limit);
  const isUpToDate = found.length <= limit;
  return {
    nodes: page.map((row) => changeOf(row)),
    next: isUpToDate ? head.newest : (page.at(-1)?.cursor ?? after ?? head.newest),
    isUpToDate,
  };
}

builder.queryField('changes', (t) =>
  t.field({
    type: ChangePageObject,
    computation: 200,
    caching: 'whole',
    description: `The changes of the data that the package includes, deletions among them, so that a copy can be made and stays equal: begin with \`after: "start"\`, then ask for \`changes(after:)\` with \`next\` again and again. A change is told at least once. ${SAME_GRANTS}`,
    ...NODE_GRANTS,
    args: {
      ...FEED_ARGS,
      since: t.arg({
        type: 'Date',
        description:
          'In place of `after`: only changes whose `changedAt` is on this day (UTC) or later. For questions such as what changed this week; a copy continues by `after`.',
      }),
    },
    resolve: (_, args, context) => readPage(context, args),
  }),
);

builder.subscriptionField('changes', (t) =>
  t.field({
    type: ChangePageObject,
    computation: 200,
    description: `The same pages as \`Query.changes\`: those after a cursor at once, then one whenever the data change. A reader that is disconnected, or ended with the code \`LAGGED\` because it was too slow, passes the last \`next\` as \`after\`. ${SAME_GRANTS}`,
    args: FEED_ARGS,
    async subscribe(_, args, context) {
      const { waiting } = context;
      requireNodes(context);
      if (!waiting) throw new Error('A subscription has no connection to wait on');
      const before = waiting.latest;
      // Here, so that a wrong argument is the response itself.
      return pagesAfter(context, waiting, args, { before, page: await readPage(context, args) });
    },
    resolve: (page) => page as ChangePage,
  }),
);

/** Returns pages until the gateway is about to stop; the first one even if it has no changes, for its cursor. */
async function* pagesAfter(
  context: Context,
  waiting: Waiting,
  args: ChangesArgs,
  found: { readonly before: Waiting['latest']; readonly page: ChangePage },
): AsyncGenerator<ChangePage> {
  let { before, page } = found;
  const inTurn = await waiting.pause();
  for (let isFirst = true; ; isFirst = false) {
    if (isFirst || page.nodes.length > 0) yield page;
    if (page.isUpToDate && !(await waiting.change(before))) return;
    before = waiting.latest;
    const after = page.next;
    page = await inTurn(() => readPage(context, { ...args, after }));
  }
}

function requireNodes(context: Context): void {
  if (isGranted(context, GRANTS_OF_NODES)) return;
  throw new ServiceError('FORBIDDEN', 'The changes are not available in your package.');
}

/** Consecutive changes that a caller may see, which others follow: they stay as they are. */
export interface ClosedRange {
  readonly streams: readonly Stream[];
  readonly from: string;
  readonly to: string;
}

/** Maximum number of changes of a closed range, and of those that one statement reads. */
const RANGE = 10_000;
const ROWS = 1_000;

/**
 * Returns the next closed ranges after a cursor, at most so many.
 * @throws ServiceError FORBIDDEN; GONE for a cursor that is unknown.
 */
export async function closedRanges(context: Context, after: string, atMost: number): Promise<ClosedRange[]> {
  requireNodes(context);
  await readPage(context, { after, first: 0 });
  const streams = streamsOf(context);
  const ranges: ClosedRange[] = [];
  for (let from = after; ranges.length < atMost; from = ranges.at(-1)?.to ?? from) {
    const to = await endOfRange(context.db, { streams, after: from, size: RANGE });
    if (to === null) break;
    ranges.push({ streams, from, to });
  }
  return ranges;
}

/**
 * Yields the changes of a closed range, each with its own cursor.
 * @throws ServiceError STORE_UNAVAILABLE if it does not end as it did: a standby lacks changes, or newer ones took in the last one.
 */
export async function* changesOf(db: Database, { streams, from, to }: ClosedRange) {
  for (let [after, left] = [from, RANGE]; left > 0; left -= ROWS) {
    const request = { streams, visible: streams, after, since: null, state: null, first: ROWS, isSealed: true };
    const rows = await readChanges(db, request);
    for (const { cursor, ...row } of rows.slice(0, ROWS)) {
      if (cursor === null) break;
      const { key, ...change } = changeOf(row);
      yield { ...change, recordId: globalId(change.type, key), cursor };
      if (cursor === to) return;
      after = cursor;
    }
    if (rows.length <= ROWS) break;
  }
  throw new ServiceError(
    'STORE_UNAVAILABLE',
    'The changes are not all there at the moment. Try again in a few seconds.',
  );
}

function changeOf(row: {
  kind: RecordKind | null;
  key: string | null;
  record_id: number | null;
  change: string | null;
  fields: string[] | null;
  changed_at: string | null;
  source: string | null;
}): Change {
  return {
    kind: row.change as ChangeKind,
    type: typeOf(row.kind as RecordKind),
    key: row.key ?? '',
    recordNumber: row.record_id ?? 0,
    fields: row.fields,
    changedAt: row.changed_at,
    source: row.source,
  };
}

/** Returns the error for a cursor from which no copy can continue. */
export function gone(newest: string): ServiceError {
  return new ServiceError(
    'GONE',
    `after is no cursor of this feed (any more): changes may be missing after it. Begin a new copy with after: "start"; or download everything again, and continue with after: "${newest}", which is from before that download.`,
    [{ name: 'after', reason: 'is unknown or too old' }],
    { download: '/data/changes?after=start', next: newest },
  );
}
