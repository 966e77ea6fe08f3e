import { builder, requireGrants } from '../builder/builder.ts';
import { BoundaryObject } from './boundary.ts';
import { DistrictObject } from './district.ts';
import { boundaryOfLocation, districtOfLocation, districts } from './districts.store.ts';
import { type EdgeRow, edgesOfPoint } from './edges.store.ts';
import { districtArgs, LocationObject } from './location.ts';

/** How far the line of an outline may be from the real one, in metres. */
const PRECISION = { precise: 50, generalised: 1_000 } as const;

const NearestLineObject = builder.objectRef<EdgeRow>('NearestLine').implement({
  description: 'A district that contains a point, with the line of its boundary that is nearest to the point.',
  fields: (t) => ({
    district: t.field({
      type: DistrictObject,
      description: 'The district that contains the point.',
      ...districtOfLocation,
    }),
    boundary: t.field({
      type: BoundaryObject,
      description: 'The boundary of the district that is in effect on the day, and contains the point.',
      ...boundaryOfLocation,
    }),
    distance: t.float({
      description:
        'The distance from the point to the nearest edge of the boundary in metres on the ellipsoid WGS 84, to one decimal. The edges of a boundary are straight in degrees. The 180th meridian, at which outlines are cut in two, is no edge.',
      resolve: ({ distance }) => Math.round(distance * 10) / 10,
    }),
    isCertain: t.boolean({
      description: `Whether the point is further from the edge than the outline is precise: more than ${PRECISION.precise} metres, or ${PRECISION.generalised.toLocaleString('en-US')} if the outline is generalised (\`Boundary.precise\`). If not, the point may be in one of the \`neighbors\`.`,
      resolve: ({ distance, precise }) => distance > PRECISION[precise ? 'precise' : 'generalised'],
    }),
    neighbors: t.field({
      listLength: 1,
      type: [DistrictObject],
      description:
        'The districts of the same type just beyond the nearest edge. Empty at a coast, at the border of the country, if no outline of a neighbour is loaded, and for a point on the edge itself, which belongs to the districts on both sides.',
      ...districts.listOf('neighbor_ids'),
    }),
  }),
});

builder.objectField(LocationObject, 'nearestLines', (t) =>
  t.field({
    computation: 3_500,
    listLength: 10,
    type: [NearestLineObject],
    description:
      'How near the point is to the lines of its districts: the same districts as `districts`, in the same order. Responses with this field are not cached, because they depend on the point itself and not only on its districts.',
    ...requireGrants('boundaries'),
    // The cache of responses by point returns one response for all points with the same boundaries.
    extensions: { dependsOnPoint: true },
    args: districtArgs,
    resolve: (point, args, context) => edgesOfPoint(point, args, context),
  }),
);
