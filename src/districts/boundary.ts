import { builder, needs } from '../graphql/builder.ts';
import { createLoader, loadable, matchByKey } from '../graphql/loader.ts';
import { RawJson } from '../graphql/raw-json.ts';
import {
  type BoundaryExtent,
  type BoundaryRow,
  boundaryExtents,
  boundaryGeometries,
  type GeometryRequest,
} from './districts.store.ts';

const METRES_PER_DEGREE = 111_320;
/** Geometries that are loaded at once: a statement's rows are in memory before their bytes can be counted. */
const GEOMETRIES_AT_ONCE = 20;

const extents = createLoader(async (context, ids: readonly number[]) =>
  matchByKey(ids, await boundaryExtents(context.db, ids), (extent) => extent.id),
);

const geometries = createLoader(
  async (context, requests: readonly GeometryRequest[]) => {
    const found: (RawJson | null)[] = [];
    for (let from = 0; from < requests.length; from += GEOMETRIES_AT_ONCE) {
      const texts = await boundaryGeometries(context.db, requests.slice(from, from + GEOMETRIES_AT_ONCE));
      for (const text of texts) {
        context.responseSize?.addBytes(text?.length ?? 0);
        found.push(text === null ? null : new RawJson(text));
      }
    }
    return found;
  },
  (request) => `${request.id} ${request.tolerance}`,
);

const BoundingBoxObject = builder.objectRef<BoundaryExtent>('BoundingBox').implement({
  description:
    'The smallest rectangle of meridians and parallels around a boundary. One that crosses the 180th meridian reaches from -180 to 180.',
  fields: (t) => ({
    west: t.expose('west', { type: 'Longitude', description: 'The least longitude.' }),
    south: t.expose('south', { type: 'Latitude', description: 'The least latitude.' }),
    east: t.expose('east', { type: 'Longitude', description: 'The greatest longitude.' }),
    north: t.expose('north', { type: 'Latitude', description: 'The greatest latitude.' }),
  }),
});

export const BoundaryObject = builder.objectRef<BoundaryRow>('Boundary');

BoundaryObject.implement({
  description: 'The outline of a district for a period. A redrawn district has one boundary for each map.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Stable over repeated loads.' }),
    startDate: t.expose('start_date', {
      type: 'Date',
      description: 'First day in effect: when an officeholder elected in this outline swears into office.',
    }),
    endDate: t.expose('end_date', {
      type: 'Date',
      nullable: true,
      description: 'Last day in effect, itself included; null for the foreseeable future.',
    }),
    precise: t.exposeBoolean('precise', {
      description: 'False for an outline that was generalised, so that points near an edge may fall on the wrong side.',
    }),
    boundingBox: t.field({
      type: BoundingBoxObject,
      description: 'For zooming a map to the district. Needs the grant `boundaries`.',
      ...needs('boundaries'),
      ...loadable(extents, ({ id }: BoundaryRow) => id),
    }),
    area: t.float({
      description:
        'Square kilometres, on the ellipsoid, water included where the outline includes it. Needs the grant `boundaries`.',
      ...needs('boundaries'),
      resolve: async ({ id }, _, context) => (await extents(context).load(id))?.area ?? null,
    }),
    geometry: t.field({
      type: 'GeoJSON',
      description: 'The outline itself, a MultiPolygon (Polygon when simplified to one). Needs the grant `boundaries`.',
      ...needs('boundaries'),
      args: {
        tolerance: t.arg.float({
          defaultValue: 0,
          description:
            'Leaves out points that move the outline by less than about this many metres: 1000 suits a map of a state. 0 for all points.',
        }),
      },
      ...loadable(geometries, ({ id }: BoundaryRow, { tolerance }: { tolerance?: number | null }) => ({
        id,
        tolerance: Math.max(tolerance ?? 0, 0) / METRES_PER_DEGREE,
      })),
    }),
  }),
});
