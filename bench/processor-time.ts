import { readFile } from 'node:fs/promises';
import { withClient } from './store/build.ts';

/** Milliseconds of processor time of a process since its start; undefined where the system does not tell. */
export async function processorTime(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const fields = text?.split(') ')[1]?.split(' ');
  // In ticks of ten milliseconds, as Linux counts.
  return fields && (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The processor time of each connection to a store, by the id of its process; none where the store is on another machine. */
export async function storeTimes(databaseUrl: string): Promise<ReadonlyMap<number, number>> {
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

/** Milliseconds that the connections worked between two looks at them; undefined where nobody told. */
export function workBetween(before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>) {
  if (after.size === 0) return undefined;
  return [...after].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0);
}
