import SchemaBuilder from '@pothos/core';
import type { Day } from '../../base/dates.ts';
import type { AccessGrant } from '../../store/sql/tables.ts';
import type { Context } from './context.ts';
import './field-costs.ts';
import './required-grants.ts';
import './object-count.ts';
import './root-fields.ts';
import {
  DateScalar,
  DateTimeScalar,
  GeoJsonScalar,
  LatitudeScalar,
  LongitudeScalar,
  ZipCodeScalar,
} from './scalars.ts';

export interface SchemaTypes {
  Context: Context;
  Scalars: {
    Date: { Input: Day; Output: Day };
    DateTime: { Input: string; Output: string };
    GeoJSON: { Input: never; Output: object };
    Latitude: { Input: number; Output: number };
    Longitude: { Input: number; Output: number };
    ZipCode: { Input: string; Output: string };
  };
  DefaultFieldNullability: false;
}

/** `SchemaTypes` with the library's defaults, for functions that accept or return references to types. */
export type BuilderTypes = PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>;

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: ['grants', 'objectCount', 'rootFields', 'fieldCosts'],
  defaultFieldNullability: false,
});

/**
 * Returns the options of a nullable field that requires one of the grants. For callers without any of them the field is
 * null, decided before anything is fetched (contract, Packages).
 */
export function requireGrants(...grants: [AccessGrant, ...AccessGrant[]]) {
  return { grants, nullable: true } as const;
}

builder.addScalarType('Date', DateScalar);
builder.addScalarType('DateTime', DateTimeScalar);
builder.addScalarType('GeoJSON', GeoJsonScalar);
builder.addScalarType('Latitude', LatitudeScalar);
builder.addScalarType('Longitude', LongitudeScalar);
builder.addScalarType('ZipCode', ZipCodeScalar);

builder.subscriptionType({
  description: 'What is told as it happens, over Server-Sent Events: a request with `Accept: text/event-stream`.',
});
builder.queryType({
  description:
    'Entry points: a point on the map (`location`), records by id, and lists. All data is public; the API package of the key determines which parts of it a result contains.',
});
