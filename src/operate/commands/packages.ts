import { type Command, InvalidArgumentError } from 'commander';
import { ServiceError } from '../../base/errors.ts';
import { listPackages, setPackage, unknownPackage } from '../../gateway/access/access.store.ts';
import { rateLimitsByPackage, setRateLimits } from '../../gateway/access/rate-limits.store.ts';
import type { RateLimits } from '../../graph/builder/caller.ts';
import { GRANTS, isGrant } from '../../graph/builder/grants.ts';
import type { AccessGrant } from '../../store/sql/tables.ts';
import { print, printTable, withDatabase } from './command.ts';
import { changeAccess, namesOperator, type OperatorOption } from './operator.ts';

const PRESETS = `
Presets:
  full, no-results and lookup allow each key 100 requests per second, 1000 at once (--per-second 100 --burst 1000), so
  that a key that everyone can read, as that of a widget, cannot take the whole service.`;

const NAME = /^[a-z][a-z0-9-]{0,62}$/;

export function addPackageCommands(program: Command): void {
  const packages = program.command('packages').description('manage API packages, which define what keys may access');

  packages
    .command('list')
    .description('list all packages with their grants')
    .action(async () => {
      const [rows, limits] = await withDatabase(
        async (db) => [await listPackages(db), await rateLimitsByPackage(db)] as const,
      );
      printTable(
        ['package', 'grants', 'limits', 'description'],
        rows.map((row) => [row.name, row.grants.join(','), describeLimits(limits.get(row.name)), row.description]),
      );
    });

  const lines = Object.entries(GRANTS).map(([grant, opens]) => `  ${grant.padEnd(20)}${opens}`);
  namesOperator(packages.command('set'))
    .description('create a package or change its grants and limits; running gateways apply the change within 5 seconds')
    .argument('<name>', 'lower-case letters, digits and hyphens')
    .option('--grants <list>', 'all grants of the package, separated by commas; unchanged if omitted')
    .option('--description <text>', 'purpose of the package')
    .option('--per-second <number>', 'average requests per second of one key; "off" for no limit', readLimit)
    .option('--burst <number>', 'burst size of one key; "off" for the number per second', readLimit)
    .option('--per-day <number>', 'requests of one key in 24 hours; "off" for no limit', readLimit)
    .addHelpText('after', `\nGrants:\n${lines.join('\n')}\n${PRESETS}`)
    .action(async (name: string, options: SetOptions) => {
      if (!NAME.test(name)) {
        throw new ServiceError('INVALID_PARAMETER', 'A package name has lower-case letters, digits and hyphens only.');
      }
      const { grants, description, operator, ...limits } = withoutLifted(options);
      const newGrants = grants === undefined ? undefined : readGrants(grants);
      const [granted, set] = await changeAccess({ operator }, async (db) => {
        const before = (await listPackages(db)).find((known) => known.name === name);
        if (!newGrants && !before) throw await unknownPackage(db, name);
        await setPackage(db, { name, grants: newGrants ?? before?.grants ?? [], description });
        return [newGrants ?? before?.grants ?? [], await setRateLimits(db, name, limits)] as const;
      });
      print(`Package ${name}: ${granted.join(', ') || 'no grants'}; ${describeLimits(set)}`);
    });
}

interface SetOptions extends Partial<RateLimits>, OperatorOption {
  readonly grants?: string;
  readonly description?: string;
}

const MOST_REQUESTS = 1_000_000_000;

/** The value that lifts a limit: commander passes null for a missing value. */
const LIFTED = 0;

function withoutLifted(options: SetOptions): SetOptions {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, value === LIFTED ? null : value]));
}

function readLimit(text: string): number {
  if (text === 'off') return LIFTED;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit > 0 && limit <= MOST_REQUESTS) return limit;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_REQUESTS}, or off.`);
}

function describeLimits(limits: RateLimits | undefined): string {
  const { perSecond = null, burst = null, perDay = null } = limits ?? {};
  const parts = [
    ...(perSecond === null ? [] : [`${perSecond}/s`]),
    ...(burst === null ? [] : [`burst ${burst}`]),
    ...(perDay === null ? [] : [`${perDay}/day`]),
  ];
  return parts.join(', ') || 'no limits';
}

function readGrants(list: string): AccessGrant[] {
  const items = list.split(',').map((item) => item.trim());
  const named = [...new Set(items)].filter((item) => item !== '');
  const grants = named.filter(isGrant);
  if (grants.length === named.length) return grants;
  const unknown = named.filter((item) => !isGrant(item)).join(', ');
  throw new ServiceError(
    'INVALID_PARAMETER',
    `There is no grant ${unknown}. The grants are: ${Object.keys(GRANTS).join(', ')}.`,
  );
}
