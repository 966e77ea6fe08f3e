import { csvCell } from '../../base/csv-cell.ts';
import type { Placement, UndeclaredOffice } from '../../importers/load/placement.store.ts';
import { print } from './command.ts';

/** The columns of a file of `--office-map`, in the order of offices.csv. */
const COLUMNS = 'scope,kind,text,states,name,branch,seats,division,ocd_type,source';
const SHOWN_ROWS = 20;

/** Returns the rows that would declare offices, as CSV: what the source does not say is left empty. */
export function officeRows(offices: readonly UndeclaredOffice[]): string {
  return `${[COLUMNS, ...offices.map(({ text, state }) => `,,${csvCell(text)},${state},,,,,,`)].join('\n')}\n`;
}

/** Says how many contests of an import are placed. The share of the votes is rounded down. */
export function placedText({ placed, unplaced }: Placement): string {
  const share = Math.floor((placed.votes / (placed.votes + unplaced.votes || 1)) * 1000) / 10;
  const [some, all] = [placed.contests, placed.contests + unplaced.contests].map((count) => count.toLocaleString('en'));
  return `${some} of ${all} contests placed, ${share} % of the votes`;
}

/** Prints what an import does not place, and the rows that would place it, those with the most votes first. */
export function printPlacement(placement: Placement): void {
  const { offices, unplaced } = placement;
  const undeclared = offices.reduce((sum, { contests }) => sum + contests, 0);
  print(`\n${placedText(placement)}`);
  const others = unplaced.contests - undeclared;
  if (others > 0)
    print(
      `The district of ${others.toLocaleString('en')} ${others === 1 ? 'contest' : 'contests'} is not known: see unplaced-contests`,
    );
  if (offices.length === 0) return;
  const more = offices.length > SHOWN_ROWS ? `; --rows FILE writes all ${offices.length.toLocaleString('en')}` : '';
  print(
    `The rows of --office-map that are missing, most votes first, to complete (scope, name, branch, seats, source)${more}:`,
  );
  print(officeRows(offices.slice(0, SHOWN_ROWS)).trimEnd());
}
