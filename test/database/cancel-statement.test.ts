import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requestDatabase } from '../../src/store/reading/request-database.ts';
import { type Database, openDatabase, openPool } from '../../src/store/sql/database.ts';
import { asUser, ownFolder } from '../resilience/support/cluster/programs.ts';
import { BIN, type OwnPostgres, startEmptyPostgres } from '../resilience/support/postgres.ts';

/** The second number of a request for TLS and of a cancel request, in the protocol of PostgreSQL. */
const [SSL_REQUEST, CANCEL_REQUEST] = [80_877_103, 80_877_102];
const TLS_HANDSHAKE = 0x16;

const canRun = existsSync(join(BIN, 'initdb'));
const runFile = promisify(execFile);

/** What answers new connections of the relay: the server, one that has another certificate, one without TLS, or nobody. */
type Answering = 'server' | 'impostor' | 'without TLS' | 'nobody';

describe.runIf(canRun)('cancelling a statement of a server with TLS (needs the programs of PostgreSQL)', () => {
  let folder: string;
  let server: OwnPostgres;
  let relay: Server;
  /** The connections of the relay. */
  const sockets = new Set<Socket>();
  let answering: Answering;
  /** What clients sent on each connection of the relay, as it went over the network. */
  let sent: Buffer[][];
  /** What the impostor could decrypt of it. */
  let decrypted: Buffer;
  let pool: pg.Pool;
  let db: Database;

  /** Creates a certificate for 127.0.0.1 that is signed with its own key, which PostgreSQL may read. */
  async function createCertificate(name: string) {
    const [certificate, key] = [join(folder, 'tls', `${name}.crt`), join(folder, 'tls', `${name}.key`)];
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const owner = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const files = ['-out', certificate, '-keyout', key];
    const [command, ...args] = asUser('postgres', ['openssl', 'req', ...kind, ...owner, ...files]);
    await runFile(command, args);
    return { certificate, key };
  }

  /** Answers as `answering` says, and records what it gets. */
  function answer(inside: Socket, impostor: { readonly cert: Buffer; readonly key: Buffer }): void {
    const chunks: Buffer[] = [];
    sent.push(chunks);
    const record = (data: Buffer) => chunks.push(data);
    sockets.add(inside);
    inside.on('error', () => undefined).on('close', () => sockets.delete(inside));
    if (answering === 'server') {
      const outside = connect(server.port, '127.0.0.1').on('error', () => undefined);
      outside.on('close', () => inside.destroy());
      inside.on('data', record).on('close', () => outside.destroy());
      inside.pipe(outside).pipe(inside);
      return;
    }
    inside.once('data', (request) => {
      record(request);
      if (answering === 'nobody') return;
      if (answering === 'without TLS') return inside.on('data', record).write('N');
      inside.write('S');
      new TLSSocket(inside, { isServer: true, ...impostor })
        .on('error', () => undefined)
        .on('data', (data: Buffer) => {
          decrypted = Buffer.concat([decrypted, data]);
          inside.destroy();
        });
    });
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ballotgraph-tls-'));
    await chmod(folder, 0o755);
    await ownFolder(join(folder, 'tls'), 'postgres');
    const [own, other] = [await createCertificate('server'), await createCertificate('impostor')];
    const settings = ['ssl=on', `ssl_cert_file=${own.certificate}`, `ssl_key_file=${own.key}`];
    server = await startEmptyPostgres({ settings });
    const impostor = { cert: await readFile(other.certificate), key: await readFile(other.key) };
    relay = createServer((inside) => answer(inside, impostor));
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => relay.close(resolve));
    await server.remove();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    answering = 'server';
    sent = [];
    decrypted = Buffer.alloc(0);
  });
  afterEach(() => pool.end());

  /** Returns what was sent on the connection of the cancel request, the second one. */
  const cancelling = () => Buffer.concat(sent[1] ?? []);

  /** Connects through the relay. */
  function open(sslmode: 'verify-full' | 'no-verify'): void {
    const url = new URL(server.url);
    const address = relay.address();
    url.port = String(typeof address === 'object' ? address?.port : 0);
    url.searchParams.set('sslmode', sslmode);
    if (sslmode === 'verify-full') url.searchParams.set('sslrootcert', join(folder, 'tls', 'server.crt'));
    pool = openPool({ at: { connectionString: url.href }, size: 1, statementTimeoutMs: 0, waitMs: 10_000 });
    db = openDatabase(pool);
  }

  /** Aborts a request while its statement runs, and returns the milliseconds until the connection is free again. */
  async function abortStatement(seconds: number, beforeAbort?: () => void): Promise<number> {
    const controller = new AbortController();
    const requested = requestDatabase({ pool, kind: 'server' }, { statementTimeoutMs: 0 }, controller.signal);
    expect((await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(requested)).rows).toEqual([
      { ssl: true },
    ]);
    const slow = sql`select pg_sleep(${seconds})`.execute(requested);
    slow.catch(() => undefined);
    await expect.poll(() => pool.idleCount).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    beforeAbort?.();
    const began = performance.now();
    controller.abort(new Error('enough'));
    await expect(slow).rejects.toThrow('enough');
    await expect.poll(() => pool.idleCount, { timeout: 10_000, interval: 20 }).toBe(1);
    const took = performance.now() - began;
    // Only the connection of the pool is left.
    await expect.poll(() => sockets.size).toBe(1);
    return took;
  }

  it('asks for TLS on the connection of the cancel request', async () => {
    open('verify-full');
    expect(await abortStatement(20)).toBeLessThan(1_500);
    expect(pool.totalCount).toBe(1);
    expect(sent).toHaveLength(2);
    expect(cancelling().readInt32BE(4)).toBe(SSL_REQUEST);
    expect(cancelling()[8]).toBe(TLS_HANDSHAKE);
  });

  it.each([
    ['verify-full', []],
    ['no-verify', [CANCEL_REQUEST]],
  ] as const)('with sslmode=%s, tells a server with another certificate %j', async (sslmode, expected) => {
    open(sslmode);
    await abortStatement(1, () => {
      answering = 'impostor';
    });
    expect(cancelling().readInt32BE(4)).toBe(SSL_REQUEST);
    expect(decrypted.length === 0 ? [] : [decrypted.readInt32BE(4)]).toEqual(expected);
  });

  it('sends nothing to a server without TLS but the question for it', async () => {
    open('verify-full');
    await abortStatement(1, () => {
      answering = 'without TLS';
    });
    expect(cancelling().readInt32BE(4)).toBe(SSL_REQUEST);
    expect(cancelling()).toHaveLength(8);
  });

  it('gives up on a server that does not answer, and keeps the connection', async () => {
    open('verify-full');
    const took = await abortStatement(0.5, () => {
      answering = 'nobody';
    });
    expect(took).toBeGreaterThan(1_500);
    expect(took).toBeLessThan(5_000);
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });
});
