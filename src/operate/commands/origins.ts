import type { Command } from 'commander';
import { ServiceError } from '../../base/errors.ts';
import { addOrigin, listOrigins, removeOrigin } from '../../gateway/access/access.store.ts';
import { print, withDatabase } from './command.ts';
import { changeAccess, namesOperator, type OperatorOption } from './operator.ts';

export function addOriginCommands(program: Command): void {
  const origins = program.command('origins').description('manage the origins of web pages that may use the service');

  origins
    .command('list')
    .description('list all allowed origins')
    .action(async () => {
      for (const origin of await withDatabase(listOrigins)) print(origin);
    });

  namesOperator(origins.command('add'))
    .description('allow an origin; running gateways apply the change within 5 seconds')
    .argument('<origin>', 'scheme, host and port as browsers send them, for example https://www.example.org')
    .action(async (text: string, options: OperatorOption) => {
      const origin = readOrigin(text);
      const added = await changeAccess(options, (db) => addOrigin(db, origin));
      print(added ? `Allowed: ${origin}` : `Already allowed: ${origin}`);
    });

  namesOperator(origins.command('remove'))
    .description('remove an origin from the allow-list')
    .argument('<origin>', 'as the list shows it')
    .action(async (origin: string, options: OperatorOption) => {
      const removed = await changeAccess(options, (db) => removeOrigin(db, origin));
      if (!removed) throw new ServiceError('NOT_FOUND', 'This origin is not in the allow-list.');
      print(`Removed: ${origin}`);
    });
}

/**
 * Returns an origin in the form that browsers send: lower case, no default port, no path, international names in
 * punycode.
 */
function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) {
    if (url.origin === text) return text;
    throw new ServiceError('INVALID_PARAMETER', `Browsers send this origin as ${url.origin}: add that.`);
  }
  throw new ServiceError(
    'INVALID_PARAMETER',
    'An origin is http:// or https:// and a host, with a port if it has one.',
  );
}
