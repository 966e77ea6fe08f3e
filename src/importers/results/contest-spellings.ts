import { plainOffice } from './office-spellings.ts';
import type { ResultCells } from './result-cells.ts';
import { isCounty } from './subtotal-cells.ts';
import type { ContestRow } from './sum-rows.ts';

/** Returns the text of an office or a district without letter case, dots, repeated spaces and leading zeros. */
export function withoutSpelling(text: string): string {
  return text
    .trim()
    .replace(/[\s.]+/g, ' ')
    .toUpperCase()
    .replaceAll('U S ', 'US ')
    .replace(/(?<![\p{L}\p{N}_])0+(?=\d)/gu, '');
}

/**
 * Joins contests of different counties whose office and district differ only in letter case, punctuation and leading
 * zeros: files that are put together from those of counties spell them in several ways. Contests with a county in common
 * stay apart, since one of them may repeat the votes of the other.
 */
export function joinContestSpellings(cells: ResultCells): void {
  const several = [...Map.groupBy(cells.contests, keyOf).values()].filter((contests) => contests.length > 1);
  if (several.length === 0) return;
  const counties = new Map(several.flat().map(({ contest }) => [contest, new Set<string>()]));
  cells.forEach((cell) => {
    counties.get(cells.contestOf(cell))?.add(cells.placeOf(cell).county_name.toUpperCase());
  });
  const into = new Map<number, number>();
  for (const [first, ...others] of several) {
    const all = [first, ...others].map((row) => [...(counties.get(row?.contest ?? -1) ?? [])]);
    const names = all.flat();
    const isApart = new Set(names).size === names.length && names.every(isCounty);
    if (!first || !isApart || all.filter((some) => some.length > 0).length < 2) continue;
    for (const { contest } of others) into.set(contest, first.contest);
  }
  if (into.size > 0) cells.joinContests(into);
}

/** Returns the same text for the names of an office of the nation or of a legislature that sources use for one seat. */
export function officeKey(text: string): string {
  return withoutSpelling(plainOffice(text))
    .replace(/^US PRESIDENT$/, 'PRESIDENT')
    .replace(/^US (?:REPRESENTATIVE|HOUSE(?: OF REPRESENTATIVES)?)$/, 'US HOUSE')
    .replace(/^US SENATOR$/, 'US SENATE')
    .replace(/^STATE (?:REPRESENTATIVE|HOUSE(?: OF REPRESENTATIVES)?)$/, 'STATE HOUSE')
    .replace(/^STATE SENATOR$/, 'STATE SENATE');
}

function districtKey(text: string): string {
  return withoutSpelling(text).replace(/^(\d+)(?:ST|ND|RD|TH)(?: DISTRICT)?$/, '$1');
}

function keyOf({ state_po, date, stage, special, party, office, district }: ContestRow): string {
  return JSON.stringify([state_po, date, stage, special, party, officeKey(office), districtKey(district)]);
}
