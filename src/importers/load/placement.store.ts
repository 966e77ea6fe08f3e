import { sql } from 'kysely';
import { normalName } from '../../store/sql/text-functions.ts';
import type { Imported } from './inspect.ts';

/** An office that no row declares, as a source writes it. */
export interface UndeclaredOffice {
  /** Two letters. */
  readonly state: string;
  readonly text: string;
  readonly contests: number;
  readonly votes: number;
}

/** How many contests of an import are races or measures, and how many are not placed. */
export interface Placement {
  readonly placed: { readonly contests: number; readonly votes: number };
  readonly unplaced: { readonly contests: number; readonly votes: number };
  /** The offices that no row declares, those with the most votes first. Other contests have a district that is not known. */
  readonly offices: readonly UndeclaredOffice[];
}

/** Counts the contests of an import before its transaction ends; undefined if all are placed. */
export async function placementOf({ db, lastUnplaced }: Imported): Promise<Placement | undefined> {
  if (lastUnplaced === undefined) return undefined;
  const { rows: offices } = await sql<UndeclaredOffice & { isDeclared: boolean }>`/* unplaced.offices */
    select state, (array_agg(office order by votes desc, office))[1] as text, reason is not null as "isDeclared",
      count(*) as contests, sum(votes) as votes
    from unplaced_contests where id > ${lastUnplaced}
    group by state, ${normalName(sql.ref('office'))}, reason is not null
    order by votes desc, state, text`.execute(db);
  if (offices.length === 0) return undefined;
  const { rows: placed } = await sql<Placement['placed']>`/* unplaced.placed */
    select (select count(*) from stage_races) + (select count(*) from stage_ballot_measures) as contests,
      (select coalesce(sum(votes_for_cand), 0) from stage_candidates)
      + (select coalesce(sum(yes_votes_total), 0) + coalesce(sum(no_votes_total), 0) from stage_ballot_measures) as votes`.execute(
    db,
  );
  return {
    placed: placed[0] ?? { contests: 0, votes: 0 },
    unplaced: sumOf(offices),
    offices: offices.filter(({ isDeclared }) => !isDeclared).map(({ isDeclared: _, ...office }) => office),
  };
}

/** Adds up the placements of several imports; undefined if there are none. */
export function joinPlacements(all: readonly Placement[]): Placement | undefined {
  if (all.length === 0) return undefined;
  const byText = Map.groupBy(
    all.flatMap(({ offices }) => offices),
    ({ state, text }) => `${state} ${text}`,
  );
  return {
    placed: sumOf(all.map(({ placed }) => placed)),
    unplaced: sumOf(all.map(({ unplaced }) => unplaced)),
    offices: [...byText.values()]
      .map((same) => ({ ...(same[0] as UndeclaredOffice), ...sumOf(same) }))
      .sort((a, b) => b.votes - a.votes),
  };
}

function sumOf(all: readonly Placement['placed'][]): Placement['placed'] {
  return {
    contests: all.reduce((sum, { contests }) => sum + contests, 0),
    votes: all.reduce((sum, { votes }) => sum + votes, 0),
  };
}
