import { daysBefore } from '../../store/sql/functions.ts';
import { comparedMap, mapOn } from '../../store/sql/migration-functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import { relation } from '../builder/relation.ts';

/**
 * The days on which a map of a type of districts in a state begins that can be compared with the map of the day before,
 * newest first, and whether the comparison is stored.
 */
export const mapDays = relation({
  name: 'districts.mapDays',
  key: { kind: 'text', state: 'text' },
  distinctOn: ['day'],
  rows: ({ kind, state }) => {
    const begun = query
      .selectFrom('districts as d')
      .innerJoin('boundaries as b', 'b.district_id', 'd.id')
      .where(({ eb, cast }) => eb(cast<string>('d.type', 'text'), '=', kind))
      .where('d.state', '=', state)
      .select(['d.type', 'd.state', 'b.start_date as day'])
      .distinct();
    return query
      .selectFrom(begun.as('begun'))
      .where(({ exists, ref }) => {
        const older = mapOn(daysBefore(ref('begun.day'), 1), ref('begun.type'), ref('begun.state')).as('older');
        return exists(query.selectFrom(older).select('older.id'));
      })
      .select(({ eb, ref }) => [
        'begun.day',
        eb(comparedMap(ref('begun.day'), ref('begun.type'), ref('begun.state')), 'is not', null)
          .$castTo<boolean>()
          .as('is_stored'),
      ]);
  },
  orderBy: [['day', (column) => column.desc()]],
});

/** A day on which a map begins that can be compared with the map before it. */
export type MapDayRow = Awaited<ReturnType<(typeof mapDays)['load']>>[number];
