import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Settings that all targets share. */
export const TODAY = '2026-07-01';
/** Connection options: as in the connections of the service, a prepared statement is planned once. */
export const PG_OPTIONS = '-c plan_cache_mode=force_generic_plan -c jit=off';
/** Database connections of each target: two per core, the best value for these workloads. */
export const POOL = Number(process.env.POOL_SIZE ?? 4);

/** Reports to the benchmark where a target listens. */
export function announce(server: Server): void {
  server.on('listening', () => process.send?.({ port: (server.address() as AddressInfo).port }));
}
