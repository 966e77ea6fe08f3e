import { type Expression, sql } from 'kysely';
import type { Day } from '../../base/dates.ts';
import { houseSeats } from '../../importers/facts/house-seats.ts';
import { missingNumbers } from '../../importers/facts/missing-numbers.ts';
import { GRID, uncoveredAreas, WIDTHS } from '../../importers/facts/uncovered-areas.ts';
import { PARTITIONS } from '../../store/partitions.ts';
import { areAll, collected } from '../../store/sql/aggregates.ts';
import type { Database } from '../../store/sql/database.ts';
import {
  absolute,
  arrayWith,
  elementsOf,
  emptyArray,
  least,
  minus,
  over,
  typed,
  valueAs,
} from '../../store/sql/functions.ts';
import {
  intersectionOnGrid,
  intersects,
  isEmpty,
  mayOverlap,
  polygonsOf,
  squareDegreesOf,
  widthOf,
} from '../../store/sql/geometry-functions.ts';
import { boundariesInEffect } from '../../store/sql/migration-functions.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { materialized, query } from '../../store/sql/query-builder.ts';
import type { DistrictType } from '../../store/sql/tables.ts';
import { matchIn } from '../../store/sql/text-functions.ts';
import type { Violation } from './check.ts';
import { inScope, type Scope } from './check-scope.ts';
import { statesOf } from './states.store.ts';

/** The districts of one type in a state from a day on, when one of their boundaries begins or ends. */
export interface StateMap {
  readonly type: DistrictType;
  readonly state: string;
  readonly day: Day;
  /** The codes of the districts in their OCD ids. */
  readonly codes: readonly string[];
  readonly precise: boolean;
  /**
   * True for counties whose areas add up to that of the state, so that none can be missing: the union of thousands of
   * counties takes half a minute.
   */
  readonly isFull: boolean;
}

/** The code of a district in its OCD id. */
const CODE = '/(?:cd|sldu|sldl):([^/:]+)$';

/** Returns the maps of states; within an import those of which it has a boundary. */
export async function stateMaps(db: Database, scope: Scope = 'database'): Promise<StateMap[]> {
  const days = query
    .selectFrom('districts as d')
    .innerJoin('boundaries as b', 'b.district_id', 'd.id')
    .innerJoin(
      ({ ref }) =>
        valueAs(elementsOf(arrayWith<Day | null>([ref('b.start_date'), ref('b.end_date')])), 'change', 'day'),
      (join) => join.onTrue(),
    )
    .where('d.type', 'in', PARTITIONS)
    .where('d.state', 'is not', null)
    .where('change.day', 'is not', null)
    .where(({ ref }) => inScope(scope, 'boundaries', ref('d.id')))
    .select(({ ref }) => ['d.type', ref('d.state').$notNull().as('state'), ref('change.day').$notNull().as('day')])
    .distinct();
  const found = query
    .selectFrom(days.as('days'))
    .innerJoin('districts as d', (join) => join.onRef('d.type', '=', 'days.type').onRef('d.state', '=', 'days.state'))
    .innerJoinLateral(
      ({ ref }) => boundariesFrom(ref('days.day')).as('b'),
      (join) => join.onRef('b.district_id', '=', 'd.id'),
    )
    .leftJoinLateral(
      ({ ref }) =>
        statesOf(ref('days.state'))
          .select(({ ref }) => squareDegreesOf(ref('state_boundary.geometry')).as('area'))
          .orderBy('state_boundary.start_date', 'desc')
          .limit(sql.lit(1))
          .as('state'),
      (join) => join.onTrue(),
    )
    .groupBy(['days.type', 'days.state', 'days.day'])
    .select(({ and, eb, fn, ref }) => {
      const code = matchIn(ref('d.ocdid'), CODE);
      const area = squareDegreesOf(ref('b.geometry'));
      const difference = absolute(minus(fn.sum<number>(area), fn.min<number | null>('state.area')));
      return [
        'days.type',
        'days.state',
        'days.day',
        areAll(ref('b.precise')).as('precise'),
        fn
          .coalesce(collected(code.$notNull()).distinct().filterWhere(code, 'is not', null), emptyArray<string>())
          .as('codes'),
        and([
          eb('days.type', '=', 'County'),
          fn.coalesce(eb(difference, '<', over(fn.min<number>(area), 4)), sql.lit(false)),
        ])
          .$castTo<boolean>()
          .as('isFull'),
      ];
    })
    .orderBy('days.type')
    .orderBy('days.state')
    .orderBy('days.day');
  return rowsOf(db, 'integrity.stateMaps', found);
}

