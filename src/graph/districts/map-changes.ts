import { ServiceError } from '../../base/errors.ts';
import { builder, requireGrants } from '../builder/builder.ts';
import type { Context } from '../builder/context.ts';
import { describedEnum } from '../builder/described-enum.ts';
import { BoundaryObject } from './boundary.ts';
import { DistrictObject } from './district.ts';
import { DistrictTypeEnum } from './district-type.ts';
import { boundaries, type DistrictRow, districts } from './districts.store.ts';
import {
  type ComparisonRow,
  comparisonOfMaps,
  MAP_LOADERS,
  type MapLayer,
  overlapsOfMaps,
  type Side,
} from './map-changes.store.ts';
import {
  compareMaps,
  indexOverlaps,
  LARGEST_OVERLAP,
  LARGEST_SLIVER,
  type MapChangeKind,
  type MapComparison,
  type MapPart,
  SAME_LINE,
  SLIVER_WIDTHS,
  SMALLEST_SHARE,
  sameLine,
  withCounterpart,
} from './map-shares.ts';

interface Succession extends MapComparison {
  readonly district_id: number;
  readonly side: Side;
  readonly day: string;
  readonly layer: Pick<DistrictRow, 'type' | 'state'>;
}

interface SuccessionPart extends MapPart {
  readonly of: Succession;
}

const percent = (share: number) => `${share * 100} %`;

const KINDS: Readonly<Record<MapChangeKind, string>> = {
  SAME_BOUNDARY: 'The same boundary is in effect on both days: no new map of the district began.',
  SAME_LINE: `The district has a new boundary with the same line: at most ${percent(SAME_LINE.precise)} of the area of either outline is not in the other one, or ${percent(SAME_LINE.generalised)} if one of them is generalised, and no other district gave or got a larger share of its own area than that.`,
  OTHER_NAME:
    'Another district has the same line, with the same tolerance: the name or number changed, and not the line.',
  REDRAWN: 'The line moved: the area of the district is divided differently on the other map.',
  IN_NO_DISTRICT:
    'No district of the other map has a part of it, slivers aside. Either there was or is none, as for a district that was dissolved, or the outline of the one that has its area is not loaded: which of them is not known.',
  NOT_ON_MAP:
    'The map on the side of the district is known, and does not have it: for example a district that was added by the newer map, asked for its successors.',
  NO_DATA:
    'The map of one of the two days is not loaded, for no district of this type and state. Whether anything changed is not known.',
};

const MapChangeKindEnum = describedEnum(
  'MapChangeKind',
  'What the comparison of two maps says about a district.',
  KINDS,
);

const SuccessionPartObject = builder.objectRef<SuccessionPart>('DistrictSuccessionPart').implement({
  description:
    'The part of a district that lies in one district of the other map, or in none. The parts of a district add up to 1.',
  fields: (t) => ({
    district: t.field({
      type: DistrictObject,
      nullable: true,
      description:
        'The district of the other map; null for the part that lies in none of its districts: water that one outline includes and the other one does not, or a district whose outline is not loaded.',
      ...districts.ofNullable('district_id'),
    }),
    boundary: t.field({
      type: BoundaryObject,
      nullable: true,
      description: 'The boundary of that district on the other map; null for the part in no district.',
      ...boundaries.ofNullable('boundary_id'),
    }),
    areaShare: t.exposeFloat('area_share', {
      description: `The share of the area of the compared district, from 0 to 1, to eight decimals. Areas are those of the ellipsoid (equal-area projection EPSG:6933), with water where the outlines include it. Where the outlines of the other map overlap a little, up to ${percent(LARGEST_OVERLAP.precise)}, or ${percent(LARGEST_OVERLAP.generalised)} of generalised ones, the shares are those of their sum. Where the districts of a layer overlap on purpose, as elementary and secondary school districts do, they add up to more than 1.`,
    }),
    otherAreaShare: t.exposeFloat('other_share', {
      nullable: true,
      description:
        'The share of the area of the district of the other map that this part is, from 0 to 1, to eight decimals; null for the part in no district.',
    }),
    addressShare: t.float({
      leafCost: { of: () => 50 },
      nullable: true,
      description:
        'The share of the loaded address points in the compared district that lie in this part, from 0 to 1, to six decimals; null if no address point in the district is loaded. It tells where people live, which the share of the area does not.',
      resolve: addressShareOf,
    }),
    isSliver: t.exposeBoolean('is_sliver', {
      description: `Whether the part may be only the difference between two drawings of one line, so that it is no evidence that anybody was moved: at most ${percent(LARGEST_SLIVER)} of either district and on average less than ${SLIVER_WIDTHS.precise} metres wide, or ${SLIVER_WIDTHS.generalised} if one of the outlines is generalised; for the part in no district, less than ${percent(SMALLEST_SHARE)}.`,
    }),
  }),
});

