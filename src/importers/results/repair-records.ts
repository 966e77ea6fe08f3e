import type { MalformedRecord } from './csv-records.ts';
import type { FoundColumn, ResultColumn } from './result-reader.ts';

/** A record whose shifted cells have been put in order. */
export interface RepairedRecord {
  readonly line: number;
  /** The cells of the named columns. */
  readonly cells: readonly string[];
}

/** Columns whose cells are free text or numbers; those of the others recur in other records. */
const FREE = new Set<ResultColumn>(['candidate', 'precinct', 'votes']);
const COUNT = /^(\d+(\.0+)?|\d{1,3}(,\d{3})+|\*)$/;

/**
 * Repairs records with too many cells. A comma in a name that is not in quotes shifts the cells after it, and some sources
 * then write the party after the votes. A record is repaired if exactly one way to join neighbouring cells results in a
 * number of votes and, in all other columns, in values that well-formed records have. Returns the repaired records, and
 * the others as malformed.
 * @param textsOf returns the texts of a column in the well-formed records.
 */
export function repairRecords(
  malformed: readonly MalformedRecord[],
  header: readonly string[],
  columns: readonly FoundColumn[],
  textsOf: (name: ResultColumn) => readonly string[],
): { readonly repaired: RepairedRecord[]; readonly malformed: readonly MalformedRecord[] } {
  if (malformed.length === 0) return { repaired: [], malformed };
  const closed = columns.filter(({ name, index }) => index >= 0 && !FREE.has(name));
  const known = new Map(closed.map(({ name, index }) => [index, new Set(textsOf(name))]));
  const votes = columns.find(({ name }) => name === 'votes')?.index ?? -1;
  const party = columns.find(({ name }) => name === 'party_detailed')?.index ?? -1;
  const isValid = (cells: readonly string[]) =>
    COUNT.test(cells[votes]?.trim() ?? '') && [...known].every(([index, of]) => of.has(cells[index]?.trim() ?? ''));
  const repaired: RepairedRecord[] = [];
  const left: MalformedRecord[] = [];
  for (const record of malformed) {
    const ways = orders(record.cells, header, votes, party).filter(isValid);
    const [way] = new Set(ways.map((cells) => JSON.stringify(cells)));
    if (way === undefined || new Set(ways.map((cells) => JSON.stringify(cells))).size > 1) left.push(record);
    else repaired.push({ line: record.line, cells: JSON.parse(way) as string[] });
  }
  return { repaired, malformed: left };
}

/** Returns the ways to join neighbouring cells so that as many are left as there are named columns. */
function orders(cells: readonly string[], header: readonly string[], votes: number, party: number): string[][] {
  const named = header.findLastIndex((name) => name !== '') + 1;
  const filled = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1);
  const extra = filled.length - named;
  if (extra < 1 || extra > 3) return [];
  return Array.from({ length: named }, (_, at) => {
    return [...filled.slice(0, at), filled.slice(at, at + extra + 1).join(','), ...filled.slice(at + extra + 1)];
  }).flatMap((way) => {
    if (votes < 0 || party < 0) return [way];
    const swapped = way.with(votes, way[party] ?? '').with(party, way[votes] ?? '');
    return [way, swapped];
  });
}
