import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What all subjects have in common. */
export const TODAY = '2026-07-01';
/** Connections of each subject to the store: two for each core, the best there is for these. */
export const POOL = Number(process.env.POOL_SIZE ?? 4);

/** What is exported, as CSV. */
export const EXPORT_SQL = `select o.id, o.name, o.level, o.branch, d.name as district, d.type as district_type, d.state
  from offices o join districts d on d.id = o.district_id order by o.id`;

/** Tells the benchmark where a subject listens. */
export function announce(server: Server): void {
  server.on('listening', () => process.send?.({ port: (server.address() as AddressInfo).port }));
}
