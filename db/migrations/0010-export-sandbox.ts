/**
 * Created the functions in which stored queries run; before, they ran as a role that a query could leave. Every upgrade
 * now creates them after its last migration (`src/store/migrate.ts`).
 */
export async function up(): Promise<void> {}
