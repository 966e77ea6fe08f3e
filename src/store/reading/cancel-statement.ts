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
    connect(port: number, host: string): void;
    connect(socket: string): void;
    requestSsl(): void;
    cancel(processId: number, secretKey: unknown): void;
  };
}

/** Returns the members of a client that its types lack. */
const internalsOf = (client: pg.ClientBase) => client as unknown as ClientInternals;

/**
 * Cancels the statement that runs on a connection of a pool. It sends a cancel request, as `psql` does, and not
 * `pg_cancel_backend`: a pooler such as pgbouncer hides the process, and passes cancel requests on to the right one. It also
 * takes no session and no password. The request is encrypted, and the certificate checked, as on the connections of the pool;
 * `Client.cancel` of `pg` does neither, and nothing tells its caller when the request has been sent.
 * @returns a promise that resolves when the server has signalled the process, which then closes the connection of the request;
 * or when the request has failed.
 */
export function cancelStatement(pool: pg.Pool, client: pg.ClientBase): Promise<void> {
  const { processID, secretKey } = internalsOf(client);
  // It never starts a session, so it needs no password, which the copied options lack.
  const { connection, host, port, ssl, sslNegotiation } = internalsOf(new pg.Client({ ...pool.options }));
  const cancel = () => connection.cancel(processID, secretKey);
  connection.on('connect', () => {
    if (!ssl) cancel();
    else if (sslNegotiation !== 'direct') connection.requestSsl();
  });
  // What is sent from now on waits for the handshake, and is never sent if that fails.
  connection.on('sslconnect', cancel);
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => {
    clearTimeout(limit);
    connection.stream.destroy();
    resolve();
  };
  const limit = setTimeout(end, LIMIT_MS);
  connection.on('error', end);
  connection.on('end', end);
  if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
  return promise;
}
