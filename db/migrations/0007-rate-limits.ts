import { type Kysely, sql } from 'kysely';

/** Adds the request rate limit for each key of a package; null means no limit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table packages
      add rate_per_second integer check (rate_per_second > 0),
      add rate_burst integer check (rate_burst >= rate_per_second),
      add rate_per_day integer check (rate_per_day > 0),
      add check (rate_burst is null or rate_per_second is not null);
    comment on column packages.rate_per_second is 'Requests of one key, on average over the time in which rate_burst of them are allowed.';
    comment on column packages.rate_burst is 'Requests of one key at once; the same as rate_per_second when null.';
    comment on column packages.rate_per_day is 'Requests of one key in 24 hours.';
  `.execute(db);
}
