import type { Command } from 'commander';
import { sql } from 'kysely';
import { commandsToday } from '../../base/clock.ts';
import type { IntegrityReport } from '../integrity/integrity.ts';
import { print, printTable, withDatabase } from './command.ts';

export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .description(
      'check the data for duplicates, orphans, impossible results, overlapping terms, and incomplete or overlapping maps',
    )
    .option('--json', 'print the report as JSON, with up to 20 violations of each check')
    .action(async ({ json = false }: { json?: boolean }) => {
      const { checkIntegrity } = await import('../integrity/integrity.ts');
      const today = commandsToday();
      const report = await withDatabase((db) =>
        db.connection().execute(async (connection) => {
          // Compiling the many long statements takes far longer than running them.
          await sql`/* check.without-jit */ set jit = off`.execute(connection);
          return checkIntegrity(connection, today);
        }),
      );
      if (json) print(JSON.stringify(report, null, 2));
      else printReport(report);
      if (report.faults > 0) process.exitCode = 1;
    });
}

function printReport({ checks, faults, warnings, maps }: IntegrityReport): void {
  printTable(
    ['severity', 'violations', 'check', 'finds'],
    checks.map(({ name, finds, severity, count }) => [severity, count.toLocaleString('en'), name, finds]),
  );
  for (const { name, count, violations } of checks) {
    if (count === 0) continue;
    print(`\n${name}`);
    for (const { record, problem } of violations) print(`  ${record}: ${problem}`);
    if (count > violations.length) print(`  and ${(count - violations.length).toLocaleString('en')} more`);
  }
  print(
    `\n${faults.toLocaleString('en')} faults and ${warnings.toLocaleString('en')} warnings in ${checks.length} checks, ${maps} maps of states`,
  );
}
