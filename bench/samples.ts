import { withClient } from './database/build.ts';
import type { Target } from './targets.ts';
import type { BenchRequest, Sample, WorkloadName } from './workloads.ts';

/** Reads the addresses and states that a database was built with: the requested ones, and their neighbours. */
export async function readSamples(databaseUrl: string): Promise<{ sample: Sample; neighbours: Sample }> {
  return withClient(databaseUrl, async (client) => {
    const points = await client.query(
      `select latitude, longitude, near_latitude, near_longitude from bench.points order by n`,
    );
    const { rows } = await client.query<{ state: string }>(
      `select state from bench.states where counties > 3 order by state`,
    );
    const states = rows.map(({ state }) => state);
    return {
      sample: { points: points.rows.map((row) => ({ latitude: row.latitude, longitude: row.longitude })), states },
      neighbours: {
        points: points.rows.map((row) => ({ latitude: row.near_latitude, longitude: row.near_longitude })),
        states,
      },
    };
  });
}

/**
 * Reads addresses whose whole tile in the response cache (`SIDE` in footprint.store.ts) lies in the same boundaries: a request that
 * was sent before takes no statement there. Each is its own neighbour.
 */
export async function readRepeatable(databaseUrl: string): Promise<{ sample: Sample; neighbours: Sample }> {
  const { sample } = await readSamples(databaseUrl);
  const points = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ latitude: number; longitude: number }>(
      `select latitude, longitude from bench.points
       cross join lateral (select floor(longitude * 256) / 256 as west, floor(latitude * 256) / 256 as south) corner
       cross join lateral (select ST_MakeEnvelope(west, south, west + 1.0 / 256, south + 1.0 / 256, 4326) as outline) tile
       where not exists (
         select from boundary_pieces where ST_Intersects(geometry, outline) and not ST_Covers(geometry, outline))
       order by n limit 20`,
    );
    return rows;
  });
  if (points.length < 5) throw new Error(`The database has only ${points.length} addresses away from all boundaries.`);
  const repeatable = { ...sample, points };
  return { sample: repeatable, neighbours: repeatable };
}

/** Returns the requests that a target gets in a run; empty if it does not support the workload. */
export function requestsOf(target: Target, workload: WorkloadName, sample: Sample): BenchRequest[] {
  const count =
    workload === 'state' || workload === 'races'
      ? sample.states.length
      : workload === 'points'
        ? 64
        : sample.points.length;
  const requests = Array.from({ length: count }, (_, i) => target.request(workload, i, sample));
  return requests.filter((request) => request !== undefined);
}