const SuccessionObject = builder.objectRef<Succession>('DistrictSuccession').implement({
  description:
    'A district of one map, compared with the map of the same type and state that was before it or came after it.',
  fields: (t) => ({
    district: t.field({
      type: DistrictObject,
      nullable: true,
      description: 'The compared district. Null only if it was deleted while the request was executed.',
      ...districts.of('district_id'),
    }),
    boundary: t.field({
      type: BoundaryObject,
      nullable: true,
      description: 'Its boundary on its own map; null for `NOT_ON_MAP`, and if its map is not loaded.',
      ...boundaries.ofNullable('boundary_id'),
    }),
    day: t.expose('day', {
      type: 'Date',
      description: 'The first day of the newer map, as requested. The older map is that of the day before.',
    }),
    kind: t.expose('kind', {
      type: MapChangeKindEnum,
      description: 'Whether the line moved, or only the name changed.',
    }),
    parts: t.field({
      listLength: 5,
      type: [SuccessionPartObject],
      description:
        'The districts of the other map that have a part of it, the largest share first, and at the end the part in none. Empty for `NO_DATA` and `NOT_ON_MAP`.',
      resolve: (of) => of.parts.map((part) => ({ ...part, of })),
    }),
  }),
});

async function addressShareOf(part: SuccessionPart, _: unknown, context: Context): Promise<number | null> {
  const { boundary_id, side, day, layer, parts } = part.of;
  if (boundary_id === null) return null;
  const counts = await MAP_LOADERS[side].addresses({ boundary_id, ...layer }, { day }, context);
  const countOf = (district: number | null) => counts.find(({ district_id }) => district_id === district)?.count ?? 0;
  const total = countOf(null);
  if (total === 0) return null;
  const inDistricts = parts.flatMap(({ district_id }) => (district_id === null ? [] : [countOf(district_id)]));
  const count =
    part.district_id === null
      ? Math.max(0, total - inDistricts.reduce((sum, each) => sum + each, 0))
      : countOf(part.district_id);
  return Math.round((count / total) * 1e6) / 1e6;
}

const OTHER_SIDE = { old: 'new', new: 'old' } as const satisfies Record<Side, Side>;

/**
 * Compares a district with the other map, after counting the work.
 * @throws ServiceError RESPONSE_TOO_LARGE
 */
async function succession(district: DistrictRow, side: Side, day: string, context: Context): Promise<Succession> {
  const { id, type, state } = district;
  const compare = async (id: number, side: Side) => {
    const loaders = MAP_LOADERS[side];
    const key = { id, type, state };
    const [comparison = { old_count: 0, new_count: 0, work: 0 }] = await loaders.comparison(key, { day }, context);
    context.responseSize?.countWork(comparison.work);
    const overlaps = await loaders.overlaps(key, { day }, context);
    return compareMaps(id, side, indexOverlaps(overlaps, side), comparison);
  };
  const compared = await compare(id, side);
  const same = sameLine(compared);
  const known = same === undefined ? compared : withCounterpart(compared, await compare(same, OTHER_SIDE[side]));
  return { ...known, district_id: id, side, day, layer: { type, state } };
}

const dayArg = builder.args((t) => ({
  on: t.field({
    type: 'Date',
    required: true,
    description:
      'The first day of the newer map. Days on which maps begin and end are `Boundary.startDate` and `Boundary.endDate`.',
  }),
}));

const SHARED = 'A map is the boundaries of all districts of one type in one state on a day.';

builder.objectFields(DistrictObject, (t) => ({
  successors: t.field({
    computation: 1_000,
    type: SuccessionObject,
    description: `What became of the district when a map ended: the districts of the map of a day that share the area which it had the day before. ${SHARED}`,
    ...requireGrants('districts'),
    args: dayArg,
    resolve: (district, { on }, context) => succession(district, 'old', on, context),
  }),
  predecessors: t.field({
    computation: 1_000,
    type: SuccessionObject,
    description: `What the district was made of when a map began: the districts of the map of the day before that share the area which it has on a day. ${SHARED}`,
    ...requireGrants('districts'),
    args: dayArg,
    resolve: (district, { on }, context) => succession(district, 'new', on, context),
  }),
}));

