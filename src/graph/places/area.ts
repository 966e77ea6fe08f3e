import { ServiceError } from '../../base/errors.ts';
import type { DistrictType } from '../../store/sql/tables.ts';
import { builder, requireGrants } from '../builder/builder.ts';
import type { Context } from '../builder/context.ts';
import { createLoader } from '../builder/loader.ts';
import { BoundingBoxObject } from '../districts/boundary.ts';
import { DistrictObject } from '../districts/district.ts';
import { DistrictTypeEnum } from '../districts/district-type.ts';
import { type BoundaryExtent, districts, type Point } from '../districts/districts.store.ts';
import { PointInput } from '../districts/location.ts';
import {
  type AreaRow,
  addressesInDistricts,
  comparisonWork,
  type DistrictShareRow,
  districtArea,
  extentOfArea,
  knownZipCodes,
  type OverlapKey,
  overlappingDistricts,
  polygonArea,
  SMALLEST_SHARE,
  type ZipCodeAreaRow,
  zipCodeArea,
} from './area.store.ts';

/** Maximum number of corners of a polygon. */
const MOST_CORNERS = 500;
/** Maximum extent of a polygon in degrees: all boundaries of the country would take too long. */
const LARGEST_EXTENT = 5;

const zipCodes = createLoader(async (context, codes: readonly string[]) => {
  const known = await knownZipCodes(context.db, codes);
  return codes.map((code) => (known.has(code) ? zipCodeArea(code) : null));
});

const keyText = ({ area, day, types }: OverlapKey) => `${day} ${types} ${area.key}`;

const overlaps = createLoader(
  (context, keys: readonly OverlapKey[]) =>
    Promise.all(
      keys.map(async (key) => {
        context.responseSize?.countWork(await comparisonWork(context.db, key.area, key.day));
        return overlappingDistricts(context.db, key);
      }),
    ),
  keyText,
);

const addresses = createLoader(
  (context, keys: readonly OverlapKey[]) => Promise.all(keys.map((key) => addressesInDistricts(context.db, key))),
  keyText,
);

const DistrictShareObject = builder.objectRef<DistrictShareRow>('DistrictShare').implement({
  description: 'A district that covers an area or a part of it.',
  fields: (t) => ({
    district: t.field({
      type: DistrictObject,
      description: 'The district, found by its boundary in effect on the requested day.',
      resolve: (share) => share,
    }),
    areaShare: t.exposeFloat('area_share', {
      description:
        'The share of the area that lies in the district, from 0 to 1, to six decimals. A district lies in the state of its record and in the country as a whole, and so does a ZIP area whose file names its state. For them, a district of another layer counts if it has a wider part than the outlines of both layers can be wrong by, and water outside of the outline of the state is no share. Areas are those of the ellipsoid (equal-area projection EPSG:6933).',
    }),
    addressShare: t.float({
      // Computed once for each area, and not for each of the 20 districts that are assumed.
      leafCost: { argument: 'on', of: () => 50 },
      nullable: true,
      description:
        'The share of the loaded address points within the area that lie in the district, from 0 to 1, to six decimals; null if no address point within the area is loaded. Where few people live in most of an area, it differs from `areaShare`.',
      resolve: async ({ id, area, day }, _, context) => {
        const { total, byDistrict } = await addresses(context).load({ area, day, types: null });
        return total === 0 ? null : Math.round(((byDistrict.get(id) ?? 0) / total) * 1e6) / 1e6;
      },
    }),
    isWhole: t.boolean({
      description: `Whether the whole area lies in the district, up to ${SMALLEST_SHARE} of it; see \`areaShare\` for what is no part of it.`,
      resolve: ({ area_share }) => isWhole(area_share),
    }),
  }),
});

/** Returns whether a share is all of an area, by the same tolerance with which small shares are left out. */
function isWhole(share: number): boolean {
  return share >= 1 - SMALLEST_SHARE;
}

