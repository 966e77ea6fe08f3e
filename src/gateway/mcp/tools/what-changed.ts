import { z } from 'zod';
import { ServiceError } from '../../../base/errors.ts';
import { notIncluded } from '../../../graph/builder/grants.ts';
import { NEEDS } from '../../../graph/changes/changes.ts';
import { TYPES_OF_KINDS } from '../../../graph/provenance/record.ts';
import { prepareDocument } from '../../graphql/typed-document.ts';
import { WhatChangedDocument, type WhatChangedQuery } from '../generated/documents.ts';
import { day, state, toolInput } from '../inputs.ts';
import { bytesOf, defineTool, MAX_RESULT_BYTES, shortened } from '../tool.ts';

const run = prepareDocument(WhatChangedDocument);

const MOST_CHANGES = 40;
/** What changes may take of a result, so that there is room for the rest of it: none may be omitted, as `next` is after the last. */
const MAX_BYTES = MAX_RESULT_BYTES - 2_000;
/** The grants that hide changes of types, or of fields. */
const HIDING = ['districts', 'officeholders', 'elections', ...NEEDS] as const;

export const whatChanged = defineTool({
  name: 'what_changed',
  title: 'What changed in the data',
  description:
    'Records that were created, changed or deleted in the data since a day, or since the `next` of an earlier result, in the order in which it happened. It tells when the data changed, not the world. Give either since or after.',
  input: toolInput({
    since: day.optional().describe('First day, by UTC.'),
    after: z.string().max(100).optional().describe('The `next` of an earlier result: only what changed after it.'),
    types: z
      .array(z.enum([...TYPES_OF_KINDS.values()]))
      .optional()
      .describe('Only records of these types of the schema; all if missing.'),
    state: state.optional().describe('Only records of this state (two letters), and records of no state, as people.'),
  }),
  list: 'changes',
  entry: z.object({
    change: z.enum(['created', 'changed', 'deleted']),
    type: z.string(),
    name: z.string().optional().describe('As it is now; missing if the record is no longer in the data.'),
    fields: z
      .array(z.string())
      .optional()
      .describe('The fields of a changed record; missing if it is not known which.'),
    at: z.string().optional().describe('When the data changed last; missing for records older than the feed.'),
    source: z.string().optional().describe('The data set that was imported; missing for changes by other commands.'),
    id: z.string().describe('For `node(id:)` in run_graphql.'),
  }),
  extra: {
    next: z.string().optional().describe('Pass it as `after` to learn what changes later.'),
    isUpToDate: z
      .boolean()
      .optional()
      .describe('Whether these are all; if false, ask again with after, or name types or a state.'),
  },
  async read({ since, after, types, state: postal }, { execute, context }) {
    if ((since === undefined) === (after === undefined))
      throw new ServiceError(
        'INVALID_PARAMETER',
        'Give either since, a day, or after, the `next` of an earlier result.',
      );
    for (let first = MOST_CHANGES; ; first = Math.ceil(first / 2)) {
      const data = await run(execute, { since, after, types, state: postal, first }, context).catch(withAdvice);
      const entries = entriesOf(data.changes?.nodes ?? []);
      if (first > 1 && bytesOf(entries) > MAX_BYTES) continue;
      const { next, isUpToDate } = data.changes ?? {};
      const hidden = data.changes ? HIDING.filter((grant) => !context.caller.grants.has(grant)) : [];
      const notKnown = [
        ...hidden.map((grant) => notIncluded([grant])),
        ...(data.changes && entries.length === 0 ? ['Nothing of this changed in the data since then.'] : []),
      ];
      return { entries, extra: { next, isUpToDate }, notKnown, data };
    }
  },
});

/** Says what somebody who asks about a time can do in place of a copy that is made again. */
function withAdvice(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'GONE') throw error;
  throw new ServiceError(
    'GONE',
    `after is not known (any more), so changes after it may be missing. Ask with since, a day; or with after: "${error.members.next}" for what changes from now on.`,
    error.invalidParameters,
  );
}

type Change = NonNullable<WhatChangedQuery['changes']>['nodes'][number];

/** Returns one entry for each record, at the place of its last change. */
function entriesOf(changes: readonly Change[]): object[] {
  return [...Map.groupBy(changes.toReversed(), ({ recordId }) => recordId).values()].reverse().flatMap((ofRecord) => {
    const [last] = ofRecord;
    if (!last) return [];
    const isCreated = ofRecord.some(({ kind }) => kind === 'CREATED');
    const fields = [...new Set(ofRecord.flatMap((each) => each.fields ?? []))].sort();
    const isWhole = ofRecord.some((each) => each.fields === null);
    const name = last.record ? shortened(nameOf(last.record)) : null;
    return {
      change: last.kind === 'DELETED' ? 'deleted' : isCreated ? 'created' : 'changed',
      ...{ type: last.type, name, fields: isWhole ? null : fields },
      ...{ at: last.changedAt, source: last.source, id: last.recordId },
    };
  });
}

/** Returns the name of a record with what tells it from others of the name: the office, the race, the day or the state. */
function nameOf(record: NonNullable<Change['record']>): string {
  const { name, state: postal, district, from, office, race, election, date } = record as Named;
  const day = date ?? (race ?? { election }).election?.date;
  return [
    name ?? `Boundary of ${district?.name ?? 'a district'} from ${from}`,
    office?.fullName,
    race?.name,
    postal,
    day,
  ]
    .filter(Boolean)
    .join(', ');
}

/** What records of one type or another have. */
interface Named {
  readonly name?: string;
  readonly state?: string | null;
  readonly district?: { readonly name: string } | null;
  readonly from?: string;
  readonly office?: { readonly fullName: string } | null;
  readonly race?: { readonly name: string; readonly election: { readonly date: string } } | null;
  readonly election?: { readonly date: string };
  readonly date?: string;
}
