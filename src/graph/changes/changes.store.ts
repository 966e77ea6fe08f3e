import type { Database } from '../../store/sql/database.ts';
import { asText, dateTimeText, literal, typed, unnested } from '../../store/sql/functions.ts';
import { changeCursor, changeNewest, changeNumber, electionKey } from '../../store/sql/migration-functions.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { materialized, query } from '../../store/sql/query-builder.ts';
import type { RecordKind } from '../../store/sql/tables.ts';

/** The changes of one kind of records whose fields need one grant besides that of the type; '' for none. */
export interface Stream {
  readonly kind: RecordKind;
  readonly needs: string;
}

export interface ChangesRequest {
  /** Those that the caller may see and asks for. */
  readonly streams: readonly Stream[];
  /** Those that the caller may see: the newest of them is where a reader is who has all. */
  readonly visible: readonly Stream[];
  /** The cursor after which the page begins, or START; without it the page is empty. */
  readonly after: string | null;
  /** In place of the cursor: only changes of this day, by UTC, or later. */
  readonly since: string | null;
  /** Only changes of records of this state, and of records without one. */
  readonly state: string | null;
  readonly first: number;
  /** Whether the cursors of the changes are the same whenever they are read. */
  readonly isSealed?: boolean;
}

/** The place before the first change that is kept. */
export const START = 'start';
const CURSOR = /^[\da-f]{72}$/;

/**
 * Returns a page of changes in the order in which their transactions were committed, with the cursor of the newest change that the caller
 * may see. One statement reads both: two could be answered by two standbys, of which the second is ahead, and changes would be missed.
 *
 * Each stream is read by its own range of the index: changes that the caller may not see take no time that would tell of them.
 * @returns `isKnown` is false for a cursor that this database did not issue, or of a change that it lost.
 */
export async function readChanges(
  db: Database,
  { streams, visible, after, since, state, first, isSealed }: ChangesRequest,
) {
  const cursor = typed('text', cursorOf(after));
  const rows = await rowsOf(
    db,
    'changes.page',
    query
      .with(materialized('position'), (creator) =>
        creator.selectNoFrom([(since === null ? numberOf(after) : numberBefore(since)).as('number')]),
      )
      .with('newest', (creator) =>
        creator
          .selectFrom(streamsOf(visible))
          .innerJoinLateral(
            ({ selectFrom: select, ref }) =>
              select('changes as c')
                .select('c.sequence')
                .where('c.kind', '=', ref('stream.kind'))
                .where('c.needs', '=', ref('stream.needs'))
                .orderBy('c.sequence', 'desc')
                .limit(1)
                .as('last'),
            (join) => join.onTrue(),
          )
          .select(({ fn }) => fn.coalesce(fn.max('last.sequence'), typed('bigint', 0)).as('number')),
      )
      // The records are read with the page or later: a reader who is behind has values of the newest changes, too, which may be lost.
      .with(materialized('read'), (creator) =>
        creator
          .selectFrom('newest')
          .select(({ ref }) => ['newest.number', changeNewest(ref('newest.number'), cursor).as('newest')]),
      )
      .with(materialized('end'), (creator) =>
        creator.selectFrom(['position', 'read']).select(({ eb, fn, ref }) => {
          const newest = changeCursor(ref('read.number'), ref('read.newest'));
          // A standby may be behind the cursor: what it lacks follows, and it does not know the state that the cursor names.
          // The last change before a day may be one that the caller may not see.
          const isBehind = eb('position.number', '>', ref('read.number'));
          return eb.case().when(isBehind).then(fn.coalesce(cursor, newest)).else(newest).end().$notNull().as('cursor');
        }),
      )
      .selectFrom(['position', 'read', 'end'])
      .leftJoinLateral(
        ({ selectFrom, ref }) =>
          selectFrom(streamsOf(streams))
            .innerJoinLateral(
              ({ selectFrom: select, ref: inner }) =>
                select('changes as c')
                  .innerJoin('change_sets as s', 's.id', 'c.set_id')
                  .select(['c.sequence', 'c.kind', 'c.record_id', 'c.change', 'c.fields'])
                  .select(['s.changed_at', 's.source'])
                  .where('c.kind', '=', inner('stream.kind'))
                  .where('c.needs', '=', inner('stream.needs'))
                  .where('c.sequence', '>', ref('position.number'))
                  .$if(since !== null, (page) => page.where('s.changed_at', '>=', startOf(since ?? '')))
                  .$if(state !== null, (page) =>
                    page.where(({ eb, or }) =>
                      or([eb('c.state', 'is', null), eb('c.state', '=', typed('text', state))]),
                    ),
                  )
                  .orderBy('c.sequence')
                  .limit(first + 1)
                  .as('next'),
              (join) => join.onTrue(),
            )
            .selectAll('next')
            .orderBy('next.sequence')
            .limit(first + 1)
            .as('page'),
        (join) => join.onTrue(),
      )
      .select('end.cursor as newest')
      .select(['page.kind', 'page.record_id', 'page.change', 'page.fields', 'page.source'])
      .select(({ eb, ref }) => [
        eb
          .case('page.kind')
          .when(literal('election'))
          .then(electionKey(ref('page.record_id').$notNull()))
          .else(asText(ref('page.record_id')))
          .end()
          .as('key'),
        eb('position.number', 'is not', null).as('is_known'),
        changeCursor(ref('page.sequence').$notNull(), isSealed ? undefined : ref('read.newest')).as('cursor'),
        dateTimeText(ref('page.changed_at')).as('changed_at'),
      ])
      .orderBy('page.sequence'),
  );
  return rows;
}

