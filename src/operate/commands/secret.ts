import type { Command } from 'commander';
import { ServiceError } from '../../base/errors.ts';
import {
  endOverlap,
  readSecretState,
  rotateSecret,
  type SecretState,
} from '../../gateway/redis/secret-rotation.store.ts';
import { print, withDatabase } from './command.ts';
import { changeAccess, namesOperator, type OperatorOption } from './operator.ts';

export function addSecretCommands(program: Command): void {
  const secret = program
    .command('secret')
    .description('rotate the secret of the database, which encrypts ids of elections and signs what is in Redis');

  secret
    .command('status')
    .description('show when it was rotated, and whether the one before is still accepted')
    .action(async () => print(describe(await withDatabase(readSecretState))));

  namesOperator(secret.command('rotate'))
    .description('replace it; ids and cursors of elections change, and those from before stay valid until end-overlap')
    .action(async (options: OperatorOption) => {
      const state = await changeAccess(options, async (db) => {
        await rotateSecret(db);
        return readSecretState(db);
      });
      print(describe(state));
    });

  namesOperator(secret.command('end-overlap'))
    .description('accept no longer what was issued under the secret before the last rotation')
    .action(async (options: OperatorOption) => {
      const state = await changeAccess(options, async (db) => {
        if (!(await endOverlap(db))) throw new ServiceError('NOT_FOUND', 'There is no overlap to end.');
        return readSecretState(db);
      });
      print(describe(state));
    });
}

function describe({ rotatedAt, isOverlapping }: SecretState): string {
  if (rotatedAt === null) return 'Never rotated.';
  const rotated = `Rotated ${rotatedAt.toISOString()}.`;
  return isOverlapping
    ? `${rotated} What was issued before is accepted until: npm run secret -- end-overlap`
    : `${rotated} What was issued before is no longer accepted.`;
}
