import { connect, createServer, type Server } from 'node:net';
import { MessageReader, startupKind } from '../src/store/embedded/wire.ts';

export interface StatementCounter {
  /** The database URL that leads through the counter. */
  readonly url: string;
  /** Returns the number of statements executed since the start. */
  count(): number;
  close(): void;
}

const EXECUTE = 'E'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);

/** Starts a proxy to a database that counts the statements of any client, in any language. */
export async function countStatements(databaseUrl: string): Promise<StatementCounter> {
  const target = new URL(databaseUrl);
  let counted = 0;
  const server: Server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    const reader = new MessageReader();
    client.on('data', (chunk) => {
      reader.push(chunk);
      for (let message = reader.next(); message; message = reader.next()) {
        if (message[0] === EXECUTE || message[0] === QUERY) counted++;
        else if (startupKind(message) === 'start') reader.markStarted();
      }
    });
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => client.destroy(upstream.destroy() as never));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  return { url: url.href, count: () => counted, close: () => server.close() };
}
