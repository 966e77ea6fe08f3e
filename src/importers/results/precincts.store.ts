import { sql } from 'kysely';
import type { Database } from '../../store/sql/database.ts';
import type { Edition } from '../exchange/import-rows.ts';
import type { Precinct, PrecinctVotes } from './candidates.ts';

/** As many precincts are written at once. */
const BATCH = 5_000;

/** The columns of a row that tell it from others. */
const VALUES = ['race_id', 'source_id', 'file', 'county', 'town', 'precinct', 'candidate_ids', 'votes'] as const;

/**
 * Stores the votes by precinct of the races of an import, in place of those that its files had before, also if it has none now: they
 * would be the parts of other sums. A race has the precincts of one source.
 * @param races the votes of the candidates of each race, by the identifiers of both.
 */
export async function storePrecincts(
  db: Database,
  sourceId: number,
  races: ReadonlyMap<string, ReadonlyMap<string, PrecinctVotes>>,
  editions: readonly Edition[],
): Promise<void> {
  const [raceIds, candidateIds] = [
    await idsOf(db, 'race', [...races.keys()]),
    await idsOf(
      db,
      'candidate',
      [...races.values()].flatMap((candidates) => [...candidates.keys()]),
    ),
  ];
  await sql`/* import.stage-precincts */
    create temp table stage_precincts on commit drop as
    select ${sql.join(VALUES.map((column) => sql.ref(column)))} from precinct_results with no data`.execute(db);
  let batch: object[] = [];
  const write = async () => {
    await sql`/* import.stage-precincts */
      insert into stage_precincts
      select race_id, ${sourceId}::integer, file, county, town, precinct, candidate_ids, votes
      from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as r(race_id integer, file text, county text, town text,
        precinct text, candidate_ids integer[], votes bigint[])`.execute(db);
    batch = [];
  };
  for (const [race, candidates] of races) {
    const race_id = raceIds.get(race);
    if (race_id === undefined) continue;
    const precincts = new Map<Precinct, { candidate_ids: number[]; votes: (number | null)[] }>();
    for (const [candidate, counts] of candidates) {
      const id = candidateIds.get(candidate);
      if (id === undefined) continue;
      for (const [precinct, votes] of counts) {
        const row = precincts.get(precinct) ?? { candidate_ids: [], votes: [] };
        precincts.set(precinct, row);
        row.candidate_ids.push(id);
        row.votes.push(votes);
      }
    }
    for (const [precinct, row] of precincts) {
      batch.push({ race_id, ...precinct, ...row });
      if (batch.length === BATCH) await write();
    }
  }
  if (batch.length > 0) await write();
  // What is there already stays as it is, so that importing the same files again changes nothing.
  const isSame = sql`p.race_id = s.race_id and row(${sql.join(VALUES.map((column) => sql.ref(`p.${column}`)))})
    = row(${sql.join(VALUES.map((column) => sql.ref(`s.${column}`)))})`;
  await sql`/* import.analyze */ analyze stage_precincts`.execute(db);
  await sql`/* import.forget-precincts */
    delete from precinct_results as p using races as r, elections as e, districts as d
    where r.id = p.race_id and e.id = r.election_id and d.id = e.district_id
      and not exists (select from stage_precincts as s where ${isSame})
      and (r.id in (select race_id from stage_precincts)
        or p.source_id in (select o.id from sources as s join sources as o on o.name = s.name where s.id = ${sourceId}::integer)
          and (r.id = any(${[...raceIds.values()]}::integer[])
            or exists (select from jsonb_to_recordset(${JSON.stringify(editions)}::jsonb) as f(state text, day date, file text)
              where f.file = p.file and f.day = e.date and f.state = coalesce(d.state, f.state))))`.execute(db);
  await sql`/* import.store-precincts */
    insert into precinct_results (${sql.join(VALUES.map((column) => sql.ref(column)))})
    select s.* from stage_precincts as s where not exists (select from precinct_results as p where ${isSame})`.execute(
    db,
  );
}

/** Returns the ids of records by their identifiers. */
async function idsOf(
  db: Database,
  kind: 'race' | 'candidate',
  values: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ value: string; id: number }>`/* import.identifiers */
    select value, record_id as id from external_identifiers
    where kind = ${kind}::record_kind and scheme = ${kind} and value = any(${values}::text[])`.execute(db);
  return new Map(rows.map(({ value, id }) => [value, id]));
}
