import { z } from 'zod';
import { normalName } from '../../base/words/normal-name.ts';
import { readTable } from '../../base/words/read-table.ts';
import { type State, stateByPostal, stateOfOcdid } from '../../base/words/states.ts';
import { DISTRICT_TYPES } from '../exchange/format.ts';
import { ImportError } from '../exchange/import-rows.ts';
import { type CsvRecord, readCsvTable } from '../read/csv-tables.ts';
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

/** `state`, if all of its counties vote: counties and cities have an office with the same text. */
const WHOLE_STATE = 'whole state';

const optional = z.string().transform((text) => text || undefined);
const shape = z.object({
  /** What the office is of: the whole state, a county, a numbered part … `district` is the one of `ocdid`. */
  scope: z.enum([...SCOPES, WHOLE_STATE]),
  kind: z.enum(['', 'question', 'retention']),
  text: z.string().superRefine((text, { addIssue }) => {
    const wrong = text === '' ? 'is missing' : whatIsWrong(text);
    if (wrong) addIssue(wrong);
  }),
  states: z
    .string()
    .transform((text) => text.split(' ').filter(Boolean))
    .refine(
      (all) => all.every((postal) => stateByPostal(postal)?.postal === postal),
      'has to be postal codes separated by blanks: DE NY',
    )
    .transform((all) => all.join(' ')),
  name: z.string(),
  branch: z.enum(['', 'Executive', 'Legislative', 'Judicial']),
  seats: z
    .string()
    .transform((text) => (text === '' ? undefined : Number(text)))
    .refine((seats) => seats === undefined || (Number.isInteger(seats) && seats > 0), 'is not a number of seats'),
  division: optional,
  ocd_type: optional,
  source: z.string().min(1, 'is missing: the law, code book or page that says it, or unverified'),
});
/** Scopes of which each office needs a name, and those of parts, which are called by `division` and their code. */
const [NAMED, OF_PARTS] = [
  ['state', WHOLE_STATE, 'state part', 'county', 'county part', 'court', 'town'],
  ['state part', 'county part', 'court'],
];
/** A row of an operator may name its district. */
const operators = shape
  .extend({
    ocdid: optional,
    position: optional,
    district_type: z.enum(['', ...DISTRICT_TYPES]).transform((type) => type || undefined),
    district_name: optional,
  })
  .superRefine(({ scope, kind, name, division, ocdid, states, district_type, district_name }, { addIssue }) => {
    const needs = (column: string, is: string) => addIssue({ code: 'custom', path: [column], message: is });
    if (kind !== 'question' && name === '' && NAMED.includes(scope))
      needs('name', 'is missing: the name of the office');
    if (kind !== 'question' && !division && OF_PARTS.includes(scope))
      needs('division', 'is missing: what a part is called before its number, such as Judicial District');
    if (scope === 'district' && !ocdid) needs('ocdid', 'is missing; the scope district needs the OCD id of one');
    if (scope !== 'district' && (ocdid || district_type || district_name))
      needs(ocdid ? 'ocdid' : district_type ? 'district_type' : 'district_name', 'is only for the scope district');
    if (!ocdid) return;
    const state = isWellFormed(ocdid) ? stateOfOcdid(ocdid)?.postal : undefined;
    if (!state)
      needs('ocdid', 'has to be the OCD id of a district of a state: ocd-division/country:us/state:ny/place:new_york');
    else if (states !== '' && states !== state)
      needs('states', `has to be ${state} or empty: the OCD id is of ${state}`);
  });

/** A row that declares an office: contests with its text elect it. */
export interface OfficeRow extends Omit<z.infer<typeof shape> & Partial<z.infer<typeof operators>>, 'scope'> {
  readonly scope: Scope;
  /** Only contests with votes from all counties of the state elect it. */
  readonly isOfWholeState: boolean;
}

function officeRow(row: z.infer<typeof shape> | z.infer<typeof operators>): OfficeRow {
  const isOfWholeState = row.scope === WHOLE_STATE;
  return { ...row, scope: row.scope === WHOLE_STATE ? 'state' : row.scope, isOfWholeState };
}

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

