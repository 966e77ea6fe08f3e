import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Settings that all targets share. */
export const TODAY = '2026-07-01';
/** Database connections of each target: two per core, the best value for these workloads. */
export const POOL = Number(process.env.POOL_SIZE ?? 4);

/** The query that is exported as CSV. */
export const EXPORT_SQL = `select o.id, o.name, o.level, o.branch, d.name as district, d.type as district_type, d.state
  from offices o join districts d on d.id = o.district_id order by o.id`;

/** Reports to the benchmark where a target listens. */
export function announce(server: Server): void {
  server.on('listening', () => process.send?.({ port: (server.address() as AddressInfo).port }));
}
