import { Command } from 'commander';
import { ConfigError } from './base/config/config.ts';
import { ServiceError, toServiceError } from './base/errors.ts';
import { printable, writeLine } from './base/progress.ts';
import { addAuditCommand } from './operate/commands/audit.ts';
import { addCheckCommand } from './operate/commands/check.ts';
import { withDatabase } from './operate/commands/command.ts';
import { addFollowCommand } from './operate/commands/follow.ts';
import { addImportCommand } from './operate/commands/import.ts';
import { addKeyCommands } from './operate/commands/keys.ts';
import { addLoadCommand } from './operate/commands/load.ts';
import { addOriginCommands } from './operate/commands/origins.ts';
import { addPackageCommands } from './operate/commands/packages.ts';
import { addPersonCommands } from './operate/commands/persons.ts';
import { addPublishCommand } from './operate/commands/publish.ts';
import { addSecretCommands } from './operate/commands/secret.ts';
import { rejectSwallowedOptions } from './operate/commands/swallowed-options.ts';
import { addWithdrawCommand } from './operate/commands/withdraw.ts';
import { advisedProblem } from './store/connection-problem.ts';
import { prepareExportSandbox, sandboxProblem } from './store/export-sandbox.ts';
import { grantGatewayRights } from './store/gateway-role.ts';

const program = new Command('ballotgraph')
  .description('Commands for operators. Each one but follow first migrates the schema of the database.')
  .configureOutput({ writeErr: (text) => process.stderr.write(printable(text)) })
  .showHelpAfterError('(see --help)');

program
  .command('migrate')
  .description('migrate the schema of the database, and do nothing else')
  .action(() =>
    withDatabase(async (db) => {
      writeLine('The schema is up to date.');
      await prepareExportSandbox(db);
      // The role may be younger than the last migration.
      await grantGatewayRights(db);
      const problem = await sandboxProblem(db);
      if (problem) writeLine(`Bulk download will be rejected: ${problem} (db/queries/README.md, "The sandbox").`);
    }),
  );
addLoadCommand(program);
addImportCommand(program);
addAuditCommand(program);
addCheckCommand(program);
addKeyCommands(program);
addPackageCommands(program);
addOriginCommands(program);
addSecretCommands(program);
addPersonCommands(program);
addWithdrawCommand(program);
addPublishCommand(program);
addFollowCommand(program);

rejectSwallowedOptions(program, process.argv.slice(2), process.env);
try {
  await program.parseAsync();
} catch (error) {
  writeLine(`error: ${messageOf(error)}`);
  process.exitCode = exitCodeOf(error);
}

/** Returns the message that helps the operator; never a stack trace. */
function messageOf(thrown: unknown): string {
  const unavailable = databaseUnavailable(thrown);
  if (unavailable) return `${unavailable.message} (${process.env.DATABASE_URL ? 'DATABASE_URL' : 'DATA_DIR'})`;
  const advised = process.env.DATABASE_URL ? advisedProblem(thrown) : undefined;
  return advised ?? (thrown instanceof Error ? thrown.message : String(thrown));
}

function databaseUnavailable(thrown: unknown): ServiceError | undefined {
  if (thrown instanceof ServiceError) return undefined;
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  const error = toServiceError(cause);
  return error.code === 'STORE_UNAVAILABLE' ? error : undefined;
}

function exitCodeOf(thrown: unknown): number {
  if (thrown instanceof ConfigError) return 2;
  if (thrown instanceof Error && 'exitCode' in thrown && typeof thrown.exitCode === 'number') return thrown.exitCode;
  return 1;
}
