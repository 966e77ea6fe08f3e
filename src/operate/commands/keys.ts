import { type Command, InvalidArgumentError } from 'commander';
import { ServiceError } from '../../base/errors.ts';
import { writeLine } from '../../base/progress.ts';
import {
  type ApiKeyRow,
  createApiKey,
  type KeyDetails,
  listApiKeys,
  noSuchKey,
  revokeApiKey,
} from '../../gateway/access/access.store.ts';
import { listChanges } from '../../gateway/access/access-changes.store.ts';
import { acceptedSecretsOf, changeApiKey, rotateApiKey } from '../../gateway/access/key-changes.store.ts';
import { print, printTable, withDatabase } from './command.ts';
import { changeAccess, namesOperator, type OperatorOption } from './operator.ts';
import { readTime, TIME_FORMATS } from './read-time.ts';

const NAMED = 'as the list shows it';
const OVERLAP = '7d';

export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('manage API keys');

  namesOperator(withDetails(keys.command('create')))
    .description('create a key; it is shown once, as the last line')
    .requiredOption('--package <name>', 'package of the key, for example full')
    .action(async ({ package: name, ...options }: DetailOptions & { package: string }) => {
      const key = await changeAccess(options, (db) => createApiKey(db, name, detailsOf(options)));
      writeLine(`Created a key for the package "${name}". It is not stored and cannot be shown again:`);
      print(key);
    });

  keys
    .command('list')
    .description('list all keys with their public prefixes')
    .option('--package <name>', 'only the keys of one package')
    .action(async (options: { package?: string }) => {
      const rows = await withDatabase((db) => listApiKeys(db, options.package));
      printTable(COLUMNS, rows.map(describe));
    });

  namesOperator(withDetails(keys.command('set')))
    .description('change owner, label or expiry of a key; gateways apply an expiry within 5 seconds')
    .argument('<prefix-or-id>', NAMED)
    .action(async (prefixOrId: string, options: DetailOptions) => {
      const details = detailsOf(options);
      if (Object.values(details).every((value) => value === undefined)) {
        throw new ServiceError('INVALID_PARAMETER', 'Name what changes: --owner, --label or --expiry.');
      }
      const changed = await changeAccess(options, (db) => changeApiKey(db, prefixOrId, details));
      if (changed.length === 0) throw noSuchKey();
      printTable(COLUMNS, changed.map(describe));
    });

  namesOperator(withExpiry(keys.command('rotate')))
    .description(
      'create a new secret for a key with the same details, package and limits; it is shown once, as the last line',
    )
    .argument('<prefix-or-id>', NAMED)
    .option(
      '--valid-until <time>',
      `how long the old secret is accepted, ${OVERLAP} if omitted: ${TIME_FORMATS}`,
      (text) => readTime(text),
    )
    .action(async (prefixOrId: string, options: ExpiryOption & { validUntil?: Date }) => {
      const validUntil = options.validUntil ?? readTime(OVERLAP);
      const { key, old } = await changeAccess(options, (db) =>
        rotateApiKey(db, prefixOrId, { validUntil, expiresAt: expiryOf(options) }),
      );
      const until = new Date(Math.min(validUntil.getTime(), old.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY));
      writeLine(
        `Rotated bg_${old.prefix}, which is accepted until ${until.toISOString()}. The new secret is not stored and cannot be shown again:`,
      );
      print(key);
    });

  namesOperator(keys.command('revoke'))
    .description('revoke a key; running gateways stop accepting it within 5 seconds')
    .argument('<prefix-or-id>', NAMED)
    .action(async (prefixOrId: string, options: OperatorOption) => {
      const { revoked, left } = await changeAccess(options, async (db) => {
        const revoked = await revokeApiKey(db, prefixOrId);
        return { revoked, left: await acceptedSecretsOf(db, revoked) };
      });
      if (revoked.length === 0) throw noSuchKey();
      for (const key of revoked) print(`Revoked: ${describe(key).filter(Boolean).join('  ')}`);
      for (const { prefix } of left) print(`Another secret of the same key is still accepted: bg_${prefix}`);
    });

  keys
    .command('log')
    .description('list the last changes to keys, packages, origins and the secret, oldest first')
    .argument('[name]', 'only those of one key (its prefix), package or origin, or shared_secret')
    .option('--last <number>', 'how many', readCount, 100)
    .action(async (name: string | undefined, { last }: { last: number }) => {
      const changes = await withDatabase((db) => listChanges(db, { name, last }));
      printTable(
        ['time', 'operator', 'database user', 'what', 'name', 'action', 'details'],
        changes.map((each) => [
          ...[each.changedAt.toISOString(), each.operator ?? '', each.databaseUser, each.kind, each.name, each.action],
          JSON.stringify(each.details),
        ]),
      );
    });
}

interface ExpiryOption extends OperatorOption {
  readonly expiry?: Date | 'never';
}

interface DetailOptions extends ExpiryOption {
  readonly owner?: string;
  readonly label?: string;
}

function withExpiry(command: Command): Command {
  return command.option('--expiry <time>', `when it stops being accepted: ${TIME_FORMATS}, or never`, (text) =>
    text === 'never' ? text : readTime(text),
  );
}

function withDetails(command: Command): Command {
  return withExpiry(command)
    .option('--owner <name>', 'the person or organisation that uses the key', readText)
    .option('--label <text>', 'what the key is for', readText);
}

function detailsOf({ owner, label, ...options }: DetailOptions): KeyDetails {
  return { owner, label, expiresAt: expiryOf(options) };
}

function expiryOf({ expiry }: ExpiryOption): Date | null | undefined {
  return expiry === 'never' ? null : expiry;
}

function readText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in a table of a terminal.
  if (text.trim() !== '' && text.length <= 200 && !/[\u0000-\u001f\u007f]/.test(text)) return text.trim();
  throw new InvalidArgumentError('It must be one line of at most 200 characters.');
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1.');
}

const COLUMNS = ['id', 'prefix', 'package', 'owner', 'label', 'created', 'expires', 'last used', 'state'];

function describe(key: ApiKeyRow): string[] {
  const time = (date: Date | null) => date?.toISOString() ?? '';
  return [
    ...[String(key.id), `bg_${key.prefix}`, key.packageName, key.owner ?? '', key.label ?? ''],
    ...[time(key.createdAt), time(key.expiresAt), time(key.lastUsedAt).slice(0, 'YYYY-MM-DDTHH'.length)],
    stateOf(key),
  ];
}

function stateOf({ active, revokedAt, expiresAt, rotationOf }: ApiKeyRow): string {
  if (!active) return revokedAt ? `revoked ${revokedAt.toISOString()}` : 'inactive';
  const state = expiresAt && expiresAt <= new Date() ? 'expired' : 'active';
  return rotationOf === null ? state : `${state}, secret of key ${rotationOf}`;
}
