import { sql } from 'kysely';
import { normalName } from '../../base/words/normal-name.ts';
import type { ExternalId, ImportContext, ImportRow } from '../exchange/import-rows.ts';
import { nameKey } from '../facts/names.ts';
import { alikeKey } from './candidates.ts';

/** A candidate in the database: the name, the votes, and by what else the candidate is found, external ids and the normalised name. */
export interface KnownCandidate {
  readonly name: string;
  readonly votes: number | null;
  readonly names: readonly string[];
}

/** The candidates of a race. */
export interface KnownCandidates {
  readonly all: readonly KnownCandidate[];
  /** Returns whether one of them has the name or id. */
  has(name: string): boolean;
}

/**
 * Returns the races whose candidates another source supplied, with the candidates in the database. A name that is not
 * among them is most likely a different spelling of one of them; adding it would count the person twice.
 */
export async function racesOfOthers(
  { db }: ImportContext,
  source: string,
  races: readonly string[],
): Promise<ReadonlyMap<string, KnownCandidates>> {
  const { rows } = await sql<{
    race: string;
    name: string;
    votes: number | null;
    ids: string[] | null;
    own: boolean;
  }>`/* import.known-races */
    select e.value as race, p.name, c.votes_for_cand as votes,
      (select array_agg(i.value) from external_identifiers as i
        where i.kind = 'candidate' and i.scheme = 'candidate' and i.record_id = c.id) as ids,
      (select o.name from record_sources as s join sources as o on o.id = s.source_id
        where s.kind = 'candidate' and s.record_id = c.id order by o.id limit 1) is not distinct from ${source} as own
    from external_identifiers as e
    join candidates as c on c.race_id = e.record_id
    join persons as p on p.id = c.person_id
    where e.kind = 'race' and e.scheme = 'race' and e.value = any(${races}::text[])`.execute(db);
  const known = new Map<string, KnownCandidates>();
  for (const [race, candidates] of Map.groupBy(rows, (row) => row.race)) {
    if (candidates.every(({ own }) => own)) continue;
    const all = candidates.map(({ name, votes, ids }) => ({ name, votes, names: [normalName(name), ...(ids ?? [])] }));
    const names = new Set(all.flatMap((each) => each.names));
    known.set(race, { all, has: (name) => names.has(name) });
  }
  return known;
}

type Named = Pick<KnownCandidate, 'name'> & { readonly votes?: number | null | undefined };

/**
 * Returns what says whether the others lack a candidate whom they do not have by name: not if it may be another spelling of one of
 * them, whom the source seems to lack.
 * @param own the names and ids of all candidates of the source.
 */
export function lackedBy(others: KnownCandidates, own: ReadonlySet<string>): (candidate: Named) => boolean {
  const spelled = new Set(others.all.filter(({ names }) => !names.some((each) => own.has(each))).flatMap(spellingKeys));
  return (candidate) => !spellingKeys(candidate).some((each) => spelled.has(each));
}

/** Returns what a candidate has in common with another spelling of it: the last name, or the first name and the votes. */
function spellingKeys({ name, votes }: Named): readonly string[] {
  return [alikeKey(name), ...(votes == null ? [] : [`${nameKey(name).split(' ')[0]} ${votes}`])];
}

/** Returns the row that says that a race lacks votes. */
export function leftOutRow(
  race: ExternalId,
  leftOut: 'other' | 'missing',
  record: string,
  votes: number | null | undefined,
): ImportRow {
  return { table: 'candidates', record, refs: { race_id: race }, values: { votes_for_cand: votes ?? null }, leftOut };
}
