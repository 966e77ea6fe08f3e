import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { atExit } from './at-exit.ts';

export interface SlowLink {
  /** The URL of the server through the slow connection. */
  readonly url: string;
  close(): void;
}

/**
 * Starts a proxy to a PostgreSQL that delays each result, as for a distant or slow server, without load on the server.
 */
export async function slowLinkTo(url: string, delayMs: number): Promise<SlowLink> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (inside) => {
    const outside = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    inside.pipe(outside);
    outside.on('data', async (data) => {
      await sleep(delayMs);
      inside.write(data);
    });
    for (const [one, other] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined).on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const slow = new URL(url);
  slow.port = String(typeof address === 'object' && address ? address.port : 0);
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  atExit(close);
  return { url: slow.href, close };
}
