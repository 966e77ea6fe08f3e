import { builder, requireGrants } from '../builder/builder.ts';
import type { Context } from '../builder/context.ts';
import { DATABASE_ID, recordId } from '../builder/global-id.ts';
import { createLoader } from '../builder/loader.ts';
import { NodeInterface } from '../builder/node.ts';
import { RawJson } from '../builder/raw-json.ts';
import { recordField } from '../builder/record-field.ts';
import {
  areasOfBoundaries,
  type BoundaryExtent,
  type BoundaryRow,
  boundaries,
  boundaryGeometries,
  extentOfBoundary,
  type GeometryRequest,
  verticesOf,
} from './districts.store.ts';

const METRES_PER_DEGREE = 111_320;
/** Geometries fetched by one statement: all its rows are in memory before their bytes can be counted. */
const GEOMETRIES_AT_ONCE = 20;
/** The most vertices that one statement simplifies, in about a third of a second; a single outline may have more. */
const VERTICES_AT_ONCE = 150_000;
/** Vertices that are simplified or measured in the time of one record: each takes 1 to 3 microseconds. */
const VERTICES_PER_RECORD = 20;

const geometries = createLoader(
  async (context, requests: readonly GeometryRequest[]) => {
    const found: (RawJson | null)[] = [];
    for (const group of await groupsOf(context, requests)) {
      const texts = await boundaryGeometries(context.db, group);
      for (const text of texts) {
        context.responseSize?.addBytes(text?.length ?? 0);
        found.push(text === null ? null : new RawJson(text));
      }
    }
    return found;
  },
  (request) => `${request.id} ${request.tolerance}`,
);

/**
 * Divides requests, in their order, into those of one statement each, and counts the work of simplification, which
 * depends on the vertices that an outline has and not on those that remain.
 * @throws ServiceError RESPONSE_TOO_LARGE
 */
async function groupsOf(context: Context, requests: readonly GeometryRequest[]): Promise<GeometryRequest[][]> {
  const simplified = requests.filter(({ tolerance }) => tolerance > 0).map(({ id }) => id);
  const vertices = simplified.length === 0 ? undefined : await verticesOf(context.db, [...new Set(simplified)]);
  const workOf = ({ id, tolerance }: GeometryRequest) => (tolerance > 0 ? (vertices?.get(id) ?? 0) : 0);
  const groups: GeometryRequest[][] = [];
  let total = 0;
  let inGroup = 0;
  for (const request of requests) {
    const work = workOf(request);
    total += work;
    inGroup += work;
    const group = groups.at(-1);
    if (group && group.length < GEOMETRIES_AT_ONCE && inGroup <= VERTICES_AT_ONCE) group.push(request);
    else {
      groups.push([request]);
      inGroup = work;
    }
  }
  context.responseSize?.countWork(Math.ceil(total / VERTICES_PER_RECORD));
  return groups;
}

/** Reads areas, whose work depends on the vertices as well. @throws ServiceError RESPONSE_TOO_LARGE */
const areas = createLoader(async (context, ids: readonly number[]) => {
  const vertices = await verticesOf(context.db, ids);
  const total = [...vertices.values()].reduce((sum, count) => sum + count, 0);
  context.responseSize?.countWork(Math.ceil(total / VERTICES_PER_RECORD));
  const found = await areasOfBoundaries(context.db, ids);
  return ids.map((id) => found.get(id) ?? null);
});

export const BoundingBoxObject = builder.objectRef<BoundaryExtent>('BoundingBox').implement({
  description:
    'The smallest rectangle of meridians and parallels that contains a boundary or an area. One that crosses the 180th meridian spans -180 to 180.',
  fields: (t) => ({
    west: t.expose('west', { type: 'Longitude', description: 'The smallest longitude, in degrees.' }),
    south: t.expose('south', { type: 'Latitude', description: 'The smallest latitude, in degrees.' }),
    east: t.expose('east', { type: 'Longitude', description: 'The greatest longitude, in degrees.' }),
    north: t.expose('north', { type: 'Latitude', description: 'The greatest latitude, in degrees.' }),
  }),
});

export const BoundaryObject = builder.objectRef<BoundaryRow>('Boundary');

/** What an outline costs in records of about 100 bytes. */
const LARGE_GEOMETRY = 2_000;
const LEAST_GEOMETRY = 100;

/**
 * Returns the cost of a geometry simplified by `tolerance` metres. A large boundary with all points has 200 kB (the
 * largest 700 kB). Simplified by 50 metres it has half of that, and by 1000 metres 10 kB; islands remain at any
 * tolerance.
 */
function geometryCost(tolerance: number): number {
  return Math.max(LEAST_GEOMETRY, Math.round(LARGE_GEOMETRY / (1 + Math.max(tolerance, 0) / 50)));
}

BoundaryObject.implement({
  interfaces: [NodeInterface],
  description: 'The outline of a district during a period. A redrawn district has one boundary for each map.',
  fields: (t) => ({
    id: t.id(recordId('Boundary')),
    databaseId: t.exposeInt('id', { description: DATABASE_ID }),
    startDate: t.expose('start_date', {
      type: 'Date',
      description: 'First day in effect: the day on which officeholders elected within this boundary are sworn in.',
    }),
    endDate: t.expose('end_date', {
      type: 'Date',
      nullable: true,
      description: 'Last day in effect, inclusive; null when no end date is set.',
    }),
    precise: t.exposeBoolean('precise', {
      description: 'False for a generalised outline: points near an edge may fall on the wrong side.',
    }),
    boundingBox: t.field({
      computation: 40,
      type: BoundingBoxObject,
      description: 'The bounding box of the outline, for example to zoom a map to the district.',
      ...requireGrants('boundaries'),
      ...extentOfBoundary,
    }),
    area: t.float({
      description: 'Area in square kilometres on the ellipsoid, including water where the outline includes it.',
      ...requireGrants('boundaries'),
      resolve: ({ id }, _, context) => areas(context).load(id),
    }),
    geometry: t.field({
      leafCost: { argument: 'tolerance', of: geometryCost },
      type: 'GeoJSON',
      description: 'The outline as a MultiPolygon, or a Polygon if simplification leaves only one.',
      ...requireGrants('boundaries'),
      args: {
        tolerance: t.arg.float({
          defaultValue: 0,
          description:
            'Simplification tolerance in metres: vertices that move the outline by less than about this distance are omitted. 1000 suits a map of a state; 0 returns all vertices.',
        }),
      },
      resolve: ({ id }, { tolerance }, context) =>
        geometries(context).load({ id, tolerance: Math.max(tolerance ?? 0, 0) / METRES_PER_DEGREE }),
    }),
  }),
});

recordField(BoundaryObject, { grants: ['districts'], load: boundaries.load });
