import { ServiceError } from '../../base/errors.ts';
import { builder, requireGrants } from '../builder/builder.ts';
import type { PageArgs } from '../builder/connection.ts';
import { connectionWithEdges, pageArgs } from '../builder/connection-type.ts';
import type { Context } from '../builder/context.ts';
import {
  type ContainmentArgs,
  type ContainmentRow,
  comparisonOf,
  districtsAround,
  districtsWithin,
} from './containment.store.ts';
import { DistrictObject } from './district.ts';
import { DistrictTypeEnum } from './district-type.ts';
import { type DistrictRow, districts } from './districts.store.ts';

/** A district lies in another one if at least half of it does. */
const USUAL_SHARE = 0.5;
/** The smallest share that counts. */
const SMALLEST_SHARE = 0.001;

const ContainmentConnection = connectionWithEdges<DistrictRow, ContainmentRow>(
  DistrictObject,
  'districts',
  districts.relation,
  'DistrictContainment',
  (t) => ({
    areaShare: t.float({
      description:
        'The share of the area of the contained district that lies in the other one, from 0 to 1, to six decimals, by the rules of `DistrictShare.areaShare`.',
      resolve: ({ node }) => node.area_share,
    }),
  }),
);

const containmentArgs = builder.args((t) => ({
  on: t.field({
    type: 'Date',
    description: 'The day on which the boundaries of both districts are in effect; today by default.',
  }),
  types: t.field({ type: [DistrictTypeEnum], description: 'Only districts of these types.' }),
  minimumShare: t.float({
    defaultValue: USUAL_SHARE,
    description: `The smallest \`areaShare\`, from ${SMALLEST_SHARE} to 1. With a lower one than the default, districts that lie in several others in part are found too; neighbours that overlap only because their outlines were drawn differently are not.`,
  }),
  ...pageArgs,
}));

interface ContainmentInput extends Omit<ContainmentArgs, 'minimumShare'> {
  readonly minimumShare?: number | null | undefined;
}

function readArgs({ on, types, minimumShare }: ContainmentInput): ContainmentArgs {
  const share = minimumShare ?? USUAL_SHARE;
  if (share >= SMALLEST_SHARE && share <= 1) return { on, types, minimumShare: share };
  const reason = `must be from ${SMALLEST_SHARE} to 1`;
  throw new ServiceError('INVALID_PARAMETER', `minimumShare ${reason}, not ${share}.`, [
    { name: 'minimumShare', reason },
  ]);
}

/**
 * Compares a district with others, after counting the work.
 * @throws ServiceError RESPONSE_TOO_LARGE
 */
async function compare(
  read: typeof districtsAround,
  district: DistrictRow,
  args: ContainmentInput & PageArgs,
  context: Context,
) {
  const checked = readArgs(args);
  // What lies around a district is compared with the district alone, whatever the smallest share.
  const minimumShare = Math.min(read === districtsWithin ? checked.minimumShare : 1, USUAL_SHARE);
  const [comparison] = await comparisonOf(district, { on: args.on, minimumShare }, context);
  context.responseSize?.countWork(comparison?.work ?? 0);
  return read(district, checked, args, context);
}

builder.objectFields(DistrictObject, (t) => ({
  containedIn: t.field({
    computation: 1_000,
    type: ContainmentConnection,
    description:
      'The districts in which this one lies, by the boundaries in effect on a day, sorted by district type (country first), then by name and id. Empty if the district has no boundary on that day.',
    ...requireGrants('boundaries'),
    args: containmentArgs,
    resolve: (district, args, context) => compare(districtsAround, district, args, context),
  }),
  contains: t.field({
    computation: 1_000,
    type: ContainmentConnection,
    description:
      'The districts that lie in this one, by the boundaries in effect on a day, sorted by district type (country first), then by name and id. Empty if the district has no boundary on that day.',
    ...requireGrants('boundaries'),
    args: containmentArgs,
    resolve: (district, args, context) => compare(districtsWithin, district, args, context),
  }),
}));
