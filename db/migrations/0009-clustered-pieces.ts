import { type Kysely, sql } from 'kysely';

/**
 * Enables `cluster boundary_pieces` to store pieces that are close to each other on the map close to each other on
 * disk. Further index columns would not allow index-only scans: only its geometry determines whether a piece covers a
 * point.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table boundary_pieces cluster on boundary_pieces_geometry`.execute(db);
}
