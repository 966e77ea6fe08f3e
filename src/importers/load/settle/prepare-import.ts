import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { OpenedSource } from '../../exchange/import-rows.ts';
import type { Report } from '../../exchange/report.ts';
import { stageName } from '../stage/staging.ts';
import { type Finding, findConflicts, type Scope } from './checks.ts';
import { repairGeometries } from './geometry-repair.ts';
import { type LostVotes, withholdOutcomes } from './lost-votes.ts';
import { mergeBoundaries, mergeRows } from './merge.ts';
import { dropCorrectedTerms, endEarlierTerms } from './overlapping-terms.ts';
import { dropOlderContacts, settleBoundaries, settleRounds, settleTerms } from './settle.ts';

/** The maximum number of failing rows that one pass of a check returns. */
const MOST_FINDINGS = 5_000;

/**
 * Prepares the staged rows of an import: matches them with existing records, closes periods and terms, and removes
 * conflicts. A row that fails a check is left out and reported, and so are the rows that refer to it.
 */
export async function prepareImport(
  db: Database,
  scope: Scope,
  opened: OpenedSource,
  report: Report,
  lost: readonly LostVotes[],
  onCheck: (rows: number) => void,
): Promise<{ repaired: number }> {
  const { provenance, oneHolder } = opened;
  const { repaired, findings } = await repairGeometries(db, onCheck);
  const all = [...lost, ...(await leaveOut(db, findings, report))];
  await mergeRows(db, scope.supplied, provenance);
  await mergeBoundaries(db, provenance, report);
  await settleBoundaries(db);
  if (oneHolder) await settleTerms(db, provenance);
  await opened.settle?.(db, report);
  await dropCorrectedTerms(db, provenance, report);
  await endEarlierTerms(db);
  await dropOlderContacts(db, provenance);
  await settleRounds(db, provenance);
  for (;;) {
    const conflicts = await findConflicts(db, scope, MOST_FINDINGS);
    if (conflicts.findings.length === 0) break;
    all.push(...(await leaveOut(db, conflicts.findings, report)));
  }
  await withholdOutcomes(db, all, provenance, report);
  await dropUnusedPersons(db, report);
  await opened.verify?.(db, report);
  return { repaired };
}

/** Leaves rows out; returns the candidates among them. */
async function leaveOut(db: Database, findings: readonly Finding[], report: Report): Promise<LostVotes[]> {
  for (const { file, column, reason, sentence = reason, detail } of findings)
    report.add(file, 'left-out', column === null ? sentence : `${column}: ${sentence}`, detail);
  const lost: LostVotes[] = [];
  for (const [table, found] of Map.groupBy(findings, (finding) => finding.table)) {
    const columns =
      table === 'candidates' ? sql`race_id as race, votes_for_cand as votes, false as "isOther"` : sql`null`;
    const { rows } = await sql<LostVotes>`/* import.leave-out */
      delete from ${sql.table(stageName(table))} where line = any(${found.map(({ stageLine }) => stageLine)}::int[])
      returning ${columns}`.execute(db);
    if (table === 'candidates') lost.push(...rows.filter(({ votes }) => votes !== null));
  }
  return lost;
}

/**
 * Leaves out new persons who neither hold nor seek an office in what comes in: their candidacy or term was left out, or the
 * source has none.
 */
async function dropUnusedPersons(db: Database, report: Report): Promise<void> {
  const { rows } = await sql<{ id: number; origin: string }>`/* import.unused-persons */
    delete from stage_persons as s
    where not exists (select from persons as p where p.id = s.id)
      and not exists (select from stage_officeholders as h where h.person_id = s.id)
      and not exists (select from stage_candidates as c where c.person_id = s.id)
    returning id, origin`.execute(db);
  await sql`/* import.contacts-of-unused-persons */
    delete from stage_contacts where person_id = any(${rows.map(({ id }) => id)}::int[])`.execute(db);
  for (const { origin } of rows)
    report.add(origin, 'left-out', 'the person was left out: neither a term nor a candidacy came in');
}
