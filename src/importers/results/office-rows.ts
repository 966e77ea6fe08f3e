import { z } from 'zod';
import { normalName } from '../../base/words/normal-name.ts';
import { readTable } from '../../base/words/read-table.ts';
import type { State } from '../../base/words/states.ts';
import { DISTRICT_TYPES } from '../exchange/format.ts';
import { ImportError } from '../exchange/import-rows.ts';
import { readCsvTable } from '../read/csv-tables.ts';
import { findFiles } from '../read/read-files.ts';
import { officeWords } from './dialect.ts';

const SCOPES = [
  'president',
  'senate',
  'congress',
  'upper',
  'lower',
  'state',
  'state part',
  'county',
  'county part',
  'court',
  'town',
  'district',
] as const;

export type Scope = (typeof SCOPES)[number];

const optional = z.string().transform((text) => text || undefined);
const shape = z.object({
  /** What the office is of: the whole state, a county, a numbered part … `district` is the one of `ocdid`. */
  scope: z.enum(SCOPES),
  kind: z.enum(['', 'question', 'retention']),
  text: z.string().min(1, 'is missing'),
  states: z.string().regex(/^([A-Z]{2}( [A-Z]{2})*)?$/, 'has to be postal codes separated by blanks'),
  name: z.string(),
  branch: z.enum(['', 'Executive', 'Legislative', 'Judicial']),
  seats: z
    .string()
    .regex(/^\d*$/, 'is not a number')
    .transform((text) => (text === '' ? undefined : Number(text))),
  division: optional,
  ocd_type: optional,
  source: z.string().min(1, 'is missing: the law, code book or page that says it, or unverified'),
});
/** A row of an operator may name its district. */
const operators = shape.extend({
  ocdid: optional,
  district: optional,
  county: optional,
  position: optional,
  district_type: z.enum(['', ...DISTRICT_TYPES]).transform((type) => type || undefined),
  district_name: optional,
});

/** A row that declares an office: contests with its text elect it. */
export type OfficeRow = z.infer<typeof shape> & Partial<z.infer<typeof operators>>;

/** What the placeholders of a row stand for in a text, as the source writes it. */
export type Placeholders = Readonly<Partial<Record<'n' | 'seat' | 'judge' | 'rest', string>>>;

export interface FoundRow {
  readonly row: OfficeRow;
  readonly values: Placeholders;
}

interface Pattern {
  readonly row: OfficeRow;
  /** The first word of its texts; empty if it may be any. */
  readonly first: string;
  /** Of the rows, an import needs those of a few states: an expression is made when it is first asked. */
  form?: RegExp;
}

/** The rows that declare offices: `offices.csv`, and those of an operator before them. */
export class OfficeRows {
  readonly #exact = new Map<string, OfficeRow[]>();
  readonly #patterns: Pattern[] = [];

  constructor(rows: readonly OfficeRow[]) {
    for (const row of rows) {
      if (row.text.includes('{')) this.#patterns.push({ row, first: firstWord(row.text) });
      else {
        const key = officeWords(row.text);
        this.#exact.set(key, [...(this.#exact.get(key) ?? []), row]);
      }
    }
  }

  /** Returns the row of a text in a state, one of the state before one of all. */
  find({ postal }: State, text: string, isOf: (row: OfficeRow) => boolean): FoundRow | undefined {
    const isOfState = ({ states }: OfficeRow) => states.includes(postal);
    const isOfAll = ({ states }: OfficeRow) => states === '';
    const exact = this.#exact.get(officeWords(text))?.filter(isOf) ?? [];
    const row = exact.find(isOfState) ?? exact.find(isOfAll);
    if (row) return { row, values: {} };
    const [word] = normalName(text).split(' ');
    for (const isFor of [isOfState, isOfAll]) {
      for (const pattern of this.#patterns) {
        const isMeant = (pattern.first === '' || pattern.first === word) && isFor(pattern.row) && isOf(pattern.row);
        if (!isMeant) continue;
        pattern.form ??= formOf(pattern.row.text);
        const found = pattern.form.exec(text);
        if (found) return { row: pattern.row, values: found.groups ?? {} };
      }
    }
    return undefined;
  }
}

/** Returns the first word of a text with placeholders, if it is one whatever they stand for. */
function firstWord(text: string): string {
  const [literal = ''] = text.split('{');
  const words = normalName(`${literal}.`).split(' ');
  const isWhole = words.length > 1 || normalName(literal.slice(-1)) === '';
  return isWhole ? (words[0] ?? '') : '';
}

const BETWEEN = String.raw`[^\p{L}\p{N}]+`;
const PLACEHOLDERS = new Map([
  ['n', String.raw`(?<n>[\p{L}\p{N}]+)`],
  ['seat', '(?<seat>.+)'],
  ['judge', '(?<judge>.+?)'],
  ['rest', '(?<rest>.*)'],
]);

/**
 * Returns the form of a text with placeholders: what is between its words does not matter, `{rest}` may be nothing, `JD{n}` is one
 * word, and `{judge:ANN ROE}` is a name that the row knows.
 */
function formOf(text: string): RegExp {
  let [form, before] = ['', ''];
  for (const part of text.split(/(?<=\})|(?=\{)/)) {
    const [, name = '', own] = /^\{(\w+)(?::(.+))?\}$/.exec(part) ?? [];
    const words = normalName(own ?? part).replaceAll(' ', BETWEEN);
    const next = !name ? words : own ? `(?<${name}>${words})` : (PLACEHOLDERS.get(name) ?? '');
    if (next === '') continue;
    const isOptional = part === '{rest}' || before === '{rest}' || (name !== '' && normalName(before.slice(-1)) !== '');
    form += `${before === '' ? '' : isOptional ? `(?:${BETWEEN})?` : BETWEEN}${next}`;
    before = part;
  }
  return new RegExp(`^(?:${BETWEEN})?${form}(?:${BETWEEN})?$`, 'iu');
}

const BUILT_IN: readonly OfficeRow[] = readTable('offices', import.meta.url).map((row) => shape.parse(row));

/** The rows of `offices.csv`. */
export const DECLARED_OFFICES = new OfficeRows(BUILT_IN);

const NEEDED = ['scope', 'text', 'states', 'source'];

/**
 * Returns the rows that declare offices.
 * @param path a CSV file of the operator with the same columns, and `ocdid`, `district`, `county`, `position`, `district_type`,
 * `district_name` where a row names its district: its rows come first.
 * @throws ImportError with file and line for an invalid row.
 */
export async function readOfficeRows(path: string | undefined): Promise<OfficeRows> {
  const own: OfficeRow[] = [];
  for (const file of path === undefined ? [] : await findFiles([path], ['.csv'])) {
    await readCsvTable(file, NEEDED, ({ line, cell }) => {
      const read = operators.safeParse(
        Object.fromEntries(Object.keys(operators.shape).map((name) => [name, cell(name)])),
      );
      if (!read.success) {
        const [issue] = read.error.issues;
        throw new ImportError(`${issue?.path.join('.')}: ${issue?.message}`, file.name, line);
      }
      if (read.data.scope === 'district' && !read.data.ocdid)
        throw new ImportError('ocdid: is missing; the scope district needs the OCD id of one', file.name, line);
      own.push(read.data);
    });
  }
  return own.length === 0 ? DECLARED_OFFICES : new OfficeRows([...own, ...BUILT_IN]);
}