/** Returns whether an OCD id has a kind and a name in each part after the country, without capitals and blanks. */
function isWellFormed(ocdid: string): boolean {
  const parts = ocdid.split('/').slice(1);
  return (
    ocdid === ocdid.toLowerCase().replaceAll(' ', '') &&
    parts.every((part) => part.split(':').filter(Boolean).length === 2)
  );
}

/** Splits a text into placeholders and what is between them. */
const partsOf = (text: string) => text.split(/(?<=\})|(?=\{)/);
const PLACEHOLDER = /^\{(\w+)(?::(.+))?\}$/;

/** Returns what is wrong with a text that has words and placeholders. */
function whatIsWrong(text: string): string | undefined {
  const parts = partsOf(text);
  const names = parts.flatMap((part) => PLACEHOLDER.exec(part)?.[1] ?? []);
  const unknown = names.find((name) => !PLACEHOLDERS.has(name));
  const twice = names.find((name, index) => names.indexOf(name) < index);
  const literals = parts.filter((part) => !PLACEHOLDER.test(part));
  const known = [...PLACEHOLDERS.keys()].map((name) => `{${name}}`).join(', ');
  if (unknown) return `{${unknown}} is no placeholder: these are ${known}`;
  if (twice) return `has {${twice}} twice: a text has each placeholder once`;
  if (literals.some((part) => part.includes('{') || part.includes('}')))
    return `has a brace that is no part of a placeholder: these are ${known}`;
  return literals.every((part) => normalName(part) === '')
    ? 'has no word: it would be the text of any contest'
    : undefined;
}

/**
 * Returns the form of a text with placeholders: what is between its words does not matter, `{rest}` may be nothing, `JD{n}` is one
 * word, and `{judge:ANN ROE}` is a name that the row knows.
 */
function formOf(text: string): RegExp {
  let [form, before] = ['', ''];
  for (const part of partsOf(text)) {
    const [, name = '', own] = PLACEHOLDER.exec(part) ?? [];
    const words = normalName(own ?? part).replaceAll(' ', BETWEEN);
    const next = !name ? words : own ? `(?<${name}>${words})` : (PLACEHOLDERS.get(name) ?? '');
    if (next === '') continue;
    const isOptional = part === '{rest}' || before === '{rest}' || (name !== '' && normalName(before.slice(-1)) !== '');
    form += `${before === '' ? '' : isOptional ? `(?:${BETWEEN})?` : BETWEEN}${next}`;
    before = part;
  }
  return new RegExp(`^(?:${BETWEEN})?${form}(?:${BETWEEN})?$`, 'iu');
}

const BUILT_IN: readonly OfficeRow[] = readTable('offices', import.meta.url).map((row) => officeRow(shape.parse(row)));

/** The rows of `offices.csv`. */
export const DECLARED_OFFICES = new OfficeRows(BUILT_IN);

const NEEDED = ['scope', 'text', 'states', 'source'];

/**
 * Returns the rows that declare offices.
 * @param path a CSV file of the operator with the same columns, and `ocdid`, `position`, `district_type`, `district_name` where a row
 * names its district: its rows come first.
 * @throws ImportError with file, line and column for an invalid row.
 */
export async function readOfficeRows(path: string | undefined): Promise<OfficeRows> {
  const own: OfficeRow[] = [];
  const columns = Object.keys(operators.shape);
  for (const file of path === undefined ? [] : await findFiles([path], ['.csv'])) {
    const take = ({ line, cell }: CsvRecord) => {
      const read = operators.safeParse(Object.fromEntries(columns.map((name) => [name, cell(name)])));
      const [issue] = read.error?.issues ?? [];
      if (issue) throw new ImportError(`${issue.path.join('.')}: ${issue.message}`, file.name, line);
      if (read.data) own.push(officeRow(read.data));
    };
    await readCsvTable(file, NEEDED, take, columns);
  }
  return own.length === 0 ? DECLARED_OFFICES : new OfficeRows([...own, ...BUILT_IN]);
}
