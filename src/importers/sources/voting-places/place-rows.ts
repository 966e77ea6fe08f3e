import { isCalendarDate } from '../../../base/dates.ts';
import { type State, stateByPostal } from '../../../base/words/states.ts';
import { readCsvTable } from '../../read/csv-tables.ts';
import { findFiles } from '../../read/read-files.ts';
import { PLACE_KINDS, type PlaceField } from './place-presets.ts';

/** A row of a file: one place for the voters of one district. */
export interface PlaceRow {
  readonly record: string;
  readonly file: string;
  readonly line: number;
  readonly state: State;
  readonly date: string;
  readonly kind: string;
  /** The parts of the place by their fields. */
  readonly parts: Readonly<Partial<Record<PlaceField, string>>>;
  /** The texts of each join, in its order; empty ones are left out. */
  readonly districts: readonly { readonly type: string; readonly name: string; readonly county?: string }[];
}

/** A row that states no place of an election. */
interface Refused extends Pick<PlaceRow, 'record' | 'file' | 'line'> {
  readonly reason: string;
  readonly detail: string;
}

/** Reads the rows of all files, and what cannot be read of them; `asOf` is the last day that a row states for itself. */
export async function readRows(
  paths: readonly string[],
  fields: Readonly<Partial<Record<PlaceField, string>>>,
  join: Readonly<Record<string, string>>,
): Promise<{ rows: PlaceRow[]; refused: Refused[]; asOf: string | undefined }> {
  const rows: PlaceRow[] = [];
  const refused: Refused[] = [];
  let asOf: string | undefined;
  const joins = Object.entries(join).map(([columns, type]) => ({ columns: columns.split('+'), type }));
  const wanted = Object.entries(fields).map(([field, columns]) => [field, columns.split('+')] as const);
  const needed = [
    ...new Set([...wanted.flatMap(([, columns]) => columns), ...joins.flatMap(({ columns }) => columns)]),
  ];
  for (const file of await findFiles(paths, ['.csv']))
    await readCsvTable(file, needed, ({ line, cell }) => {
      const text = (columns: readonly string[]) => tidy(columns.map(cell).filter(Boolean).join(' '));
      const parts: PlaceRow['parts'] = Object.fromEntries(wanted.map(([field, columns]) => [field, text(columns)]));
      const record = `${file.name}:${line} (${parts.name})`;
      const [state, kind] = [stateByPostal(parts.state ?? ''), PLACE_KINDS.get(parts.kind ?? '')];
      const { date = '', 'as-of': day } = parts;
      if (day && isCalendarDate(day) && day > (asOf ?? '')) asOf = day;
      const isDay = isCalendarDate(date);
      const refuse = (reason: string, detail = '') => refused.push({ record, file: file.name, line, reason, detail });
      if (!state) refuse('its state is none of two letters', parts.state);
      else if (!isDay) refuse('the day of its election is no date YYYY-MM-DD', date);
      else if (!kind) refuse('its kind is not known', parts.kind);
      else if (!parts.name) refuse('the place has no name', parts.address);
      else {
        const districts = joins.flatMap(({ columns, type }) => {
          const county = type === 'County' ? undefined : columns.find((column) => column === fields.county);
          const name = text(columns.filter((column) => column !== county));
          return name === '' ? [] : [{ type, name, ...(county && { county: cell(county) }) }];
        });
        rows.push({ record, file: file.name, line, state, date, kind, parts, districts });
      }
    });
  return { rows, refused, asOf };
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