interface OverlapArgs {
  readonly on?: string | null | undefined;
  readonly types?: readonly DistrictType[] | null | undefined;
}

function overlapsOf(area: AreaRow, { on, types }: OverlapArgs, context: Context): Promise<DistrictShareRow[]> {
  return overlaps(context).load({ area, day: on ?? context.today, types: types ?? null });
}

/** Returns whether two or more districts of one type share an area. */
function isDivided(shares: readonly DistrictShareRow[]): boolean {
  return [...Map.groupBy(shares, ({ type }) => type).values()].some((ofType) => {
    const parts = ofType.filter(({ area_share }) => !isWhole(area_share));
    return parts.length > 1 || (parts.length > 0 && ofType.length > parts.length);
  });
}

const overlapArgs = builder.args((t) => ({
  on: t.field({ type: 'Date', description: 'The day on which the boundaries are in effect; today by default.' }),
  types: t.field({ type: [DistrictTypeEnum], description: 'Only districts of these types.' }),
}));

/** The fields of everything that has an area. */
const districtsField = {
  listLength: 20,
  computation: 1_000,
  type: [DistrictShareObject] as [typeof DistrictShareObject],
  description: `The districts that cover the area or at least ${SMALLEST_SHARE} of it, sorted by district type (country first), then by name. The shares of the districts of one type add up to the share that this layer covers: 1 where its map has no gaps.`,
  ...requireGrants('districts', 'officeholders'),
  args: overlapArgs,
  resolve: overlapsOf,
};
const isSplitField = {
  leafCost: { argument: 'types', of: () => 1_000 },
  description:
    'Whether a layer divides the area: whether at least two districts of one type have a share of it, by the same rules as in `districts`. Nearly every area is divided by some layer; for one layer only, give its type: `isSplit(types: [CONGRESS])`.',
  ...requireGrants('districts', 'officeholders'),
  args: overlapArgs,
  resolve: async (...[area, args, context]: Parameters<typeof overlapsOf>) =>
    isDivided(await overlapsOf(area, args, context)),
};

const onDay = builder.args((t) => ({
  on: t.field({
    type: 'Date',
    description: 'The day on which the boundary of a district is in effect; today by default.',
  }),
}));
const boundingBoxField = {
  computation: 40,
  type: BoundingBoxObject,
  description: 'The smallest rectangle that contains the area; null if it has no outline on the day.',
  ...requireGrants('boundaries'),
  args: onDay,
  resolve: (area: AreaRow, { on }: { readonly on?: string | null }, context: Context) =>
    extentOfArea(context.db, area, on ?? context.today),
} as const;

const ZipCodeAreaObject = builder.objectRef<ZipCodeAreaRow>('ZipCodeArea').implement({
  description:
    'The area of a ZIP code: the ZIP Code Tabulation Area of the Census, which approximates the addresses of the code. It is an area and not a point: it may lie in several districts of one type.',
  fields: (t) => ({
    code: t.expose('code', { type: 'ZipCode', description: 'The ZIP code, five digits.' }),
    districts: t.field(districtsField),
    isSplit: t.boolean(isSplitField),
    boundingBox: t.field(boundingBoxField),
  }),
});

export const AreaObject = builder.objectRef<AreaRow>('Area').implement({
  description: 'An area on the map, as requested, with the districts that it lies in.',
  fields: (t) => ({
    district: t.field({
      type: DistrictObject,
      description: 'The district of which this is the area; null for a ZIP code, a polygon or a rectangle.',
      ...requireGrants('districts', 'officeholders'),
      resolve: ({ district }) => district ?? null,
    }),
    boundingBox: t.field(boundingBoxField),
    districts: t.field(districtsField),
    isSplit: t.boolean(isSplitField),
  }),
});

