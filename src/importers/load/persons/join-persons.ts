import type { Database } from '../../../store/sql/database.ts';
import type { ReportLine } from '../../exchange/report.ts';
import { findJoins, findMoves, JOIN_RULES, type Join, type PersonRecord } from './join-rules.ts';
import { type Merge, mergePersons, repeatMerges } from './merge-persons.store.ts';
import { moveCandidacies } from './move-candidacies.store.ts';
import { distinctPersons, personsOfStagedOffices } from './person-records.store.ts';

/** Two records that an import has joined, as the report lists them. */
export interface JoinEntry {
  /** The record that remains, and the one that is part of it now. */
  readonly person: { readonly id: number; readonly name: string };
  readonly merged: { readonly id: number; readonly name: string };
  /** The description of the rule. */
  readonly rule: string;
}

export interface JoinedPersons {
  readonly joins: readonly JoinEntry[];
  /** Persons who match several records that cannot all be one person. */
  readonly ambiguous: readonly { readonly id: number; readonly name: string }[];
}

/** Returns a join as a row of the import report. */
export function reportOfJoin(source: string, { person, merged, rule }: JoinEntry): ReportLine {
  const reason = `joined with ${person.name} (person ${person.id}): ${rule}`;
  return { source, record: `${merged.name} (person ${merged.id})`, reason, sentence: rule };
}

/** Joins the records of the same person in the offices of a load, by the rules of `findJoins`. */
export async function joinPersons(db: Database): Promise<JoinedPersons> {
  await repeatMerges(db);
  const persons = await personsOfStagedOffices(db);
  const distinct = await distinctPersons(db);
  const areDistinct = (a: PersonRecord, b: PersonRecord) => isSplit(distinct, a, b);
  const { joins, ambiguous } = findJoins(persons, areDistinct);
  const { merges, entries } = mergesOf(joins);
  await mergePersons(db, merges);
  const remaining = merges.length > 0 ? await personsOfStagedOffices(db) : persons;
  await moveCandidacies(db, findMoves(remaining, areDistinct));
  return { joins: entries, ambiguous };
}

function isSplit(distinct: ReadonlySet<string>, a: PersonRecord, b: PersonRecord): boolean {
  if (distinct.size === 0) return false;
  return [a.id, ...a.merged].some((one) =>
    [b.id, ...b.merged].some((other) => distinct.has(`${Math.min(one, other)} ${Math.max(one, other)}`)),
  );
}

/** Returns a merge for each record of a group except the one that remains. */
function mergesOf(joins: readonly Join[]): { merges: Merge[]; entries: JoinEntry[] } {
  const groups = new Map<PersonRecord, Set<PersonRecord>>();
  const rules = new Map<PersonRecord, string>();
  for (const { a, b, rule } of joins) {
    const group = (groups.get(a) ?? new Set([a])).union(groups.get(b) ?? new Set([b]));
    for (const person of group) groups.set(person, group);
    for (const person of [a, b]) if (!rules.has(person)) rules.set(person, JOIN_RULES[rule]);
  }
  const merges: Merge[] = [];
  const entries: JoinEntry[] = [];
  for (const group of new Set(groups.values())) {
    const [remaining, ...others] = [...group].sort(byPrecedence);
    for (const merged of others) {
      const rule = rules.get(merged) ?? '';
      if (!remaining) continue;
      merges.push({ merged: merged.id, into: remaining.id, rule });
      entries.push({ person: remaining, merged, rule });
    }
  }
  return { merges, entries };
}

/** Sorts a person with terms first, since its source has more than a name; otherwise by id, which reveals nothing. */
function byPrecedence(a: PersonRecord, b: PersonRecord): number {
  return (
    Number(b.terms.length > 0) - Number(a.terms.length > 0) ||
    Number(b.ids.size > 0) - Number(a.ids.size > 0) ||
    a.id - b.id
  );
}
