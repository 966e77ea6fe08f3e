import { styleText } from 'node:util';
import { type Audit, placeText } from '../integrity/audit.ts';
import { print, printTable } from './command.ts';
import { printPlacement } from './placement.ts';

/** Prints the findings of an audit as a table, the worst first, then rows of each. Colours only if the output is a terminal. */
export function printAudit({ findings, faults, warnings, placement }: Audit, shown: number): void {
  const isTerminal = process.stdout.isTTY === true;
  const coloured = (severity: 'fault' | 'warning', text: string) =>
    isTerminal ? styleText(severity === 'fault' ? 'red' : 'yellow', text) : text;
  if (findings.length > 0)
    printTable(
      ['severity', 'rows', 'check', 'finds'],
      findings.map(({ severity, count, check, finds }) => [severity, count.toLocaleString('en'), check, finds]),
      (cell, column, row) => (column === 0 ? coloured(findings[row]?.severity ?? 'warning', cell) : cell),
    );
  for (const { check, severity, count, rows } of findings) {
    print(`\n${check}`, (text) => coloured(severity, text));
    for (const row of rows.slice(0, shown)) print(`  ${placeText(row)}: ${row.problem}`);
    if (count > shown) print(`  and ${(count - Math.min(shown, rows.length)).toLocaleString('en')} more`);
  }
  if (placement) printPlacement(placement);
  print(`${findings.length > 0 || placement ? '\n' : ''}${amount(faults, 'fault')}, ${amount(warnings, 'warning')}`);
}

function amount(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
