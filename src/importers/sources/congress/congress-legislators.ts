import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { z } from 'zod';
import { commandsToday } from '../../../base/clock.ts';
import { isCalendarDate } from '../../../base/dates.ts';
import { dictionary } from '../../../base/dictionary.ts';
import { type ImportContext, ImportError, type ImportRow, type OpenedSource } from '../../exchange/import-rows.ts';
import { congressDistrictRow } from '../../facts/congress-districts.ts';
import {
  holderId,
  isInEffect,
  type Official,
  officeOf,
  official,
  personId,
  personRow,
  type Seat,
  type Term,
} from '../../facts/congress-terms.ts';
import { COUNTRY_ROW, stateRow } from '../../facts/state-rows.ts';
import { parseYaml, readText } from '../../read/read-documents.ts';
import {
  type DistrictOffices,
  districtOfficeContacts,
  districtOffices,
  type SocialMedia,
  socialContacts,
  socialMedia,
  termContacts,
} from './congress-contacts.ts';

export interface CongressLegislatorsOptions {
  /** The day of the snapshot, `YYYY-MM-DD`; defaults to the name of the folder if that is a day, otherwise to today. */
  readonly asOf?: string;
}

const LEGISLATORS = ['legislators-historical.yaml', 'legislators-current.yaml', 'executive.yaml'];
const OFFICES = 'legislators-district-offices.yaml';
const SOCIAL = 'legislators-social-media.yaml';

/** Party names of the source that differ from those of the exchange format, and names that mean no party. */
const PARTIES: Record<string, string | null> = dictionary({ Democrat: 'Democratic', 'no party': null });

/**
 * Opens a folder of the project unitedstates/congress-legislators: every term of the members of Congress, and of
 * presidents and vice presidents if `executive.yaml` exists, with their contacts.
 */
export async function openCongressLegislators(
  paths: readonly string[],
  options: CongressLegislatorsOptions,
): Promise<OpenedSource> {
  const [folder, ...more] = paths;
  if (folder === undefined || more.length > 0)
    throw new ImportError('congress-legislators takes one folder, with legislators-current.yaml');
  const asOf = options.asOf ?? dayOf(folder);
  const errors: ReportedError[] = [];
  const of = <T>(name: string, entry: z.ZodType<T>) => readEntries(join(folder, name), entry, errors);
  const officials = (await Promise.all(LEGISLATORS.map((name) => of(name, official)))).flat();
  const [offices, social] = [await of(OFFICES, districtOffices), await of(SOCIAL, socialMedia)];
  if (officials.length === 0) throw new ImportError(`has no legislator in ${LEGISLATORS.join(', ')}`, folder);
  return {
    provenance: {
      name: 'congress-legislators',
      source: 'https://github.com/unitedstates/congress-legislators',
      license: 'CC0-1.0',
      asOf,
    },
    oneHolder: true,
    rows(context) {
      for (const { file, entry, reason } of errors)
        context.report.add(context.report.locate(`${file} entry ${entry}`, file), 'left-out', reason);
      return rowsOf(mergePersons(officials), offices, social, asOf, context);
    },
  };
}

function dayOf(folder: string): string {
  const name = basename(resolve(folder));
  return isCalendarDate(name) ? name : commandsToday();
}

interface ReportedError {
  readonly file: string;
  readonly entry: number;
  readonly reason: string;
}

/** Returns the entries of a file, none if it does not exist. Invalid entries go to `errors`. */
async function readEntries<T>(path: string, entry: z.ZodType<T>, errors: ReportedError[]): Promise<T[]> {
  if (!(await stat(path).catch(() => undefined))) return [];
  const [name, text] = [basename(path), await readText(path)];
  const entries = parseYaml(name, text);
  if (!Array.isArray(entries)) throw new ImportError('is not a YAML list, or is cut off', name, 1);
  return entries.flatMap((each, index) => {
    const parsed = entry.safeParse(each);
    if (parsed.success) return [parsed.data];
    const [issue] = parsed.error.issues;
    const reason = `is not valid: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')}`;
    errors.push({ file: name, entry: index + 1, reason });
    return [];
  });
}

/** Merges persons with entries in two files: members of Congress who became president. */
function mergePersons(officials: readonly Official[]): Official[] {
  const persons = new Map<string, Official>();
  for (const official of officials) {
    const key = personId(official).value;
    const known = persons.get(key);
    persons.set(
      key,
      known ? { ...known, id: { ...official.id, ...known.id }, terms: [...known.terms, ...official.terms] } : official,
    );
  }
  return [...persons.values()];
}