const BoundingBoxInput = builder.inputType('BoundingBoxInput', {
  description: 'A rectangle of meridians and parallels in WGS 84 degrees.',
  fields: (t) => ({
    west: t.field({ type: 'Longitude', required: true, description: 'The smallest longitude, less than `east`.' }),
    south: t.field({ type: 'Latitude', required: true, description: 'The smallest latitude, less than `north`.' }),
    east: t.field({ type: 'Longitude', required: true, description: 'The greatest longitude.' }),
    north: t.field({ type: 'Latitude', required: true, description: 'The greatest latitude.' }),
  }),
});

builder.queryFields((t) => ({
  zip: t.field({
    caching: 'never',
    personal: 'point',
    type: ZipCodeAreaObject,
    nullable: true,
    description:
      'The area of a ZIP code with the districts that it lies in; null if no area of the code is loaded. Codes of post office boxes and of single large recipients have no area.',
    args: { code: t.arg({ type: 'ZipCode', required: true, description: 'The ZIP code.' }) },
    resolve: (_, { code }, context) => zipCodes(context).load(code),
  }),
  area: t.field({
    caching: 'never',
    personal: 'point',
    type: AreaObject,
    description: `An area on the map with the districts that it lies in. Give exactly one of \`polygon\`, \`boundingBox\` and \`district\`. A polygon or rectangle is at most ${LARGEST_EXTENT} degrees wide and high, and must not cross the 180th meridian.`,
    args: {
      polygon: t.arg({
        type: [PointInput],
        description: `The corners of a polygon without holes, 3 to ${MOST_CORNERS}, in either direction. Its edges are straight in degrees and must not cross each other. The first corner may be repeated as the last.`,
      }),
      boundingBox: t.arg({ type: BoundingBoxInput, description: 'The corners of a rectangle.' }),
      district: t.arg.int({
        description:
          'The `databaseId` of a district, such as a state, county or town: districts of its own state that overlap it by the boundaries of one day. They are null without one of the grants `districts` and `officeholders`.',
      }),
    },
    resolve: async (_, { polygon, boundingBox, district }, context) => {
      if ([polygon, boundingBox, district].filter((given) => given != null).length !== 1) {
        throw new ServiceError('INVALID_PARAMETER', 'area takes exactly one of polygon, boundingBox and district.');
      }
      if (district != null) {
        const found = await districts.load(context, district);
        if (found) return districtArea(found);
        throw rejected('district', 'must be the databaseId of a district');
      }
      const [name, corners] = boundingBox
        ? (['boundingBox', cornersOf(boundingBox)] as const)
        : (['polygon', polygon ?? []] as const);
      checkCorners(name, corners);
      const area = await polygonArea(context.db, corners);
      if (area) return area;
      throw rejected(name, 'must have an area, and edges that do not cross or touch each other');
    },
  }),
}));

function rejected(name: string, reason: string): ServiceError {
  return new ServiceError('INVALID_PARAMETER', `${name} ${reason}.`, [{ name, reason }]);
}

function cornersOf({ west, south, east, north }: BoundaryExtent): Point[] {
  if (west >= east) throw rejected('boundingBox', 'must have a west that is less than its east');
  if (south >= north) throw rejected('boundingBox', 'must have a south that is less than its north');
  return [
    { longitude: west, latitude: south },
    { longitude: east, latitude: south },
    { longitude: east, latitude: north },
    { longitude: west, latitude: north },
  ];
}

/**
 * Checks the number of the corners and their extent.
 * @throws ServiceError INVALID_PARAMETER
 */
function checkCorners(name: string, corners: readonly Point[]): void {
  if (corners.length < 3 || corners.length > MOST_CORNERS)
    throw rejected(name, `must have 3 to ${MOST_CORNERS} corners, not ${corners.length}`);
  for (const axis of ['longitude', 'latitude'] as const) {
    const values = corners.map((corner) => corner[axis]);
    if (Math.max(...values) - Math.min(...values) > LARGEST_EXTENT)
      throw rejected(name, `must be at most ${LARGEST_EXTENT} degrees wide and high`);
  }
}
