import { builder, requireGrants } from '../builder/builder.ts';
import { contentId } from '../builder/global-id.ts';
import { checkListLength } from '../builder/list-length.ts';
import { defineNode, NodeInterface } from '../builder/node.ts';
import { BoundaryObject } from './boundary.ts';
import { DistrictObject } from './district.ts';
import { DistrictTypeEnum } from './district-type.ts';
import {
  boundaryOfLocation,
  districtOfLocation,
  districtsOfPoint,
  type LocationDistrictRow,
  MOST_POINTS,
  type Point,
} from './districts.store.ts';
import { locationId, pointOfKey } from './location-id.ts';

export const LocationDistrictObject = builder.objectRef<LocationDistrictRow>('LocationDistrict').implement({
  description: 'A district that contains a point on a day, with the boundary that contains it.',
  fields: (t) => ({
    id: t.id(contentId('LocationDistrict', 'the district and the boundary', ['boundary_id'])),
    district: t.field({
      type: DistrictObject,
      description: 'The district itself: the same record whichever point and day it was found by.',
      ...districtOfLocation,
    }),
    boundary: t.field({
      type: BoundaryObject,
      description: 'The boundary of the district that is in effect on the day, and contains the point.',
      ...boundaryOfLocation,
    }),
  }),
});

export const districtArgs = builder.args((t) => ({
  on: t.field({ type: 'Date', description: 'Match the boundaries in effect on this day; today by default.' }),
  types: t.field({ type: [DistrictTypeEnum], description: 'Only districts of these types.' }),
}));

export const LocationObject = builder.objectRef<Point>('Location');

LocationObject.implement({
  interfaces: [NodeInterface],
  description: 'A point on the map and everything that applies to it.',
  fields: (t) => ({
    id: t.id({
      description: 'Global ID: it depends on the point only, to the last digit, and `node` returns the point for it.',
      resolve: locationId,
    }),
    latitude: t.expose('latitude', { type: 'Latitude', description: 'Degrees north of the equator, as requested.' }),
    longitude: t.expose('longitude', { type: 'Longitude', description: 'Degrees east of Greenwich, as requested.' }),
    districts: t.field({
      computation: 20,
      listLength: 10,
      type: [DistrictObject],
      description:
        'The districts that contain the point, sorted by district type (country first), then by name. A point on a shared edge belongs to the districts on both sides. Empty for points at sea or outside of the United States.',
      ...requireGrants('districts', 'officeholders'),
      args: districtArgs,
      ...districtsOfPoint,
    }),
    districtsWithBoundary: t.field({
      computation: 20,
      listLength: 10,
      type: [LocationDistrictObject],
      description:
        'The same districts in the same order, each with the boundary that contains the point. `District.boundary` is that of the district, whichever point it was found by.',
      ...requireGrants('districts', 'officeholders'),
      args: districtArgs,
      ...districtsOfPoint,
    }),
    looksExchanged: t.boolean({
      computation: 40,
      // The cache returns one response for all points without districts.
      extensions: { dependsOnPoint: true },
      description:
        'Whether latitude and longitude look exchanged: no district contains the point today, and some would with the two numbers exchanged.',
      ...requireGrants('districts', 'officeholders'),
      resolve: async (point, _, context) => {
        const { latitude: longitude, longitude: latitude } = point;
        if (Math.abs(latitude) > 90 || (await districtsOfPoint.load(context, point)).length > 0) return false;
        return (await districtsOfPoint.load(context, { latitude, longitude })).length > 0;
      },
    }),
  }),
});

defineNode('Location', { find: (_, key) => pointOfKey(key) });

export const PointInput = builder.inputType('PointInput', {
  description: 'A point in WGS 84 degrees.',
  fields: (t) => ({
    latitude: t.field({ type: 'Latitude', required: true, description: 'Degrees north of the equator.' }),
    longitude: t.field({ type: 'Longitude', required: true, description: 'Degrees east of Greenwich.' }),
  }),
});

builder.queryFields((t) => ({
  locations: t.field({
    caching: 'by point',
    personal: 'point',
    type: [LocationObject],
    description: `Up to ${MOST_POINTS} points in one request, returned in input order and read with as many SQL statements as a single point.`,
    args: {
      points: t.arg({ type: [PointInput], required: true, description: 'The points to look up, in any order.' }),
    },
    resolve: (_, { points }) => {
      checkListLength('locations', 'points', points, MOST_POINTS);
      return points;
    },
  }),
}));
