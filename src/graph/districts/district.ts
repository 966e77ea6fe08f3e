import { ServiceError } from '../../base/errors.ts';
import { shortGeoid } from '../../base/words/geoids.ts';
import { builder, requireGrants } from '../builder/builder.ts';
import { recordConnectionType, recordPageArgs } from '../builder/connection-type.ts';
import type { Context } from '../builder/context.ts';
import { DATABASE_ID, recordId } from '../builder/global-id.ts';
import { connectionOf } from '../builder/keyset.ts';
import { BY, defineRecord, GLOBAL_ID, NodeInterface, NUMBER, oneIdentifier, type RecordIds } from '../builder/node.ts';
import { sortOrders } from '../builder/sort-order.ts';
import { checkWords, EACH_BEGINS_A_WORD } from '../builder/word-search.ts';
import { BoundaryObject } from './boundary.ts';
import { DistrictTypeEnum } from './district-type.ts';
import {
  boundariesOfDistrict,
  boundaryOfDistrict,
  DISTRICT_ORDERS,
  type DistrictRow,
  districts,
  districtsByOcdId,
  districtsByShortGeoId,
  districtsWhere,
} from './districts.store.ts';
import { matchesGeoId } from './geo-id.ts';

const LONG_IDENTIFIER = { maxLength: 200 };

export const DistrictObject = builder.objectRef<DistrictRow>('District');

DistrictObject.implement({
  interfaces: [NodeInterface],
  description:
    'An electoral area, from the country to a ward. Its boundary may change from map to map; the district remains the same record.',
  fields: (t) => ({
    id: t.id(recordId('District')),
    databaseId: t.exposeInt('id', { description: DATABASE_ID }),
    name: t.exposeString('name', { description: 'Name of the district as given by its source.' }),
    type: t.expose('type', { type: DistrictTypeEnum, description: 'The type of the district, for example `COUNTY`.' }),
    state: t.exposeString('state', {
      nullable: true,
      description:
        'Two-letter abbreviation; `US` for the country, null if the district does not belong to a single state.',
    }),
    ocdId: t.exposeString('ocdid', {
      nullable: true,
      description:
        'Open Civic Data division identifier, for example `ocd-division/country:us/state:vt`; null when not known.',
    }),
    geoId: t.exposeString('geo_id', {
      nullable: true,
      description: 'Census GEOID, for example `0400000US50`; null when not known.',
    }),
    ncesId: t.exposeString('nces_id', {
      nullable: true,
      description:
        'School district ID of the National Center for Education Statistics (NCES); null for other districts or when not known.',
    }),
    url: t.exposeString('url', {
      nullable: true,
      description: 'A public page about the district; null when none is known.',
    }),
    boundary: t.field({
      type: BoundaryObject,
      nullable: true,
      description:
        'The boundary in effect on a day; null when there is none. The boundary by which a point found the district is in `LocationDistrict.boundary`, and that of a ballot in `BallotDistrict.boundary`.',
      args: { on: t.arg({ type: 'Date', description: 'The day; today by default.' }) },
      ...boundaryOfDistrict,
    }),
    boundaries: t.field({
      listLength: 2,
      type: [BoundaryObject],
      description: 'The boundaries of all periods, newest first. Empty if no outline of the district is known.',
      ...boundariesOfDistrict,
    }),
  }),
});

builder.objectField(BoundaryObject, 'district', (t) =>
  t.field({
    type: DistrictObject,
    nullable: true,
    description: 'The district that the boundary outlines. Null only if it was deleted while the request was executed.',
    ...districts.of('district_id'),
  }),
);

const districtById = defineRecord(DistrictObject, { grants: ['districts'], load: districts.load });

const OCD_ID = {
  description:
    'Open Civic Data division identifier, at most 200 characters. One that districts of several types have is rejected.',
  extensions: LONG_IDENTIFIER,
};
const GEO_ID = {
  description:
    'Census GEOID, long (`0500000US50007`) or short (`50007`), of any edition: `5001900US0639` of the 119th Congress finds the district that is stored as `5001800US0639`. A GEOID that matches several districts is rejected. At most 200 characters.',
  extensions: LONG_IDENTIFIER,
};

const DistrictByInput = builder.inputType('DistrictBy', {
  isOneOf: true,
  description: 'One of the identifiers of a district.',
  fields: (t) => ({ id: t.id(GLOBAL_ID), databaseId: t.int(NUMBER), ocdId: t.string(OCD_ID), geoId: t.string(GEO_ID) }),
});

const districtOrders = sortOrders('DistrictOrder', 'districts', DISTRICT_ORDERS, 'TYPE');

const DistrictConnection = recordConnectionType(DistrictObject, 'districts', districts.relation);

builder.queryFields((t) => ({
  district: t.field({
    type: DistrictObject,
    description: 'One district, by exactly one of its identifiers; null if no district has it.',
    ...districtById,
    args: {
      by: t.arg({ type: DistrictByInput, description: BY }),
      id: t.arg.id(GLOBAL_ID),
      databaseId: t.arg.int(NUMBER),
      ocdId: t.arg.string(OCD_ID),
      geoId: t.arg.string(GEO_ID),
    },
    resolve: (_, identifiers, context) => findDistrict(context, identifiers),
  }),
  districts: t.field({
    caching: 'whole',
    type: DistrictConnection,
    description: 'Districts that match all filters.',
    ...requireGrants('districts'),
    args: {
      ...recordPageArgs,
      state: t.arg.string({ description: 'Two-letter abbreviation, case-insensitive; `US` for the country.' }),
      types: t.arg({ type: [DistrictTypeEnum], description: 'Only districts of these types.' }),
      name: t.arg.string({ description: `Words of the name, ${EACH_BEGINS_A_WORD}` }),
      orderBy: t.arg(districtOrders.orderByArg),
    },
    resolve: (_, { state, types, name, orderBy, ...page }, context) => {
      checkWords('name', name);
      const list = districtsWhere({ state: state?.toUpperCase(), types, name }, districtOrders.orderOf(orderBy));
      return connectionOf<DistrictRow>(context, page, list);
    },
  }),
}));

interface DistrictIdentifiers extends RecordIds {
  readonly ocdId?: string | null;
  readonly geoId?: string | null;
}

async function findDistrict(
  context: Context,
  identifiers: DistrictIdentifiers & { readonly by?: DistrictIdentifiers | null },
): Promise<DistrictRow | null> {
  const { id, databaseId, ocdId, geoId } = oneIdentifier(
    'district',
    ['id', 'databaseId', 'ocdId', 'geoId'],
    identifiers,
  );
  if (id != null || databaseId != null) return districtById.resolve(null, { id, databaseId }, context);
  if (ocdId != null) {
    const found = await districtsByOcdId(context.db, ocdId);
    if (found.length <= 1) return found[0] ?? null;
    const choices = found.map((district) => `${district.type}, databaseId ${district.id}`).join('; ');
    throw new ServiceError('INVALID_PARAMETER', `Several districts have this OCD id: ${choices}. Use the databaseId.`);
  }
  const requested = geoId ?? '';
  const fitting = (await districtsByShortGeoId(context.db, shortGeoid(requested))).filter((found) =>
    matchesGeoId(found, requested),
  );
  if (fitting.length > 1) {
    const choices = fitting
      .map((district) => `${district.geo_id} (${district.type}, databaseId ${district.id})`)
      .join(', ');
    throw new ServiceError(
      'INVALID_PARAMETER',
      `Several districts have the GEOID ${shortGeoid(requested)}: ${choices}. Use the long form or the databaseId.`,
    );
  }
  return fitting[0] ?? null;
}
