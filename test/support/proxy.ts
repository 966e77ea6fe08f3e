import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { PoolSettings } from '../../src/store/sql/database.ts';
import type { TestDatabase } from './database.ts';

export interface DatabaseProxy {
  /** The database URL that leads through the proxy. */
  readonly url: string;
  /** Breaks all connections and rejects new ones, like a database on a failed machine. */
  cut(): Promise<void>;
  restore(): Promise<void>;
}

/** Provides a TCP proxy to the test database, server or embedded, that a test can interrupt. */
export function useProxy(testDatabase: TestDatabase): DatabaseProxy {
  const sockets = new Set<Socket>();
  let server: Server;
  let port = 0;

  const listen = () =>
    new Promise<void>((resolve) => {
      server = createServer((inside) => {
        const outside = connect(targetOf(testDatabase.at));
        for (const [from, to] of [
          [inside, outside],
          [outside, inside],
        ] as const) {
          sockets.add(from);
          from.pipe(to);
          from
            .on('error', () => undefined)
            .on('close', () => {
              sockets.delete(from);
              to.destroy();
            });
        }
      }).listen(port, '127.0.0.1', resolve);
    });
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };

  beforeAll(async () => {
    await listen();
    const address = server.address();
    port = typeof address === 'object' && address ? address.port : 0;
  });
  // Restores the connection for the next test, even if a test failed in between.
  afterEach(async () => {
    if (!server.listening) await listen();
  });
  afterAll(cut);
  return {
    get url() {
      return urlOf(testDatabase.at, port);
    },
    cut,
    restore: listen,
  };
}

function targetOf(at: PoolSettings['at']): { host: string; port: number } | { path: string } {
  if ('host' in at) return { path: `${at.host}/.s.PGSQL.${at.port}` };
  const url = new URL(at.connectionString);
  return { host: url.hostname, port: Number(url.port || 5432) };
}

function urlOf(at: PoolSettings['at'], port: number): string {
  if ('host' in at) return `postgres://${at.user}@127.0.0.1:${port}/${at.database}`;
  const url = new URL(at.connectionString);
  url.host = `127.0.0.1:${port}`;
  return url.href;
}
