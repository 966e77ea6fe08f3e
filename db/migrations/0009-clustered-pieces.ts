import { type Kysely, sql } from 'kysely';

/**
 * Lets `cluster boundary_pieces` put pieces that are near to each other on the map near to each other on the disk. Their
 * index cannot have more columns so that it answers alone: whether a piece covers a point, only its geometry tells.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table boundary_pieces cluster on boundary_pieces_geometry`.execute(db);
}
