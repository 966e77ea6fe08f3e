import { type Kysely, sql } from 'kysely';

/**
 * Finds the nearest edge of a boundary also beyond the 180th meridian, at which boundaries are cut in two: the outline is
 * repeated on the side of the point, 360 degrees further.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function nearest_edge(boundary geometry, longitude float8, latitude float8, ahead float8)
      returns table (distance float8, beyond geometry) language sql immutable parallel safe set jit to off as $$
      -- The 180th meridian is no edge.
      with edges as materialized (
        select case when ST_XMin(boundary) = -180 or ST_XMax(boundary) = 180
          then ST_ClipByBox2D(ST_Boundary(boundary), ST_MakeEnvelope(-179.9999999, -90, 179.9999999, 90, 4326))
          else ST_Boundary(boundary) end as line,
          ST_SetSRID(ST_MakePoint(longitude, latitude), 4326) as point,
          '+proj=aeqd +lat_0=' || latitude || ' +lon_0=' || longitude || ' +ellps=WGS84 +units=m' as projection
      ), bound as materialized (
        -- Of the edges on the side of the point; there may be a nearer one beyond the meridian.
        select ST_Distance(ST_ClosestPoint(line, point)::geography, point::geography) * 1.01 + 1 as metres from edges
      ), box as materialized (
        select metres / 110574 as height,
          metres / (111320 * cos(radians(least(89.9, abs(latitude) + metres / 110574)))) as width
        from bound
      ), outline as materialized (
        select projection, case when ST_XMin(boundary) = -180 and ST_XMax(boundary) = 180
          then ST_Collect(line, ST_Translate(line, case when longitude < 0 then -360 else 360 end, 0)) else line end as line
        from edges
      ), near as materialized (
        select projection, ST_Transform(ST_Segmentize(ST_ClipByBox2D(line, ST_MakeEnvelope(
          longitude - width, latitude - height, longitude + width, latitude + height, 4326)),
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
  `.execute(db);
}
