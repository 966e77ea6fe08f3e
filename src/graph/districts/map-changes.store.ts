import { type Expression, sql } from 'kysely';
import type { Day } from '../../base/dates.ts';
import type { Database } from '../../store/sql/database.ts';
import { daysBefore, times, typed } from '../../store/sql/functions.ts';
import { mayOverlap } from '../../store/sql/geometry-functions.ts';
import { comparedMap, type MapOverlap, mapOn, mapOverlaps } from '../../store/sql/migration-functions.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { materialized, query } from '../../store/sql/query-builder.ts';
import type { DistrictType } from '../../store/sql/tables.ts';
import { createQueryLoader } from '../builder/query-loader.ts';
import type { Scope } from '../builder/scope.ts';
import { type AddressCountRow, addressCounts } from './addresses.store.ts';
import type { DistrictRow } from './districts.store.ts';

/** One of the two maps that are compared: that of the day before, or that of the day. */
export type Side = 'old' | 'new';

/** The first day of the newer map. */
export interface OnChange {
  readonly day: Day;
}

/** The number of districts on both maps, and how much work it is to compare them. */
export interface ComparisonRow {
  readonly old_count: number;
  readonly new_count: number;
  /**
   * In records that take as long: two for each pair of pieces that have to be intersected (0.1 to 0.3 ms); none for a
   * comparison that is stored.
   */
  readonly work: number;
}

type District = Pick<DistrictRow, 'id' | 'type' | 'state'>;

const DISTRICTS_AT_ONCE = 5;
const KEY = { id: 'int', type: 'district_type', state: 'text' } as const;
const KEY_OF_ADDRESSES = { boundary_id: 'int', type: 'district_type', state: 'text' } as const;

interface Layer {
  readonly type: Expression<DistrictType>;
  readonly state: Expression<string | null>;
}

/** The day of the map on a side. */
const dayOn = (side: Side, day: Expression<Day>) => (side === 'old' ? daysBefore(day, 1) : day);
const dayOfChange = ({ param }: Scope<OnChange>) => param('date', ({ day }) => day);

/** Returns the query of how much work a comparison is; `only` is the district if only one of a side is compared. */
function comparisonOf(
  day: Expression<Day>,
  { type, state }: Layer,
  only?: { side: Side; district: Expression<number> },
) {
  const sideOf = (side: Side) => {
    const map = query.selectFrom(mapOn(dayOn(side, day), type, state).as('b')).select(['b.id', 'b.district_id']);
    return { map, compared: only?.side === side ? map.where('b.district_id', '=', only.district) : map };
  };
  const [before, after] = [sideOf('old'), sideOf('new')];
  return query
    .with(materialized('before'), () => before.compared)
    .with(materialized('after'), () => after.compared)
    .selectNoFrom(({ selectFrom, eb, fn }) => {
      const count = (rows: typeof before.map) =>
        query
          .selectFrom(rows.as('each'))
          .select(({ fn }) => typed('int', fn.countAll()).as('count'))
          .$asScalar()
          .$notNull();
      const pairs = selectFrom('before')
        .innerJoin('boundary_pieces as one', 'one.boundary_id', 'before.id')
        .innerJoin('boundary_pieces as two', (join) =>
          join.on(({ ref }) => mayOverlap(ref('two.geometry'), ref('one.geometry'))),
        )
        .innerJoin('after', 'after.id', 'two.boundary_id')
        .where('before.id', 'not in', selectFrom('after').select('after.id'))
        .select(times(2, fn.countAll<number>()).as('number'))
        .$asScalar();
      const work = eb
        .case()
        .when(comparedMap(day, type, state), 'is', null)
        .then(typed('int', pairs))
        .else(sql.lit(0))
        .end();
      return [count(before.map).as('old_count'), count(after.map).as('new_count'), work.as('work')];
    });
}

/** Returns the loaders of what a district of one map has in common with those of the other one. */
function loadersOf(side: Side) {
  const layerOf = (keys: { readonly [Name in keyof Layer]?: Expression<never> }) => keys as unknown as Layer;
  return {
    comparison: createQueryLoader<District, ComparisonRow, OnChange>({
      name: 'districts.mapComparison',
      key: KEY,
      parentsPerStatement: DISTRICTS_AT_ONCE,
      rows: ({ id = sql<never>`null`, ...layer }, scope: Scope<OnChange>) =>
        comparisonOf(dayOfChange(scope), layerOf(layer), { side, district: id }),
    }),
    overlaps: createQueryLoader<District, MapOverlap, OnChange>({
      name: 'districts.mapOverlaps',
      key: KEY,
      parentsPerStatement: DISTRICTS_AT_ONCE,
      rows: ({ id = sql<never>`null`, ...layer }, scope: Scope<OnChange>) => {
        const { type, state } = layerOf(layer);
        const overlaps = mapOverlaps(dayOfChange(scope), type, state, { side, district: id });
        return query.selectFrom(overlaps.as('overlap')).selectAll('overlap');
      },
      orderBy: ['old_boundary', 'new_boundary'],
    }),
    addresses: createQueryLoader<
      Pick<DistrictRow, 'type' | 'state'> & { readonly boundary_id: number },
      AddressCountRow,
      OnChange
    >({
      name: 'districts.addressesOfMaps',
      key: KEY_OF_ADDRESSES,
      parentsPerStatement: DISTRICTS_AT_ONCE,
      rows: ({ boundary_id = sql<never>`null`, ...layer }, scope: Scope<OnChange>) => {
        const { type, state } = layerOf(layer);
        const other = dayOn(side === 'old' ? 'new' : 'old', dayOfChange(scope));
        return addressCounts(
          query
            .selectFrom('boundary_pieces as piece')
            .select('piece.geometry')
            .where('piece.boundary_id', '=', boundary_id),
          query.selectFrom(mapOn(other, type, state).as('b')).select(['b.id', 'b.district_id']),
        );
      },
      orderBy: ['district_id'],
    }),
  };
}

/** How a district is compared with the other map, by the map that it is on. */
export const MAP_LOADERS = { old: loadersOf('old'), new: loadersOf('new') } as const;

/** A type of districts in a state, for which a map is drawn. */
export interface MapLayer {
  readonly type: DistrictType;
  readonly state: string;
}

/** Returns how much work it is to compare all districts of two maps. */
export async function comparisonOfMaps(db: Database, { type, state }: MapLayer, day: Day): Promise<ComparisonRow> {
  const layer = { type: typed('district_type', type), state: typed('text', state) };
  const [row] = await rowsOf(db, 'districts.comparisonOfMaps', comparisonOf(typed('date', day), layer));
  return row ?? { old_count: 0, new_count: 0, work: 0 };
}

/** Returns what all districts of two maps have in common. */
export function overlapsOfMaps(db: Database, { type, state }: MapLayer, day: Day): Promise<MapOverlap[]> {
  const overlaps = mapOverlaps(typed('date', day), typed('district_type', type), typed('text', state)).as('overlap');
  const found = query
    .selectFrom(overlaps)
    .selectAll('overlap')
    .orderBy('overlap.old_boundary')
    .orderBy('overlap.new_boundary');
  return rowsOf(db, 'districts.overlapsOfMaps', found);
}