/**
 * Returns the boundaries in effect from a day on. The last day of a district that the new map does not have is the first
 * day of the new map: such a district is part of the old map only.
 */
function boundariesFrom(day: Expression<Day>) {
  return query
    .selectFrom(boundariesInEffect(day).as('f'))
    .selectAll('f')
    .where(({ eb }) => eb('f.end_date', 'is distinct from', day));
}

/** Returns the query of the districts `d` of a map with their boundaries `b`. */
function districtsOf({ type, state, day }: StateMap) {
  return query
    .selectFrom('districts as d')
    .innerJoin(boundariesFrom(typed('date', day)).as('b'), 'b.district_id', 'd.id')
    .where('d.type', '=', type)
    .where('d.state', '=', state);
}

/** Returns the districts that are missing by their numbers, and for Congress by the seats of the state. */
export function missingDistricts(map: StateMap): Violation[] {
  const { type, state, day, codes } = map;
  const record = nameOf(map);
  const gaps = missingNumbers(codes);
  const violations = gaps.length > 0 ? [{ record, problem: `the districts ${gaps.join(', ')} are missing` }] : [];
  const seats = type === 'Congress' ? houseSeats(state, day) : undefined;
  if (seats === undefined || seats === codes.length) return violations;
  return [...violations, { record, problem: `has ${codes.length} districts for ${seats} seats` }];
}

const widthIn = ({ precise }: StateMap) => (precise ? WIDTHS.precise : WIDTHS.generalised);

/** Returns the overlaps of districts of a map. Narrower ones count too if they are a fifth of a district. */
export async function overlaps(db: Database, map: StateMap): Promise<Violation[]> {
  const found = query
    .with(materialized('pieces'), () =>
      districtsOf(map)
        .innerJoin('boundary_pieces as p', 'p.boundary_id', 'b.id')
        .select(({ ref }) => ['d.id', 'p.geometry', squareDegreesOf(ref('b.geometry')).as('area')]),
    )
    .with('shared', (db) =>
      db
        .selectFrom('pieces as p')
        .innerJoin('pieces as q', (join) =>
          join
            .onRef('q.id', '>', 'p.id')
            .on(({ ref }) => mayOverlap(ref('q.geometry'), ref('p.geometry')))
            .on(({ ref }) => intersects(ref('p.geometry'), ref('q.geometry'))),
        )
        .select(({ ref }) => [
          'p.id as a',
          'q.id as b',
          least(ref('p.area'), ref('q.area')).as('smaller'),
          polygonsOf(intersectionOnGrid(ref('p.geometry'), ref('q.geometry'), GRID)).as('geometry'),
        ]),
    )
    .selectFrom('shared as s')
    .select(['s.a', 's.b'])
    .where(({ not, ref }) => not(isEmpty(ref('s.geometry'))))
    .groupBy(['s.a', 's.b'])
    .having(({ eb, or, and, fn, ref }) => {
      const widest = fn.max<number>(widthOf(ref('s.geometry')));
      const area = fn.sum<number>(squareDegreesOf(ref('s.geometry')));
      return or([
        eb(widest, '>', 2 * widthIn(map)),
        and([eb(area, '>', over(fn.min<number>('s.smaller'), 5)), eb(widest, '>', widthIn(map) / 2)]),
      ]);
    })
    .orderBy('s.a')
    .orderBy('s.b');
  const rows = await rowsOf(db, 'integrity.overlaps', found);
  return rows.map(({ a, b }) => ({ record: nameOf(map), problem: `district ${a} and district ${b} overlap` }));
}

/** Returns the areas of the state that no district of a map covers, each by a point inside it. */
export async function gaps(db: Database, map: StateMap): Promise<Violation[]> {
  if (map.isFull) return [];
  const areas = await uncoveredAreas(db, districtsOf(map).select('b.geometry'), map.state, map.precise);
  return areas.map((area) => ({ record: nameOf(map), problem: `no district covers the area around ${area}` }));
}

function nameOf({ type, state, day }: StateMap): string {
  return `${type} ${state} ${day}`;
}
