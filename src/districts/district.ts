import type { Day } from '../calendar.ts';
import { ServiceError } from '../errors.ts';
import { builder, needs } from '../graphql/builder.ts';
import { connectionOf, isCursorId, isCursorText, readPage } from '../graphql/connection.ts';
import { connectionType, pageArgs } from '../graphql/connection-type.ts';
import type { Context } from '../graphql/context.ts';
import { inSql } from '../graphql/in-sql.ts';
import { createLoader, groupByKey, loadable, matchByKey } from '../graphql/loader.ts';
import type { DistrictType } from '../store/tables.ts';
import { BoundaryObject } from './boundary.ts';
import { DISTRICT_TYPES, DistrictTypeEnum } from './district-type.ts';
import {
  type BoundaryRow,
  boundariesOfDistricts,
  countDistricts,
  type DistrictPosition,
  type DistrictRow,
  districtsById,
  districtsByOcdId,
  districtsByShortGeoId,
  foundBoundaryInSql,
  pageOfDistricts,
} from './districts.store.ts';
import { matchesGeoId, shortGeoId } from './geo-id.ts';
import { inEffectOn } from './periods.ts';

const LONG_IDENTIFIER = { maxLength: 200 };

/** A district, with the boundary that it was found by when a point led to it. */
export interface DistrictNode extends DistrictRow {
  readonly found?: BoundaryRow;
}

export const districtById = createLoader(async (context, ids: readonly number[]) =>
  matchByKey(ids, await districtsById(context.db, ids), (district) => district.id),
);

export const boundariesOf = createLoader(async (context, districtIds: readonly number[]) =>
  groupByKey(districtIds, await boundariesOfDistricts(context.db, districtIds), (boundary) => boundary.district_id),
);

async function boundaryOn(context: Context, { id }: DistrictNode, on: Day): Promise<BoundaryRow | null> {
  return inEffectOn(await boundariesOf(context).load(id), on);
}

export const DistrictObject = builder.objectRef<DistrictNode>('District');

DistrictObject.implement({
  description:
    'An area that elects: from the country to a ward. Its outline may change from map to map; the district stays the same record.',
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Ours, stable over repeated loads.' }),
    name: t.exposeString('name', { description: 'As the source of the district gives it.' }),
    type: t.expose('type', { type: DistrictTypeEnum, description: 'What kind of area it is.' }),
    state: t.exposeString('state', {
      nullable: true,
      description: 'Two-letter abbreviation; `US` for the country, null where a district belongs to no one state.',
    }),
    ocdId: t.exposeString('ocdid', {
      nullable: true,
      description: 'Open Civic Data division identifier, for example `ocd-division/country:us/state:vt`.',
    }),
    geoId: t.exposeString('geo_id', { nullable: true, description: 'Census GEOID, for example `0400000US50`.' }),
    ncesId: t.exposeString('nces_id', {
      nullable: true,
      description: 'Identifier of a school district at the National Center for Education Statistics.',
    }),
    url: t.exposeString('url', { nullable: true, description: 'A public page about the district.' }),
    boundary: t.field({
      type: BoundaryObject,
      nullable: true,
      description:
        'The boundary in effect on a day, null when there is none. Without `on`, the one through which a point led here, else the one of today.',
      args: { on: t.arg({ type: 'Date', description: 'The day.' }) },
      ...inSql(foundBoundaryInSql),
      resolve: (district, { on }, context) =>
        on == null && district.found ? district.found : boundaryOn(context, district, on ?? context.today),
    }),
    boundaries: t.field({
      type: [BoundaryObject],
      description: 'The boundaries of all periods, the newest first. Empty for a district that is known by name only.',
      ...loadable(boundariesOf, ({ id }: DistrictNode) => id),
    }),
  }),
});

const DistrictConnection = connectionType(DistrictObject, 'districts');

builder.queryFields((t) => ({
  district: t.field({
    type: DistrictObject,
    description:
      'One district, by exactly one of its identifiers; null when none is known by it. Needs the grant `districts`.',
    ...needs('districts'),
    args: {
      id: t.arg.int({ description: 'Our id.' }),
      ocdId: t.arg.string({
        description: 'The Open Civic Data division identifier, at most 200 characters.',
        extensions: LONG_IDENTIFIER,
      }),
      geoId: t.arg.string({
        extensions: LONG_IDENTIFIER,
        description:
          'The Census GEOID, long (`0500000US50007`) or short (`50007`); a short one that fits several districts is refused. At most 200 characters.',
      }),
    },
    resolve: (_, identifiers, context) => findDistrict(context, identifiers),
  }),
  districts: t.field({
    type: DistrictConnection,
    description:
      'Districts that fit all the filters, from the country down, then by name, then by id. Needs the grant `districts`.',
    ...needs('districts'),
    args: {
      ...pageArgs,
      state: t.arg.string({ description: 'Two-letter abbreviation, in any letter case; `US` for the country.' }),
      types: t.arg({ type: [DistrictTypeEnum], description: 'Only districts of these types.' }),
      name: t.arg.string({ description: 'A part of the name, in any letter case, at most 100 characters.' }),
    },
    resolve: (_, { first, after, state, types, name }, context) => {
      const filter = { state: state?.toUpperCase(), types: types ?? undefined, name: name ?? undefined };
      return connectionOf(
        readPage({ first, after }, readPosition),
        (behind, limit) => pageOfDistricts(context.db, filter, behind, limit),
        (district): DistrictPosition => [district.type, district.name, district.id],
        () => countDistricts(context.db, filter),
      );
    },
  }),
}));

interface DistrictIdentifiers {
  readonly id?: number | null;
  readonly ocdId?: string | null;
  readonly geoId?: string | null;
}

async function findDistrict(context: Context, { id, ocdId, geoId }: DistrictIdentifiers): Promise<DistrictRow | null> {
  if ([id, ocdId, geoId].filter((identifier) => identifier != null).length !== 1) {
    throw new ServiceError('INVALID_PARAMETER', 'district takes exactly one of id, ocdId and geoId.');
  }
  if (id != null) return districtById(context).load(id);
  if (ocdId != null) return (await districtsByOcdId(context.db, ocdId))[0] ?? null;
  const asked = geoId ?? '';
  const fitting = (await districtsByShortGeoId(context.db, shortGeoId(asked))).filter((found) =>
    matchesGeoId(found, asked),
  );
  if (fitting.length > 1) {
    const choices = fitting.map((district) => `${district.geo_id} (${district.type}, id ${district.id})`).join(', ');
    throw new ServiceError(
      'INVALID_PARAMETER',
      `Several districts have the GEOID ${shortGeoId(asked)}: ${choices}. Ask by the long form or by id.`,
    );
  }
  return fitting[0] ?? null;
}

function readPosition(decoded: unknown): DistrictPosition | undefined {
  if (!Array.isArray(decoded) || decoded.length !== 3) return undefined;
  const [type, name, id] = decoded as unknown[];
  const known = DISTRICT_TYPES.some(([, value]) => value === type);
  return known && isCursorText(name) && isCursorId(id) ? [type as DistrictType, name, id] : undefined;
}
