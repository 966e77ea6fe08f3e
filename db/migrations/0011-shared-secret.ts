import { type Kysely, sql } from 'kysely';

/**
 * Creates the secret with which gateways authenticate data that they share outside the database. It needs no
 * configuration.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table shared_secret (
      single boolean primary key default true check (single),
      secret bytea not null check (length(secret) >= 32)
    );
    comment on table shared_secret is 'One row. The gateways of this database sign with it what they store in Redis; a random value of its own for every database.';
    insert into shared_secret (secret)
      values (decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));
  `.execute(db);
}
