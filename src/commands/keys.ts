import type { Command } from 'commander';
import { type ApiKeyRow, createApiKey, listApiKeys, revokeApiKey } from '../access/access.store.ts';
import { ServiceError } from '../errors.ts';
import { writeLine } from '../progress.ts';
import { print, printTable, withDatabase } from './command.ts';

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('manage API keys');

  keys
    .command('create')
    .description('create a key; it is shown once, as the last line')
    .requiredOption('--package <name>', 'package of the key, for example full')
    .action(async (options: { package: string }) => {
      const key = await withDatabase((db) => createApiKey(db, options.package));
      writeLine(`Created a key for the package "${options.package}". It is not stored and cannot be shown again:`);
      print(key);
    });

  keys
    .command('list')
    .description('list all keys with their public prefixes')
    .option('--package <name>', 'only the keys of one package')
    .action(async (options: { package?: string }) => {
      const rows = await withDatabase((db) => listApiKeys(db, options.package));
      printTable(['id', 'prefix', 'package', 'created', 'state'], rows.map(describe));
    });

  keys
    .command('revoke')
    .description('revoke a key; running gateways stop accepting it within 5 seconds')
    .argument('<prefix-or-id>', 'as the list shows it')
    .action(async (prefixOrId: string) => {
      const revoked = await withDatabase((db) => revokeApiKey(db, prefixOrId));
      if (revoked.length === 0) throw new ServiceError('NOT_FOUND', 'There is no active key with this prefix or id.');
      for (const key of revoked) print(`Revoked: ${describe(key).join('  ')}`);
    });
}

function describe(key: ApiKeyRow): string[] {
  const state = key.active ? 'active' : key.revokedAt ? `revoked ${key.revokedAt.toISOString()}` : 'inactive';
  return [String(key.id), `bg_${key.prefix}`, key.packageName, key.createdAt.toISOString(), state];
}
