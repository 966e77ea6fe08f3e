import { type Kysely, sql } from 'kysely';

/**
 * Creates the function for the distance of a point to the edge of a boundary. The edges of a boundary are straight in
 * degrees, and not geodesics; in an azimuthal equidistant projection with the point in its center, all distances from the
 * point are those of the ellipsoid. Only the edges in a box that certainly contains the nearest one are projected.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function nearest_edge(boundary geometry, longitude float8, latitude float8, ahead float8)
      returns table (distance float8, beyond geometry) language sql immutable parallel safe set jit to off as $$
      -- The 180th meridian, at which boundaries are cut in two, is no edge.
      with outline as materialized (
        select case when ST_XMin(boundary) = -180 or ST_XMax(boundary) = 180
          then ST_ClipByBox2D(ST_Boundary(boundary), ST_MakeEnvelope(-179.9999999, -90, 179.9999999, 90, 4326))
          else ST_Boundary(boundary) end as line,
          ST_SetSRID(ST_MakePoint(longitude, latitude), 4326) as point,
          '+proj=aeqd +lat_0=' || latitude || ' +lon_0=' || longitude || ' +ellps=WGS84 +units=m' as projection
      ), bound as materialized (
        select ST_Distance(ST_ClosestPoint(line, point)::geography, point::geography) * 1.01 + 1 as metres from outline
      ), box as materialized (
        select metres / 110574 as height,
          metres / (111320 * cos(radians(least(89.9, abs(latitude) + metres / 110574)))) as width
        from bound
      ), near as materialized (
        select projection, ST_Transform(ST_Segmentize(ST_ClipByBox2D(line, ST_MakeEnvelope(
          greatest(longitude - width, -180), latitude - height, least(longitude + width, 180), latitude + height, 4326)),
          0.02), projection) as line
        from outline, box
      ), found as materialized (
        select projection, ST_ClosestPoint(line, ST_MakePoint(0, 0)) as nearest from near
      )
      -- A point on the edge has no direction in which to look beyond it; rounding leaves less than a millimetre.
      select ST_Distance(nearest, ST_MakePoint(0, 0)),
        case when ST_Distance(nearest, ST_MakePoint(0, 0)) > 0.001 then ST_SetSRID(ST_Transform(
          ST_Scale(nearest, 1 + ahead / ST_Distance(nearest, ST_MakePoint(0, 0)), 1 + ahead / ST_Distance(nearest, ST_MakePoint(0, 0))),
          projection, '+proj=longlat +ellps=WGS84'), 4326) end
      from found
    $$;
    comment on function nearest_edge is
      'The distance in metres on the ellipsoid from a point to the nearest edge of a boundary, and the point that is a number of metres ahead beyond that edge; null on the edge itself.';
  `.execute(db);
}
