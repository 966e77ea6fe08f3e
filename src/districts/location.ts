import { ServiceError } from '../errors.ts';
import { builder, requireGrants } from '../graphql/builder.ts';
import { DistrictObject } from './district.ts';
import { DistrictTypeEnum } from './district-type.ts';
import { districtsOfPoint, MOST_POINTS, type Point } from './districts.store.ts';

export const LocationObject = builder.objectRef<Point>('Location');

LocationObject.implement({
  description: 'A point on the map and everything that applies to it. Clients geocode addresses to points themselves.',
  fields: (t) => ({
    latitude: t.expose('latitude', { type: 'Latitude', description: 'Degrees north of the equator, as requested.' }),
    longitude: t.expose('longitude', { type: 'Longitude', description: 'Degrees east of Greenwich, as requested.' }),
    districts: t.field({
      type: [DistrictObject],
      description:
        'The districts that contain the point, sorted by district type (country first), then by name. A point on a shared edge belongs to the districts on both sides. Empty for points at sea or outside of the United States.',
      ...requireGrants('districts', 'officeholders'),
      args: {
        on: t.arg({ type: 'Date', description: 'Match the boundaries in effect on this day; today by default.' }),
        types: t.arg({ type: [DistrictTypeEnum], description: 'Only districts of these types.' }),
      },
      ...districtsOfPoint,
    }),
  }),
});

const PointInput = builder.inputType('PointInput', {
  description: 'A point in WGS 84 degrees.',
  fields: (t) => ({
    latitude: t.field({ type: 'Latitude', required: true, description: 'Degrees north of the equator.' }),
    longitude: t.field({ type: 'Longitude', required: true, description: 'Degrees east of Greenwich.' }),
  }),
});

builder.queryFields((t) => ({
  location: t.field({
    type: LocationObject,
    description: 'A point, with everything that applies to it. Every point is valid; a point at sea has no districts.',
    args: {
      latitude: t.arg({ type: 'Latitude', required: true, description: 'Degrees north of the equator.' }),
      longitude: t.arg({ type: 'Longitude', required: true, description: 'Degrees east of Greenwich.' }),
    },
    resolve: (_, point) => point,
  }),
  locations: t.field({
    type: [LocationObject],
    description: `Up to ${MOST_POINTS} points in one request, returned in input order and read with as many SQL statements as a single point.`,
    args: {
      points: t.arg({ type: [PointInput], required: true, description: 'The points to look up, in any order.' }),
    },
    resolve: (_, { points }) => {
      if (points.length > MOST_POINTS) {
        throw new ServiceError(
          'INVALID_PARAMETER',
          `locations takes at most ${MOST_POINTS} points at once, not ${points.length}.`,
        );
      }
      return points;
    },
  }),
}));
