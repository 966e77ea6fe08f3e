import { type Kysely, sql } from 'kysely';

/**
 * Lets a round of a ranked-choice count have negative votes, which the surplus of an elected candidate is when it is
 * transferred to others, and fractions of votes. `numeric` adds up fractions exactly; without trailing zeros, the text of a
 * number is the same in SQL and JavaScript.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table ranked_choice_rounds
      drop constraint ranked_choice_rounds_votes_for_check,
      alter column votes_for type numeric,
      add constraint ranked_choice_rounds_votes_for_check check (scale(votes_for) = min_scale(votes_for));
    comment on column ranked_choice_rounds.votes_for is
      'Votes gained in the round, negative for a transferred surplus; the rounds add up to votes_for_cand, which is rounded.';
  `.execute(db);
}
