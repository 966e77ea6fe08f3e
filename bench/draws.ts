import { withClient } from './store/build.ts';
import type { Subject } from './subjects.ts';
import type { Ask, Draw, WorkName } from './works.ts';

/** Reads the addresses and states that a database was built with: those that are requested, and their neighbours. */
export async function readDraws(databaseUrl: string): Promise<{ draw: Draw; near: Draw }> {
  return withClient(databaseUrl, async (client) => {
    const points = await client.query(
      `select latitude, longitude, near_latitude, near_longitude from bench.points order by n`,
    );
    const { rows } = await client.query<{ state: string }>(
      `select state from bench.states where counties > 3 order by state`,
    );
    const states = rows.map(({ state }) => state);
    return {
      draw: { points: points.rows.map((row) => ({ latitude: row.latitude, longitude: row.longitude })), states },
      near: {
        points: points.rows.map((row) => ({ latitude: row.near_latitude, longitude: row.near_longitude })),
        states,
      },
    };
  });
}

/** Returns the requests that a target gets in a run; empty if it does not support the workload. */
export function requestsOf(subject: Subject, work: WorkName, from: Draw): Ask[] {
  const count = work === 'state' ? from.states.length : work === 'points' ? 64 : from.points.length;
  return Array.from({ length: count }, (_, i) => subject.ask(work, i, from)).filter((ask) => ask !== undefined);
}
