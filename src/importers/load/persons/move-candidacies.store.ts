import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { Move } from './join-rules.ts';
import { mergePersons } from './merge-persons.store.ts';

/**
 * Makes candidacies those of the persons who took office, and records it, so that the next import of the results keeps to it.
 * What an operator has assigned stays. A record that had no other candidacy becomes part of the last of these persons.
 */
export async function moveCandidacies(db: Database, moves: readonly Move[]): Promise<void> {
  if (moves.length === 0) return;
  const { rows } = await sql<{ id: number }>`/* persons.assign-moved */
    insert into person_assignments (kind, record_id, person_id)
    select 'candidate', id, person_id
    from unnest(${moves.map(({ candidacy }) => candidacy)}::int[], ${moves.map(({ to }) => to.id)}::int[]) as m (id, person_id)
    on conflict do nothing
    returning record_id as id`.execute(db);
  const moved = rows.map(({ id }) => id);
  await sql`/* persons.move-candidacies */
    update candidates as c set person_id = a.person_id from person_assignments as a
    where a.kind = 'candidate' and a.record_id = c.id and c.id = any(${moved}::int[])`.execute(db);
  const { rows: emptied } = await sql<{ id: number }>`/* persons.without-candidacies */
    select id from persons as p where id = any(${moves.map(({ from }) => from.id)}::int[])
      and not exists (select from candidates as c where c.person_id = p.id)
      and not exists (select from officeholders as h where h.person_id = p.id)`.execute(db);
  const last = new Map(moves.map(({ from, to }) => [from.id, to.id]));
  const rule = 'elected, and another person of the name took office';
  await mergePersons(
    db,
    emptied.map(({ id }) => ({ merged: id, into: last.get(id) ?? id, rule })),
  );
}
