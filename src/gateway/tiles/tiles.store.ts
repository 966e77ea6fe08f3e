import { sql } from 'kysely';
import type { Day } from '../../base/dates.ts';
import type { Database } from '../../store/sql/database.ts';
import { least, minus, numbersFrom, over, plus, power, times } from '../../store/sql/functions.ts';
import {
  asGeoJson,
  clippedTo,
  eastOf,
  isEmpty,
  mayOverlap,
  northOf,
  numberOfVertices,
  onGrid,
  polygonsOf,
  rectangle,
  southOf,
  westOf,
} from '../../store/sql/geometry-functions.ts';
import { boundariesInEffect } from '../../store/sql/migration-functions.ts';
import { fixedQuery } from '../../store/sql/named-query.ts';
import type { ParameterOf } from '../../store/sql/parameter.ts';
import { materialized, query } from '../../store/sql/query-builder.ts';
import type { DistrictType } from '../../store/sql/tables.ts';

/** A rectangle of meridians and parallels, in degrees. */
export interface Rectangle {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export interface OutlineRequest {
  readonly type: DistrictType;
  /** The day on which the boundaries are in effect. */
  readonly day: Day;
  /** The part of the outlines that is returned. */
  readonly within: Rectangle;
  /** Side of the finest grid to which all vertices are moved, in degrees. */
  readonly grid: number;
  /** The size limit of the tile in bytes, which makes the grid coarser. */
  readonly mostBytes: number;
}

/**
 * Width of a rectangle in degrees from which all boundaries of a type are compared with it. Their number is limited, while
 * a large part of the country has so many pieces that their index is of no use.
 */
const WIDE = 20;
/** The grid of a tile is this many times as coarse as that of the outlines, so that moving them twice is not seen. */
export const COARSER = 4;
/** How many times the side of the grid is doubled at most. */
const DOUBLINGS = 8;
/** The bytes that a district has in a tile at least: its name, ids, and the beginning of its outline. */
const DISTRICT_BYTES = 45;
const VERTEX_BYTES = 2;

const outlinesInWide = fixedQuery('tiles.outlinesWithin', (parameter: ParameterOf<OutlineRequest>) =>
  outlinesOf(parameter, true),
);
const outlinesInNarrow = fixedQuery('tiles.outlinesWithin', (parameter: ParameterOf<OutlineRequest>) =>
  outlinesOf(parameter, false),
);

/** The part of a boundary in a rectangle, and its district; the geometry is the text of GeoJSON. */
export type Outline = Omit<Awaited<ReturnType<typeof outlinesInWide>>[number], 'grid'>;

export interface Outlines {
  /** The side of the grid that all vertices are on, in degrees. */
  readonly grid: number;
  readonly outlines: readonly Outline[];
}

/**
 * Returns the boundaries of a district type that are in effect on a day, as far as they are in a rectangle. Vertices
 * are moved to a grid, the same for all boundaries: a vertex that neighbours share stays shared, which the
 * simplification of each boundary alone would not ensure.
 *
 * The grid is made coarser, by powers of two, as long as the tile would certainly be too large on one that is
 * `COARSER` times as coarse. What the tile cannot show is then neither sent nor parsed, which is most of it where a tile has
 * thousands of districts. A district counts with the fewest vertices that an outline of its width and height can have.
 * Outlines that are smaller than a cell are omitted.
 */
export async function outlinesWithin(db: Database, request: OutlineRequest): Promise<Outlines> {
  const { west, east } = request.within;
  const outlines = await (east - west > WIDE ? outlinesInWide : outlinesInNarrow)(db, request);
  return { grid: outlines[0]?.grid ?? request.grid, outlines };
}

/** The columns of the boundary `b` of a district `d` in the rectangle `area`. */
const CANDIDATE = ['b.id', 'b.district_id', 'b.geometry', 'd.name', 'd.state', 'area.box'] as const;

/** Returns the query of `outlinesWithin`, for rectangles whose width is `WIDE` or for others. */
function outlinesOf(parameter: ParameterOf<OutlineRequest>, isWide: boolean) {
  const side = (name: keyof Rectangle) => parameter('float8', ({ within }) => within[name]);
  const grid = parameter('float8', (request) => request.grid);
  const mostBytes = parameter('float8', (request) => request.mostBytes);
  const type = parameter('district_type', (request) => request.type);
  const inEffect = boundariesInEffect(parameter('date', ({ day }) => day));
  return query
    .with(materialized('area'), (db) =>
      db.selectNoFrom(rectangle(side('west'), side('south'), side('east'), side('north')).as('box')),
    )
    .with(materialized('part'), (db) => {
      const area = db.selectFrom('area');
      const candidates = isWide
        ? area
            .crossJoin('districts as d')
            .innerJoin(inEffect.as('b'), (join) =>
              join.onRef('b.district_id', '=', 'd.id').on(({ ref }) => mayOverlap(ref('b.geometry'), ref('area.box'))),
            )
            .select(CANDIDATE)
            .where('d.type', '=', type)
        : area
            .crossJoinLateral(({ selectFrom }) =>
              selectFrom('boundary_pieces as piece')
                .select('piece.boundary_id')
                .distinct()
                .where(({ ref }) => mayOverlap(ref('piece.geometry'), ref('area.box')))
                .as('inside'),
            )
            .innerJoin(inEffect.as('b'), 'b.id', 'inside.boundary_id')
            .innerJoin('districts as d', 'd.id', 'b.district_id')
            .select(CANDIDATE)
            .where('d.type', '=', type);
      return db
        .selectFrom(candidates.as('c'))
        .crossJoinLateral(({ ref }) =>
          // Without the offset, PostgreSQL would compute the outline for each use of it.
          db
            .selectNoFrom(onGrid(clippedTo(ref('c.geometry'), ref('c.box')), grid).as('outline'))
            .offset(sql.lit(0))
            .as('moved'),
        )
        .select(({ ref }) => {
          const outline = ref('moved.outline');
          return [
            'c.id',
            'c.district_id',
            'c.name',
            'c.state',
            'moved.outline',
            numberOfVertices(outline).as('vertices'),
            minus(eastOf(outline), westOf(outline)).as('width'),
            minus(northOf(outline), southOf(outline)).as('height'),
          ];
        });
    })
    .with('grids', (db) =>
      db
        .selectFrom(numbersFrom('doubling', 0, DOUBLINGS))
        .select(({ ref }) => times(grid, power(2, ref('doubling.number'))).as('side')),
    )
    .with(materialized('grid'), (db) =>
      db
        .selectFrom(
          db
            .selectFrom('grids')
            .crossJoin('part')
            .groupBy('grids.side')
            .select(({ eb, fn, ref, lit, parens }) => {
              const cell = times(COARSER, ref('grids.side'));
              const [width, height] = [ref('part.width'), ref('part.height')];
              const vertices = least<number>(ref('part.vertices'), over(plus(width, height), cell));
              const bytes = fn
                .sum<number>(plus(DISTRICT_BYTES, times(VERTEX_BYTES, vertices)))
                .filterWhere(least(width, height), '>', cell);
              return ['grids.side', eb(parens(eb(bytes, '>', mostBytes)), 'is not', lit(true)).as('fits')];
            })
            .as('measured'),
        )
        .select(({ fn }) =>
          fn
            .coalesce(fn.min('measured.side').filterWhere('measured.fits', '=', true), fn.max('measured.side'))
            .as('side'),
        ),
    )
    .selectFrom('grid')
    .crossJoin('part')
    .crossJoinLateral(({ ref, eb }) => {
      const outline = ref('part.outline');
      const coarser = eb
        .case()
        .when('grid.side', '>', grid)
        .then(onGrid(outline, ref('grid.side')))
        .else(outline)
        .end();
      return query.selectNoFrom(polygonsOf(coarser).as('outline')).offset(sql.lit(0)).as('drawn');
    })
    .where(({ eb, ref, not, and }) =>
      and([eb(plus(ref('part.width'), ref('part.height')), '>', ref('grid.side')), not(isEmpty(ref('drawn.outline')))]),
    )
    .select(({ ref }) => [
      'part.id as boundaryId',
      'part.district_id as districtId',
      'part.name',
      'part.state',
      asGeoJson(ref('drawn.outline'), 9).as('geometry'),
      'grid.side as grid',
    ])
    .orderBy('part.id');
}
