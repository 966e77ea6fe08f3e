import type pg from 'pg';

export interface PoolWatch {
  /** Called before a connection is taken, which waits for the promise. */
  readonly beforeConnect?: () => Promise<void>;
  readonly onRelease?: () => void;
  /** Called when a statement has succeeded. */
  readonly onSuccess?: (text: string, values: readonly unknown[]) => void;
}

type Connected = (error: Error | undefined, client?: pg.PoolClient, release?: (error?: unknown) => void) => void;

/** Returns an object that differs from another one in some members. */
const withMembers = <T extends object>(original: T, members: Readonly<Record<string, unknown>>): T =>
  new Proxy(original, {
    get(target, name) {
      if (Object.hasOwn(members, name)) return members[name as string];
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

/** Returns a pool whose connections and statements are watched: requests use it with callbacks, and Kysely with promises. */
export function watchPool(pool: pg.Pool, { beforeConnect, onRelease, onSuccess }: PoolWatch): pg.Pool {
  function watched(client: pg.PoolClient, end: (error?: unknown) => void): pg.PoolClient {
    const query = (
      text: string,
      values: unknown[] | undefined,
      callback?: (error: Error | null, result: never) => void,
    ) => {
      if (!callback) {
        return client.query(text, values).then((result) => {
          onSuccess?.(text, values ?? []);
          return result;
        });
      }
      client.query(text, values as unknown[], (error: Error | null, result) => {
        if (!error) onSuccess?.(text, values ?? []);
        callback(error, result as never);
      });
    };
    return withMembers(client, { query, release: end });
  }

  async function connect(callback: Connected): Promise<void> {
    if (beforeConnect) await beforeConnect();
    pool.connect((error, client, release) => {
      const end = (cause?: unknown) => {
        release(cause);
        onRelease?.();
      };
      callback(error, client && watched(client, end), end);
    });
  }

  return withMembers(pool, {
    connect(callback?: Connected) {
      if (callback) return void connect(callback);
      return new Promise((resolve, reject) => {
        void connect((error, client) => (client ? resolve(client) : reject(error)));
      });
    },
  });
}
