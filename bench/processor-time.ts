import { readFile } from 'node:fs/promises';
import { withClient } from './database/build.ts';

/**
 * Returns the processor time of a process since its start in milliseconds; undefined if the system does not report it.
 */
export async function processorTime(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const fields = text?.split(') ')[1]?.split(' ');
  // Linux counts in ticks of ten milliseconds.
  return fields && (Number(fields[11]) + Number(fields[12])) * 10;
}

/**
 * Returns the processor time of each database connection by process id; empty if the database is on another machine.
 */
export async function databaseTimes(databaseUrl: string): Promise<ReadonlyMap<number, number>> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    ),
  );
  const times = await Promise.all(
    rows.map(async ({ pid }) => {
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
      const time = name.startsWith('postgres') ? await processorTime(pid) : undefined;
      return [pid, time] as const;
    }),
  );
  return new Map(times.filter((each): each is readonly [number, number] => each[1] !== undefined));
}

/**
 * Returns the processor time in milliseconds that the connections used between two readings; undefined without
 * readings.
 */
export function timeBetween(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>) {
  if (after.size === 0) return undefined;
  return [...after].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0);
}
