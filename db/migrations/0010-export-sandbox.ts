import type { Kysely } from 'kysely';
import { prepareExportSandbox } from '../../src/gateway/exports/export-sandbox.ts';

/** Creates the functions in which stored queries run. Before, they ran as a role that a query could leave. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await prepareExportSandbox(db);
}