interface Held {
  readonly official: Official;
  readonly term: Term;
  readonly seat: Seat;
  readonly record: string;
}

async function* rowsOf(
  officials: readonly Official[],
  offices: readonly DistrictOffices[],
  social: readonly SocialMedia[],
  asOf: string,
  context: ImportContext,
): AsyncIterable<ImportRow> {
  const held = officials.flatMap((official) => official.terms.flatMap((term) => seatOf(official, term, context) ?? []));

  for (const { seat, record } of firstOf(held, ({ seat }) => seat.district.value)) {
    const { state, number } = seat;
    if (state && number !== undefined) yield congressDistrictRow(state, number, undefined, record);
    else yield state ? stateRow(state) : COUNTRY_ROW;
  }
  for (const { term, record } of firstOf(held, ({ term }) => partyOf(term) ?? '')) {
    const name = partyOf(term);
    if (name)
      yield {
        table: 'parties',
        record,
        ids: [{ scheme: 'name', value: name }],
        values: { name },
        match: { by: 'name' },
      };
  }
  for (const { seat, record } of firstOf(held, ({ seat }) => seat.id.value)) {
    yield {
      table: 'offices',
      record,
      ids: [seat.id],
      refs: { district_id: seat.district },
      values: seat.values,
      match: { by: 'office', alone: seat.state !== undefined },
    };
  }
  const byPerson = Map.groupBy(held, ({ official }) => official);
  for (const [official, terms] of byPerson) {
    yield personRow(
      official,
      terms.map(({ seat, term }) => ({ office: seat.id, start: term.start })),
      asOf,
    );
  }
  let done = 0;
  for (const { official, term, seat, record } of held) {
    const party = partyOf(term);
    yield {
      table: 'officeholders',
      record,
      ids: [holderId(official, term)],
      refs: {
        office_id: seat.id,
        person_id: personId(official),
        ...(party ? { partisan_affiliation: { scheme: 'name', value: party } } : {}),
      },
      values: { status: statusOf(term, asOf), start_date: term.start, end_date: term.end },
      match: { by: 'term' },
    };
    context.onRead(++done, held.length, 'rows');
  }
  yield* contactRows(held, offices, social, asOf, context);
}

function statusOf(term: Term, asOf: string): string {
  if (!isInEffect(term, asOf)) return 'Former';
  return term.how === 'appointment' ? 'Appointed' : 'Current';
}

async function* contactRows(
  held: readonly Held[],
  offices: readonly DistrictOffices[],
  social: readonly SocialMedia[],
  asOf: string,
  context: ImportContext,
): AsyncIterable<ImportRow> {
  for (const { official, term } of held) yield* termContacts(term, holderId(official, term));
  const current = new Map(
    held
      .filter(({ term }) => isInEffect(term, asOf))
      .map(({ official, term }) => [official.id.bioguide, holderId(official, term)]),
  );
  for (const entry of offices) {
    const holder = current.get(entry.id.bioguide);
    if (holder) yield* districtOfficeContacts(entry, holder);
    else
      context.report.add(
        context.report.locate(`${OFFICES} ${entry.id.bioguide}`, OFFICES),
        'left-out',
        `does not belong to an officeholder on ${asOf}`,
      );
  }
  for (const { entry, contacts } of socialContacts(social, context.report)) {
    const holder = current.get(entry.id.bioguide);
    if (!holder)
      context.report.add(
        context.report.locate(`${SOCIAL} ${entry.id.bioguide}`, SOCIAL),
        'left-out',
        `does not belong to an officeholder on ${asOf}`,
      );
    else for (const contact of contacts) yield { ...contact, refs: { officeholder_id: holder } };
  }
}

function seatOf(official: Official, term: Term, { report }: ImportContext): Held | undefined {
  const record = holderId(official, term).value;
  const seat = officeOf(term);
  if (typeof seat !== 'string') return { official, term, seat, record };
  report.add(record, 'left-out', seat);
  return undefined;
}

function partyOf({ party }: Term): string | null {
  if (!party) return null;
  return party in PARTIES ? (PARTIES[party] ?? null) : party;
}

function firstOf<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...new Map(items.toReversed().map((item) => [key(item), item])).values()].reverse();
}
