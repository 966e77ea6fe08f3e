import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { Scope } from '../settle/checks.ts';

/** A candidacy or a term of a person. */
export interface PersonRecordId {
  readonly kind: 'candidate' | 'officeholder';
  readonly id: number;
}

export const TABLE_OF_KIND = { candidate: 'candidates', officeholder: 'officeholders' } as const;

/** Sets the persons of the staged candidacies and terms that an operator has assigned to a person. */
export async function applyAssignments(db: Database, { replace, supplied }: Scope): Promise<void> {
  for (const [kind, table] of Object.entries(TABLE_OF_KIND)) {
    await sql`/* persons.apply-assignments */
      update ${sql.table(`stage_${table}`)} as s set person_id = coalesce(p.id, m.person_id)
      from person_assignments as a
      left join persons as p on p.id = a.person_id
      left join person_merges as m on m.merged_id = a.person_id
      where a.kind = ${kind}::record_kind and a.record_id = s.id and coalesce(p.id, m.person_id) is not null`.execute(
      db,
    );
  }
  // No folder contains the persons whom an operator has split off, so that replacing the table would delete them.
  if (!replace || !supplied.has('persons')) return;
  await sql`/* persons.stage-assigned */
    insert into stage_persons (line, id, name, first_name, last_name, url, image_url)
    select 0, p.id, p.name, p.first_name, p.last_name, p.url, p.image_url from persons as p
    where p.id in (select person_id from person_assignments) and p.id not in (select id from stage_persons)`.execute(
    db,
  );
}
