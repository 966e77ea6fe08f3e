/**
 * The functions of PostgreSQL, of PostGIS and of the migrations that Kysely does not know, with the types of their
 * arguments and values: the only places where their names are written.
 */
import { type Expression, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Day } from '../dates.ts';
import type { Boundary, Officeholder } from './tables.ts';

/** The boundaries in effect on a day, as a FROM item (specification, Boundary-in-effect rules). */
export const boundariesInEffect = (day: Expression<Day>) => sql<Selectable<Boundary>>`boundaries_in_effect(${day})`;

/** The terms of those who hold their offices on a day, as a FROM item. */
export const officeholdersInOffice = (day: Expression<Day>) =>
  sql<Selectable<Officeholder>>`officeholders_in_office(${day})`;

/** All terms with their status on a day, as a FROM item. */
export const officeholdersWithStatus = (day: Expression<Day>) =>
  sql<Selectable<Officeholder>>`officeholders_with_status(${day})`;

/** A geometry as PostgreSQL writes it. Only functions of PostGIS read it. */
export type Geometry = string;

/** The point with these coordinates in degrees; null without a longitude. */
export const pointAt = (longitude: Expression<number | null>, latitude: Expression<number>): RawBuilder<Geometry> =>
  sql`ST_SetSRID(ST_MakePoint(${longitude}, ${latitude}), 4326)`;

/** Whether two geometries are within a distance in degrees of each other. An index of the first one is used. */
export const isWithin = (
  one: Expression<Geometry>,
  other: Expression<Geometry>,
  degrees: number,
): RawBuilder<boolean> => sql`ST_DWithin(${one}, ${other}, ${sql.lit(degrees)})`;

/** The edge of a geometry. */
export const edgeOf = (geometry: Expression<Geometry>): RawBuilder<Geometry> => sql`ST_Boundary(${geometry})`;

/** Whether no point of the inner geometry lies outside the outer one. */
export const covers = (outer: Expression<Geometry>, inner: Expression<Geometry>): RawBuilder<boolean> =>
  sql`ST_Covers(${outer}, ${inner})`;
