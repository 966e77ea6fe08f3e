import pg from 'pg';

/** Milliseconds after which cancelling is given up: the statement ends by its own time limit. */
const LIMIT_MS = 2_000;

/** Members of a client of `pg` that its types lack. */
interface ClientInternals {
  readonly host: string;
  readonly port: number;
  readonly ssl: unknown;
  readonly sslNegotiation: 'postgres' | 'direct';
  /** Identify the session for a cancel request; a pooler has numbers of its own, which may be negative. */
  readonly processID: number;
  readonly secretKey: unknown;
  readonly connection: pg.Connection & {
    readonly stream: { destroy(): void };
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
 * takes no session and no password. The request is encrypted, and the certificate checked, as on the connections of the pool;
 * `Client.cancel` of `pg` does neither, and nothing tells its caller when the request has been sent.
 */
export function cancellingClientOf(pool: pg.Pool): typeof pg.Client {
  const secretKeys = new Map<number, unknown>();
  pool.on('connect', (client) => secretKeys.set(internalsOf(client).processID, internalsOf(client).secretKey));
  pool.on('remove', (client) => {
    const { processID, secretKey } = internalsOf(client);
    // A new session may have the number of an old one.
    if (secretKeys.get(processID) === secretKey) secretKeys.delete(processID);
  });

  return class CancellingClient extends pg.Client {
    /** Resolves when the connection has ended, for whatever reason. */
    #ended: Promise<void> | undefined;

    /** Connects, without starting a session. */
    override connect(): Promise<this> {
      const { connection, host, port, ssl, sslNegotiation } = internalsOf(this);
      const { promise, resolve, reject } = Promise.withResolvers<this>();
      connection.on('connect', () => {
        if (!ssl) resolve(this);
        else if (sslNegotiation !== 'direct') connection.requestSsl();
      });
      // What is sent from now on waits for the handshake, and is never sent if that fails.
      connection.on('sslconnect', () => resolve(this));
      // It stays registered: an error without a listener would end the process.
      connection.on('error', reject);
      const limit = setTimeout(() => connection.stream.destroy(), LIMIT_MS);
      this.#ended = new Promise((end) => {
        connection.on('end', () => {
          clearTimeout(limit);
          reject(new Error('The connection for a cancel request ended'));
          end();
        });
      });
      if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
      else connection.connect(port, host);
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
      if (secretKey === undefined) connection.stream.destroy();
      else connection.cancel(processId, secretKey);
      return this.#ended as never;
    }

    override end(): Promise<void> {
      internalsOf(this).connection.stream.destroy();
      return Promise.resolve();
    }
  };
}
