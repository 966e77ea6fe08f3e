/** The files of the exchange format that the sample brings, with their columns in the order in which they are written. */
export const columns = {
  districts: ['id', 'type', 'name', 'state', 'ocdid', 'geo_id', 'nces_id', 'url'],
  parties: ['id', 'name', 'url'],
  offices: ['id', 'district_id', 'name', 'type', 'level', 'branch', 'chamber', 'is_partisan', 'seat', 'url'],
  persons: ['id', 'name', 'first_name', 'last_name', 'url'],
  officeholders: ['id', 'office_id', 'person_id', 'status', 'partisan_affiliation', 'start_date', 'end_date'],
  contacts: ['officeholder_id', 'person_id', 'collection', 'contact_type', 'contact'],
} as const;

/** The name of a file of the dataset, without `.csv`. */
export type Table = keyof typeof columns;

type Cell = string | number | boolean | null | undefined;

/** One row of a table; a column that is absent, null or undefined is an empty cell. */
export type Row<T extends Table> = Partial<Record<(typeof columns)[T][number], Cell>>;

/** The rows of the whole sample. */
export type Dataset = { [T in Table]: Row<T>[] };

const cell = (value: Cell): string => {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** The CSV text (RFC 4180, lines ended by LF) of the rows of one table, in the order given. */
export function toCsv<T extends Table>(table: T, rows: Row<T>[]): string {
  const names: readonly (keyof Row<T> & string)[] = columns[table];
  const lines = rows.map((row) => names.map((name) => cell(row[name])).join(','));
  return [names.join(','), ...lines, ''].join('\n');
}
