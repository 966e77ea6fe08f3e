import { createServer } from 'node:net';
import type { Config } from '../../base/config/config.ts';
import { dictionary } from '../../base/dictionary.ts';

const REASONS: Record<string, string> = dictionary({
  EADDRINUSE: 'is taken by another program',
  EACCES: 'may not be used by this user',
  ENOTSUP: 'cannot be shared on this system: leave REUSE_PORT out',
  EADDRNOTAVAIL: 'is at an address that this machine does not have',
  ENOTFOUND: 'is at a host that is not known',
});

/**
 * Checks that the address can be listened on before any slow startup work.
 * @throws Error naming HOST and PORT and what is wrong with them.
 */
export async function checkAddress(listen: Config['listen']): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject).listen(listen, resolve);
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new Error(`HOST ${listen.host}, PORT ${listen.port} ${REASONS[code] ?? `cannot be listened on (${code})`}.`);
  } finally {
    await new Promise((resolve) => probe.close(resolve));
  }
}
