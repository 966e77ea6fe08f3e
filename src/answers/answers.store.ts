import { sql } from 'kysely';
import type { Point } from '../districts/districts.store.ts';
import { type DataState, dataState } from '../store/data-state.ts';
import type { Database } from '../store/database.ts';

/** What answers about a point hang on: the state of the data, and the boundaries of all periods that cover it. */
export interface Footing extends Pick<DataState, 'state' | 'isStandby'> {
  /** The ids of the boundaries, as one text: equal where the sets are. */
  readonly boundaries: string;
}

/** Where it is looked up what answers hang on. */
export interface Ground {
  state(): Promise<Pick<DataState, 'state' | 'isStandby'>>;
  /** One for each point, in their order, all seen at once; undefined for a store that has never had data. */
  footings(points: readonly Point[]): Promise<readonly (Footing | undefined)[]>;
}

export function groundOf(db: Database): Ground {
  return { state: () => dataState(db), footings: (points) => footingsOf(db, points) };
}

async function footingsOf(db: Database, points: readonly Point[]): Promise<(Footing | undefined)[]> {
  const found = await sql<Footing & { index: number }>`
    /* answers.footingsOf */
    select asked.index::int, data_version.state, pg_is_in_recovery() as "isStandby", array(
      select distinct piece.boundary_id from boundary_pieces piece
      where ST_Covers(piece.geometry, ST_SetSRID(ST_MakePoint(asked.longitude, asked.latitude), 4326))
      order by piece.boundary_id)::text as boundaries
    from data_version, unnest(${points.map((point) => point.longitude)}::float8[],
      ${points.map((point) => point.latitude)}::float8[]) with ordinality as asked(longitude, latitude, index)`.execute(
    db,
  );
  const answers: (Footing | undefined)[] = points.map(() => undefined);
  for (const { index, ...footing } of found.rows) answers[index - 1] = footing;
  return answers;
}
