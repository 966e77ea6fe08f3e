import { type Command, InvalidArgumentError } from 'commander';
import { ServiceError } from '../../base/errors.ts';
import type { PersonRecordId } from '../../importers/load/persons/assignments.store.ts';
import {
  mergeTwoPersons,
  partsOfPerson,
  recordsOfPerson,
  splitOffRecords,
  splitTwoPersons,
} from '../../importers/load/persons/decide-persons.ts';
import { inOneTransaction } from '../../importers/load/transaction.ts';
import { print, printTable, withExclusiveDatabase } from './command.ts';

export function addPersonCommands(program: Command): void {
  const merge = program.command('merge').description('merge two records into one; later imports follow the decision');
  merge
    .command('persons')
    .description('merge two records into one person with the id and the name of the first')
    .argument('<person>', 'id of the person that remains', readId)
    .argument('<other>', 'id of the record that becomes part of it', readId)
    .action(async (person: number, other: number) => {
      await withExclusiveDatabase((db) =>
        inOneTransaction(db, false, (transaction) => mergeTwoPersons(transaction, person, other)),
      );
      print(`Merged: person ${other} is part of person ${person}.`);
    });

  const split = program.command('split').description('undo a merge of two records, or split one record in two');
  split
    .command('persons')
    .description('split a record, or some candidacies and terms, into a separate person; no import joins the two again')
    .argument('<person>', 'id of a person; alone, lists the records, candidacies and terms of the person', readId)
    .argument('[other]', 'id of the record that was merged into the person', readId)
    .option('--candidacies <ids>', 'candidacies of the other person, for two persons with the same name', readIds)
    .option('--terms <ids>', 'terms of the other person, for two persons with the same name', readIds)
    .action(async (person: number, other: number | undefined, options: SplitOptions) => {
      const records = recordsOf(options);
      if (other === undefined && records.length === 0) return list(person);
      if (other !== undefined && records.length > 0) {
        const message = 'Name either the record that was merged, or candidacies and terms.';
        throw new ServiceError('INVALID_PARAMETER', message);
      }
      const split = await withExclusiveDatabase((db) =>
        inOneTransaction(db, false, async (transaction) => {
          if (other === undefined) return splitOffRecords(transaction, person, records);
          await splitTwoPersons(transaction, person, other);
          return other;
        }),
      );
      print(`Split: ${person} and ${split} are two persons.`);
    });
}

interface SplitOptions {
  readonly candidacies?: readonly number[];
  readonly terms?: readonly number[];
}

function recordsOf({ candidacies = [], terms = [] }: SplitOptions): PersonRecordId[] {
  return [
    ...candidacies.map((id) => ({ kind: 'candidate' as const, id })),
    ...terms.map((id) => ({ kind: 'officeholder' as const, id })),
  ];
}

async function list(person: number): Promise<void> {
  const { parts, records } = await withExclusiveDatabase(async (db) => ({
    parts: await partsOfPerson(db, person),
    records: await recordsOfPerson(db, person),
  }));
  printTable(
    ['id', 'name', 'joined by'],
    parts.map(({ id, name, rule }) => [String(id), name, rule]),
  );
  printTable(
    ['id', 'kind', 'office', 'election or first day'],
    records.map(({ id, kind, office, day }) => [
      String(id),
      kind === 'candidate' ? 'candidacy' : 'term',
      office,
      day ?? 'not known',
    ]),
  );
}

const LARGEST_ID = 2_147_483_647;

function readId(text: string): number {
  const id = Number(text);
  if (/^\d+$/.test(text) && id >= 1 && id <= LARGEST_ID) return id;
  throw new InvalidArgumentError('It is an id, a whole number.');
}

function readIds(text: string): number[] {
  return text.split(',').map((part) => readId(part.trim()));
}
