/** The files of the exchange format in the sample, with their columns in the order in which they are written. */
export const columns = {
  districts: ['id', 'type', 'name', 'state', 'ocdid', 'geo_id', 'nces_id', 'url'],
  town_points: ['name', 'state', 'county', 'longitude', 'latitude'],
  zip_points: ['code', 'longitude', 'latitude'],
  parties: ['id', 'name', 'url'],
  offices: ['id', 'district_id', 'name', 'type', 'level', 'branch', 'chamber', 'is_partisan', 'seat', 'url'],
  persons: ['id', 'name', 'first_name', 'last_name', 'url'],
  officeholders: ['id', 'office_id', 'person_id', 'status', 'partisan_affiliation', 'start_date', 'end_date'],
  contacts: ['officeholder_id', 'person_id', 'collection', 'contact_type', 'contact'],
  elections: ['id', 'date', 'type', 'district_id', 'description', 'candidate_lists_complete'],
  races: [
    'id',
    'election_id',
    'office_id',
    'year',
    'type',
    'stage_type',
    'stage_party',
    'number_of_seats',
    'is_marquee',
    'office_position',
    'is_ranked_choice',
    'results_certified',
    'swearing_in_date',
    'url',
  ],
  candidates: [
    'id',
    'race_id',
    'person_id',
    'party_ids',
    'stage_party',
    'running_mate',
    'fec_id',
    'is_incumbent',
    'is_write_in',
    'withdrew_still_on_ballot',
    'cand_status',
    'votes_for_cand',
  ],
  ranked_choice_rounds: ['candidate_id', 'round', 'votes_for', 'status'],
  ballot_measures: [
    'id',
    'election_id',
    'district_id',
    'name',
    'type',
    'status',
    'official_title',
    'yes_vote',
    'no_vote',
    'yes_votes_total',
    'no_votes_total',
    'url',
  ],
} as const;

/** The name of a file of the dataset, without `.csv`. */
export type Table = keyof typeof columns;

type Cell = string | number | boolean | null | undefined;

/** One row of a table; a column that is absent, null or undefined is an empty cell. */
export type Row<T extends Table> = Partial<Record<(typeof columns)[T][number], Cell>>;

/** The rows of the whole sample, without the points of other folders. */
export type Dataset = { [T in Exclude<Table, 'town_points' | 'zip_points'>]: Row<T>[] };

const cell = (value: Cell): string => {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Returns the CSV text (RFC 4180, lines ended by LF) of the rows of one table, in the given order. */
export function toCsv<T extends Table>(table: T, rows: Row<T>[]): string {
  const names: readonly (keyof Row<T> & string)[] = columns[table];
  const lines = rows.map((row) => names.map((name) => cell(row[name])).join(','));
  return [names.join(','), ...lines, ''].join('\n');
}
