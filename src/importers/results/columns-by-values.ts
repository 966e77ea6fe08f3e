import { isCalendarDate } from '../../base/dates.ts';
import { stateByPostal } from '../../base/words/states.ts';
import { atlasCounties } from '../read/us-atlas-files.ts';
import { choiceOf } from './choices.ts';
import { pseudoCandidate } from './names.ts';
import { namesOffice } from './offices.ts';
import { isKnownParty } from './parties.ts';
import type { ResultColumn } from './result-reader.ts';

/** The columns that their values tell, in the order in which they are looked for, and what they hold. */
export const HELD = {
  county_name: 'names of counties',
  party_detailed: 'parties',
  date: 'days (YYYY-MM-DD)',
  state_po: 'postal codes of states',
  office: 'offices',
  candidate: 'names of candidates',
  votes: 'whole numbers of votes for each candidate',
} as const satisfies Partial<Record<ResultColumn, string>>;
type HeldColumn = keyof typeof HELD;

/** The share of the values that fit from which on they tell what a column is, and up to which they contradict its name. */
const TELLS = 0.6;
const CONTRADICTS = 0.1;

/** The first records of a file. */
export type Sample = readonly (readonly string[])[];

/**
 * Returns the indexes of columns that the header does not name, or names wrongly, by their values in the first records.
 * @param named the indexes of the columns that the header names.
 * @param wanted the columns to look for: those that the header does not name, and those whose values may contradict it.
 */
export function columnsByValues(
  sample: Sample,
  named: ReadonlyMap<ResultColumn, number>,
  wanted: readonly ResultColumn[],
): ReadonlyMap<ResultColumn, number> {
  const found = new Map<ResultColumn, number>();
  const kinds = (Object.keys(HELD) as HeldColumn[]).filter((kind) => wanted.includes(kind));
  const contradicted = kinds.filter((kind) => {
    const index = named.get(kind);
    return index !== undefined && index >= 0 && score(sample, kind, index, named) < CONTRADICTS;
  });
  const known = new Map([...named].filter(([kind]) => !(contradicted as ResultColumn[]).includes(kind)));
  for (const kind of kinds.filter((each) => !known.has(each))) {
    const index = bestOf(sample, kind, known);
    if (index === undefined) continue;
    found.set(kind, index);
    known.set(kind, index);
  }
  // A column keeps its name if no other one has the values for it.
  return new Map([...found].filter(([kind, index]) => named.get(kind) !== index));
}

/** Returns the only column without a meaning whose values fit best; of columns of votes, the one that is the sum of the others. */
function bestOf(sample: Sample, kind: HeldColumn, known: ReadonlyMap<ResultColumn, number>): number | undefined {
  const taken = new Set(known.values());
  const scores = (sample[0] ?? [])
    .map((_, index) => ({ index, score: taken.has(index) ? 0 : score(sample, kind, index, known) }))
    .filter((each) => each.score >= TELLS)
    .sort((a, b) => b.score - a.score);
  const [first, second] = scores;
  if (!first || !second) return first?.index;
  if (kind !== 'votes') return first.score > second.score ? first.index : undefined;
  const isSum = (at: number) =>
    sample.every(
      (cells) => numberIn(cells[at]) * 2 === scores.reduce((sum, { index }) => sum + numberIn(cells[index]), 0),
    );
  return scores.find(({ index }) => isSum(index))?.index;
}

/** Returns the share of the values of a column that fit a kind; 1 for a column without values. */
function score(sample: Sample, kind: HeldColumn, index: number, known: ReadonlyMap<ResultColumn, number>): number {
  const values = [...new Set(sample.map((cells) => cells[index] ?? ''))].filter((value) => value !== '');
  if (values.length === 0) return known.get(kind) === index ? 1 : 0;
  if (kind === 'votes') return scoreOfVotes(sample, index, known);
  // Answers are those of many contests: the name of the column tells what they are.
  if (kind === 'candidate' && known.get(kind) !== index && !isOfOffices(sample, index, known)) return 0;
  return values.filter((value) => FITS[kind](value)).length / values.length;
}

const FITS: Readonly<Record<Exclude<HeldColumn, 'votes'>, (value: string) => boolean>> = {
  county_name: (value) => countyNames().has(plainCounty(value)),
  party_detailed: (value) => isKnownParty(value),
  date: (value) => isCalendarDate(value.slice(0, 10)),
  state_po: (value) => value.length === 2 && stateByPostal(value) !== undefined,
  office: namesOffice,
  candidate: (value) =>
    /\p{L}/u.test(value) &&
    ((isName(value) && !namesOffice(value)) || pseudoCandidate(value) !== null || choiceOf(value) !== undefined),
};

/** Returns whether a text has the form of a person's name: two to six words without digits. */
function isName(value: string): boolean {
  return /^[\p{L}\p{M}.'’"“”(),-]+( [\p{L}\p{M}.'’"“”()&/,-]+){1,5}$/u.test(value);
}

/** Returns whether most values of a column are of one contest each, as candidates are, and precincts are not. */
function isOfOffices(sample: Sample, index: number, known: ReadonlyMap<ResultColumn, number>): boolean {
  const contest = (['office', 'district', 'party_detailed'] as const).flatMap((name) => known.get(name) ?? []);
  const ofValue = Map.groupBy(sample, (cells) => cells[index] ?? '');
  const ofOne = [...ofValue.values()].filter((rows) => new Set(rows.map((cells) => textOf(cells, contest))).size === 1);
  return ofOne.length * 2 >= ofValue.size;
}

/**
 * Returns the share of whole numbers in a column; 0 if they have leading zeros, as codes do, or follow from the place and the
 * contest, as numbers of voters and districts do, or from the candidate.
 */
function scoreOfVotes(sample: Sample, index: number, known: ReadonlyMap<ResultColumn, number>): number {
  const counts = sample.filter((cells) => (cells[index] ?? '') !== '');
  if (counts.some((cells) => /^0\d/.test(cells[index] ?? ''))) return 0;
  const columns = (names: readonly ResultColumn[]) => names.flatMap((name) => known.get(name) ?? []);
  const contest: ResultColumn[] = ['office', 'district'];
  const place = columns(['county_name', 'jurisdiction_name', 'precinct', ...contest]);
  const shares = [place, columns(['candidate', ...contest])].flatMap((by) => {
    const groups = [...Map.groupBy(counts, (cells) => textOf(cells, by)).values()].filter(({ length }) => length > 1);
    const varied = groups.filter((rows) => new Set(rows.map((cells) => cells[index])).size > 1);
    return groups.length > 0 ? varied.length / groups.length : [];
  });
  return shares.length > 0 && shares.every((share) => share >= 0.5)
    ? counts.filter((cells) => /^[\d,]+$/.test(cells[index] ?? '')).length / counts.length
    : 0;
}

function textOf(cells: readonly string[], columns: readonly number[]): string {
  return JSON.stringify(columns.map((column) => cells[column]));
}

function numberIn(cell: string | undefined): number {
  return Number((cell ?? '').replaceAll(',', '')) || 0;
}

let counties: ReadonlySet<string> | undefined;

/** Returns the names of all counties, in capitals without their kind. */
function countyNames(): ReadonlySet<string> {
  counties ??= new Set(atlasCounties().map(({ name }) => plainCounty(name)));
  return counties;
}

function plainCounty(name: string): string {
  return name
    .toUpperCase()
    .replace(/ (COUNTY|PARISH|BOROUGH|CITY)$/, '')
    .replace(/[^A-Z]/g, '');
}
