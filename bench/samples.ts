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
