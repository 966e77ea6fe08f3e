import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { changeAs } from '../../gateway/access/access-changes.store.ts';
import type { Database } from '../../store/sql/database.ts';
import { withDatabase } from './command.ts';

export interface OperatorOption {
  readonly operator?: string;
}

/** Adds the option with which an operator is named in the log of changes. */
export function namesOperator(command: Command): Command {
  return command.option('--operator <name>', 'who makes the change, for the log; the user of this machine if omitted');
}

/** Runs changes of keys, packages, origins or the secret in one transaction, in the name of the operator. */
export function changeAccess<T>({ operator }: OperatorOption, work: (db: Database) => Promise<T>): Promise<T> {
  return withDatabase((db) => changeAs(db, operator ?? userOfMachine(), work));
}

/** Returns the user of this process; its number if the machine has no name for it, as in some containers. */
function userOfMachine(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim();
  }
}
