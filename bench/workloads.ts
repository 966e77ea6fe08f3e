export const ELECTION_DATE = '2024-11-05';

export interface BenchPoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** The addresses and states for which requests are made: the same for all targets. */
export interface Sample {
  readonly points: readonly BenchPoint[];
  readonly states: readonly string[];
}

export interface BenchRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type WorkloadName = 'districts' | 'officeholders' | 'ballot' | 'state' | 'races' | 'points';
export const WORKLOADS: readonly WorkloadName[] = ['districts', 'officeholders', 'ballot', 'state', 'races', 'points'];

export const POINTS_PER_REQUEST = 100;
export const RACES_PER_PAGE = 50;

/** Returns the i-th request of a run to a server; undefined if the server does not support the workload. */
export type RequestOf = (workload: WorkloadName, i: number, sample: Sample) => BenchRequest | undefined;
