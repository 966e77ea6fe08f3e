import type { Command } from 'commander';
import { listPackages, setPackage } from '../access/access.store.ts';
import { GRANTS, isGrant } from '../access/grants.ts';
import { ServiceError } from '../errors.ts';
import type { AccessGrant } from '../store/tables.ts';
import { print, printTable, withStore } from './command.ts';

const NAME = /^[a-z][a-z0-9-]{0,62}$/;

export function addPackageCommands(program: Command): void {
  const packages = program.command('packages').description('API packages: what the keys of one may do');

  packages
    .command('list')
    .description('all packages with their grants')
    .action(async () => {
      const rows = await withStore(listPackages);
      printTable(
        ['package', 'grants', 'description'],
        rows.map((row) => [row.name, row.grants.join(','), row.description]),
      );
    });

  const lines = Object.entries(GRANTS).map(([grant, opens]) => `  ${grant.padEnd(20)}${opens}`);
  packages
    .command('set')
    .description('create a package, or change what it may do; running gateways follow within 5 seconds')
    .argument('<name>', 'lower-case letters, digits and hyphens')
    .requiredOption('--grants <list>', 'all that it may do, separated by commas')
    .option('--description <text>', 'what it is for')
    .addHelpText('after', `\nGrants:\n${lines.join('\n')}`)
    .action(async (name: string, options: { grants: string; description?: string }) => {
      if (!NAME.test(name)) {
        throw new ServiceError('INVALID_PARAMETER', 'A package name has lower-case letters, digits and hyphens only.');
      }
      const grants = readGrants(options.grants);
      await withStore((db) => setPackage(db, { name, grants, description: options.description }));
      print(`Package ${name}: ${grants.join(', ') || 'no grants'}`);
    });
}

function readGrants(list: string): AccessGrant[] {
  const items = list.split(',').map((item) => item.trim());
  const named = [...new Set(items)].filter((item) => item !== '');
  const grants = named.filter(isGrant);
  if (grants.length === named.length) return grants;
  const unknown = named.filter((item) => !isGrant(item)).join(', ');
  throw new ServiceError(
    'INVALID_PARAMETER',
    `There is no grant ${unknown}. There are: ${Object.keys(GRANTS).join(', ')}.`,
  );
}
