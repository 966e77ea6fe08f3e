import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseBackend } from '../../../src/store/backend.ts';
import { makeEmbedded } from './embedded.ts';
import { type FailingGateway, keyOf, type StartOptions, startGateway } from './gateway.ts';
import { startPostgres } from './postgres.ts';

export interface Service {
  readonly kind: DatabaseBackend['kind'];
  readonly gateway: FailingGateway;
  /** Creates a key of a package. */
  key(packageName: string): Promise<string>;
  /** Stops everything; returns the exit code of the gateway. */
  stop(): Promise<number | null>;
}

/** Starts a gateway over a separate database, of either kind, with the small country of the tests. */
export async function startService(
  kind: DatabaseBackend['kind'],
  environment: Record<string, string>,
  options?: StartOptions,
): Promise<Service> {
  if (kind === 'server') {
    const postgres = await startPostgres();
    const gateway = await startGateway({ DATABASE_URL: postgres.url, ...environment }, options);
    const stop = async () => {
      const code = await gateway.stop();
      await postgres.remove();
      return code;
    };
    return { kind, gateway, key: (name) => keyOf(postgres.url, name), stop };
  }
  const folder = await mkdtemp(join(tmpdir(), 'resilience-'));
  const embedded = await makeEmbedded(folder);
  const gateway = await startGateway({ DATA_DIR: folder, ...environment }, options);
  const stop = async () => {
    const code = await gateway.stop();
    await rm(folder, { recursive: true });
    return code;
  };
  return { kind, gateway, key: embedded.key, stop };
}
