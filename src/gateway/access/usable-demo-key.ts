import type { DatabaseBackend } from '../../store/backend.ts';
import { isActiveKey } from './access.store.ts';
import { DEMO_KEY } from './demo-key.ts';

/**
 * Returns the demo key if it is active. Only the embedded sample has it; a database server may not be reachable yet.
 */
export async function usableDemoKey(backend: DatabaseBackend): Promise<string | undefined> {
  return backend.kind === 'embedded' && (await isActiveKey(backend.db, DEMO_KEY)) ? DEMO_KEY : undefined;
}
