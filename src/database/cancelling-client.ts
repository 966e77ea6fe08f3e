import pg from 'pg';

/** Milliseconds after which cancelling is given up: the statement ends by its own time limit. */
const LIMIT_MS = 2_000;

/** Members of a client of `pg` that its types lack. */
interface ClientInternals {
  readonly host: string;
  readonly port: number;
  readonly ssl: unknown;
  /** Identify the session for a cancel request; a pooler has numbers of its own, which may be negative. */
  readonly processID: number;
  readonly secretKey: unknown;
  readonly connection: pg.Connection & {
    readonly stream: { setTimeout(ms: number, onTimeout: () => void): void; destroy(): void };
    connect(port: number, host: string): void;
    connect(socket: string): void;
    requestSsl(): void;
    cancel(processId: number, secretKey: unknown): void;
  };
}

/** Returns the members of a client that its types lack. */
const internalsOf = (client: pg.ClientBase) => client as unknown as ClientInternals;

/**
 * Returns the class of the client with which Kysely cancels a statement of a pool. It sends a cancel request, as `psql` does, and
 * not `pg_cancel_backend`: a pooler such as pgbouncer hides the process, and passes cancel requests on to the right one. It also
 * takes no session and no password.
 */
export function cancellingClientOf(pool: pg.Pool): typeof pg.Client {
  const secretKeys = new Map<number, unknown>();
  pool.on('connect', (client) => secretKeys.set(internalsOf(client).processID, internalsOf(client).secretKey));
  pool.on('remove', (client) => secretKeys.delete(internalsOf(client).processID));

  return class CancellingClient extends pg.Client {
    /** Connects, without starting a session. */
    override connect(): Promise<this> {
      const { connection, host, port, ssl } = internalsOf(this);
      const { promise, resolve, reject } = Promise.withResolvers<this>();
      connection.on('connect', () => (ssl ? connection.requestSsl() : resolve(this)));
      connection.on('sslconnect', () => resolve(this));
      // It stays registered: an error without a listener would end the process.
      connection.on('error', reject);
      connection.on('end', () => reject(new Error('The connection for a cancel request ended')));
      if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
      else connection.connect(port, host);
      connection.stream.setTimeout(LIMIT_MS, () => connection.stream.destroy());
      return promise;
    }

    /**
     * Sends the cancel request for the process in a statement `select pg_cancel_backend(…)`. The server closes the connection when it
     * has signalled the process.
     */
    override query(statement: unknown): never {
      const { connection } = internalsOf(this);
      const processId = Number(/^select pg_cancel_backend\((-?\d+)\)$/.exec(String(statement))?.[1]);
      const secretKey = secretKeys.get(processId);
      const ended = new Promise<void>((resolve) => connection.on('end', resolve));
      if (secretKey === undefined) connection.stream.destroy();
      else connection.cancel(processId, secretKey);
      return ended as never;
    }

    override end(): Promise<void> {
      internalsOf(this).connection.stream.destroy();
      return Promise.resolve();
    }
  };
}
