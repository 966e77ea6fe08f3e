import { type Kysely, sql } from 'kysely';

/**
 * Lets a candidate have each party once. Imports and loads have refused lists with a party twice; rows that were written by hand
 * are named.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ repeated: string }>`
    select format('candidate %s has party %s at the positions %s', candidate_id, party_id,
      string_agg(position::text, ', ' order by position)) as repeated
    from candidate_parties group by candidate_id, party_id having count(*) > 1
    order by candidate_id, party_id limit 20`.execute(db);
  if (rows.length > 0) {
    const named = rows.map(({ repeated }) => `  ${repeated}`).join('\n');
    throw new Error(
      `candidate_parties has a party of a candidate twice (at most 20 are listed):\n${named}\nDelete all but the first row of each, and migrate again. Nothing was changed.`,
    );
  }
  await sql`alter table candidate_parties add constraint candidate_parties_once unique (candidate_id, party_id)`.execute(
    db,
  );
}