interface MapChanges extends MapLayer {
  readonly day: string;
  readonly counts: ComparisonRow;
  readonly successors: readonly Succession[];
  readonly predecessors: readonly Succession[];
}

const isKnown = ({ counts }: MapChanges) => counts.old_count > 0 && counts.new_count > 0;
const MapChangesObject = builder.objectRef<MapChanges>('MapChanges').implement({
  description: 'Two maps of one type of districts in a state, compared district by district.',
  fields: (t) => ({
    day: t.expose('day', {
      type: 'Date',
      description: 'The first day of the newer map, as requested. The older map is that of the day before.',
    }),
    isKnown: t.boolean({
      description:
        'Whether both maps are loaded. If not, nothing is known of what changed, and both lists are empty; it does not mean that nothing changed.',
      resolve: isKnown,
    }),
    oldDistrictCount: t.int({
      description: 'The number of districts on the older map; 0 if it is not loaded.',
      resolve: ({ counts }) => counts.old_count,
    }),
    newDistrictCount: t.int({
      description: 'The number of districts on the newer map; 0 if it is not loaded.',
      resolve: ({ counts }) => counts.new_count,
    }),
    redrawnCount: t.int({
      nullable: true,
      description: 'How many districts of the older map have the kind `REDRAWN`; null if a map is not loaded.',
      resolve: (changes) =>
        isKnown(changes) ? changes.successors.filter(({ kind }) => kind === 'REDRAWN').length : null,
    }),
    successors: t.field({
      listLength: 20,
      type: [SuccessionObject],
      description:
        'The rows of the matrix: each district of the older map with what became of it, sorted by the id of the district.',
      resolve: ({ successors }) => [...successors],
    }),
    predecessors: t.field({
      listLength: 20,
      type: [SuccessionObject],
      description:
        'The columns of the matrix: each district of the newer map with what it was made of, sorted by the id of the district.',
      resolve: ({ predecessors }) => [...predecessors],
    }),
  }),
});

/**
 * Compares all districts of two maps, after counting the work.
 * @throws ServiceError RESPONSE_TOO_LARGE
 */
async function mapChanges(layer: MapLayer, day: string, context: Context): Promise<MapChanges> {
  const counts = await comparisonOfMaps(context.db, layer, day);
  context.responseSize?.countWork(counts.work);
  const overlaps = counts.old_count > 0 && counts.new_count > 0 ? await overlapsOfMaps(context.db, layer, day) : [];
  const indexes = { old: indexOverlaps(overlaps, 'old'), new: indexOverlaps(overlaps, 'new') };
  const compare = (id: number, side: Side) => compareMaps(id, side, indexes[side], counts);
  const all = (side: Side): Succession[] =>
    [...indexes[side].sizes.keys()]
      .sort((one, other) => one - other)
      .map((id) => {
        const compared = compare(id, side);
        const same = sameLine(compared);
        const known = same === undefined ? compared : withCounterpart(compared, compare(same, OTHER_SIDE[side]));
        return { ...known, district_id: id, side, day, layer };
      });
  return { ...layer, day, counts, successors: all('old'), predecessors: all('new') };
}

builder.queryField('mapChanges', (t) =>
  t.field({
    computation: 5_000,
    type: MapChangesObject,
    caching: 'whole',
    description: `The matrix of a redistricting: each district of the map of the day before with its shares in the districts of the map of a day. ${SHARED}`,
    ...requireGrants('districts'),
    args: {
      state: t.arg.string({
        required: true,
        description: 'Two-letter abbreviation, case-insensitive; `US` for the country.',
      }),
      type: t.arg({ type: DistrictTypeEnum, required: true, description: 'The type of the districts.' }),
      on: t.arg({ type: 'Date', required: true, description: 'The first day of the newer map.' }),
    },
    resolve: (_, { state, type, on }, context) => {
      if (!/^[a-z]{2}$/i.test(state)) {
        const reason = 'must have two letters';
        throw new ServiceError('INVALID_PARAMETER', `state ${reason}.`, [{ name: 'state', reason }]);
      }
      return mapChanges({ type, state: state.toUpperCase() }, on, context);
    },
  }),
);
