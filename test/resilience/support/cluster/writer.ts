import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const PAUSE_MS = 100;
const LIMIT_MS = 3_000;

/** Writes small rows to the leader continuously, by the write ports. */
export interface Writer {
  /** Rows that were acknowledged. */
  readonly acknowledged: number;
  /** Returns the longest time in milliseconds between two acknowledged rows since the last call. */
  longestGap(): number;
  /** Stops, and returns the acknowledged rows that the leader does not have. */
  stop(): Promise<number>;
}

export async function startWriter(urls: readonly string[]): Promise<Writer> {
  const setUp = await connect(urls[0] as string);
  await setUp.query('create schema resilience; create table resilience.written (number integer primary key)');
  await setUp.end();
  const acknowledged: number[] = [];
  let last = performance.now();
  let longest = 0;
  let isOver = false;

  async function run(): Promise<void> {
    let client: pg.Client | undefined;
    for (let number = 0; !isOver; number++) {
      try {
        client ??= await connect(urls[number % urls.length] as string);
        await client.query('insert into resilience.written values ($1)', [number]);
        acknowledged.push(number);
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      } catch {
        // Whether the row was written is unknown; the next one has another number.
        client?.end().catch(() => undefined);
        client = undefined;
      }
      await sleep(PAUSE_MS);
    }
    await client?.end();
  }

  const running = run();
  return {
    get acknowledged() {
      return acknowledged.length;
    },
    longestGap: () => {
      const gap = Math.max(longest, performance.now() - last);
      longest = 0;
      return Math.round(gap);
    },
    stop: async () => {
      isOver = true;
      await running;
      const client = await connect(urls[0] as string);
      const { rows } = await client.query<{ number: number }>('select number from resilience.written');
      await client.query('drop schema resilience cascade');
      await client.end();
      const found = new Set(rows.map(({ number }) => number));
      return acknowledged.filter((number) => !found.has(number)).length;
    },
  };
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: LIMIT_MS, query_timeout: LIMIT_MS });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
