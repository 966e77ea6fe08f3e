import { type Command, InvalidArgumentError } from 'commander';
import { mergeTwoPersons, partsOfPerson, splitTwoPersons } from '../import/persons/decide-persons.ts';
import { inOneTransaction } from '../import/transaction.ts';
import { print, printTable, withExclusiveDatabase } from './command.ts';

export function addPersonCommands(program: Command): void {
  const merge = program.command('merge').description('make two records one; imports keep to the decision');
  merge
    .command('persons')
    .description('make two records one person, with the id and the name of the first')
    .argument('<person>', 'id of the person that remains', readId)
    .argument('<other>', 'id of the record that becomes part of it', readId)
    .action(async (person: number, other: number) => {
      await withExclusiveDatabase((db) =>
        inOneTransaction(db, false, (transaction) => mergeTwoPersons(transaction, person, other)),
      );
      print(`Merged: person ${other} is part of person ${person}.`);
    });

  const split = program.command('split').description('undo that two records were made one');
  split
    .command('persons')
    .description('make a record that was merged a person of its own again; no import joins the two again')
    .argument('<person>', 'id of a person; alone, lists the records that are part of it', readId)
    .argument('[other]', 'id of the record that is part of it', readId)
    .action(async (person: number, other: number | undefined) => {
      if (other === undefined) {
        const parts = await withExclusiveDatabase((db) => partsOfPerson(db, person));
        printTable(
          ['id', 'name', 'joined by'],
          parts.map(({ id, name, rule }) => [String(id), name, rule]),
        );
        return;
      }
      await withExclusiveDatabase((db) =>
        inOneTransaction(db, false, (transaction) => splitTwoPersons(transaction, person, other)),
      );
      print(`Split: ${person} and ${other} are two persons.`);
    });
}

const LARGEST_ID = 2_147_483_647;

function readId(text: string): number {
  const id = Number(text);
  if (/^\d+$/.test(text) && id >= 1 && id <= LARGEST_ID) return id;
  throw new InvalidArgumentError('It is the id of a person, a whole number.');
}