/**
 * Returns the cursor of the last of some changes after a cursor: at most `size`, and without the newest one, so that another one follows
 * whatever happens; null if there are none.
 */
export async function endOfRange(
  db: Database,
  { streams, after, size }: { readonly streams: readonly Stream[]; readonly after: string; readonly size: number },
): Promise<string | null> {
  const [last] = await rowsOf(
    db,
    'changes.range',
    query
      .with('position', (creator) => creator.selectNoFrom([numberOf(after).as('number')]))
      .with('page', (creator) =>
        creator
          .selectFrom('position')
          .innerJoin(streamsOf(streams), (join) => join.onTrue())
          .innerJoinLateral(
            ({ selectFrom, ref }) =>
              selectFrom('changes as c')
                .select('c.sequence')
                .where('c.kind', '=', ref('stream.kind'))
                .where('c.needs', '=', ref('stream.needs'))
                .where('c.sequence', '>', ref('position.number'))
                .orderBy('c.sequence')
                .limit(size + 1)
                .as('next'),
            (join) => join.onTrue(),
          )
          .select('next.sequence')
          .orderBy('next.sequence')
          .limit(size + 1),
      )
      .selectFrom('page')
      .select(({ ref }) => changeCursor(ref('page.sequence')).as('cursor'))
      .orderBy('page.sequence', 'desc')
      .limit(1)
      .offset(1),
  );
  return last?.cursor ?? null;
}

/** A text in the form of a cursor; null for any other. */
const cursorOf = (after: string | null) => (after !== null && CURSOR.test(after) ? after : null);

/** The number of the change after which a reader continues; null if its cursor is unknown. */
const numberOf = (after: string | null) =>
  after === START ? typed('bigint', 0) : changeNumber(typed('text', cursorOf(after)));

/** The number of the last change before the first one, in the order of commits, of a transaction that began on a day or later. */
function numberBefore(day: string) {
  const first = query
    .selectFrom('change_sets as s')
    .select(({ fn }) => fn.coalesce(fn.min('s.last_sequence'), typed('bigint', '9223372036854775807')).as('number'))
    .where('s.changed_at', '>=', startOf(day));
  return query
    .selectFrom('change_sets as s')
    .select(({ fn }) => fn.coalesce(fn.max('s.last_sequence'), typed('bigint', 0)).as('number'))
    .where('s.last_sequence', '<', first);
}

/** The start of a day by UTC. */
const startOf = (day: string) => typed('timestamptz', `${day}T00:00:00Z`).$castTo<Date>();

const streamsOf = (streams: readonly Stream[]) =>
  unnested('stream', {
    kind: ['record_kind', streams.map(({ kind }) => kind)],
    needs: ['text', streams.map(({ needs }) => needs)],
  });
