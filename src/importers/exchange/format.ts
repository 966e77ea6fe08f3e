import type { RecordKind } from '../../store/sql/tables.ts';

/**
 * The type of the cells in a column. `ids` is a list, separated by `;`; `transfer` is a number of votes that may be negative and
 * a fraction; `intervals` are local times, separated by `;`: `2018-11-06T07:00/2018-11-06T19:00`; `translations` is a JSON object with
 * a `phrase` and perhaps a `label` by language.
 */
export type CellType =
  | 'id'
  | 'ids'
  | 'count'
  | 'transfer'
  | 'ordinal'
  | 'year'
  | 'boolean'
  | 'date'
  | 'state'
  | 'county'
  | 'zip'
  | 'longitude'
  | 'latitude'
  | 'text'
  | 'url'
  | 'image'
  | 'days'
  | 'time'
  | 'zone'
  | 'language'
  | 'intervals'
  | 'translations'
  | 'choice';

export interface Column {
  readonly name: string;
  readonly type: CellType;
  readonly required: boolean;
  /** The type of the database column. */
  readonly sqlType: string;
  /** All valid values of a `choice`. */
  readonly choices?: readonly string[];
  /** The table that an `id`, or each of the `ids`, references. */
  readonly references?: TableName;
  /** Stored in a separate table and not in a column of this name. */
  readonly apart?: true;
  /** The bytes of a name that no index holds as it is. */
  readonly longest?: number;
}

/** The bytes of the longest identifier, and of the question of a measure, which may have several paragraphs. */
export const LONGEST_TEXT = 100_000;

export type TableName =
  | 'districts'
  | 'boundaries'
  | 'newer_maps'
  | 'town_points'
  | 'zip_points'
  | 'parties'
  | 'offices'
  | 'persons'
  | 'officeholders'
  | 'contacts'
  | 'elections'
  | 'races'
  | 'candidates'
  | 'ranked_choice_rounds'
  | 'ballot_measures'
  | 'voting_places'
  | 'deadlines'
  | 'district_election_offices';

/** A table of the exchange format: its file, its columns, and the key of its rows. */
export interface DatasetTable {
  readonly name: TableName;
  readonly file: string;
  /**
   * The kind under which its rows have provenance; rounds belong to their candidate, newer maps have a citation each, and points
   * name their data set.
   */
  readonly kind: RecordKind | null;
  readonly columns: readonly Column[];
  /** True if a source states the record as a whole: hours or a rule that its newer edition leaves out are not kept. */
  readonly isWhole?: true;
  /** The columns that are unique within the file; none for contacts. */
  readonly key: readonly string[];
}

export const DISTRICT_TYPES = [
  'Country',
  'Congress',
  'State',
  'State Legislative (Upper)',
  'State Legislative (Lower)',
  'Judicial District',
  'County',
  'County subdivision',
  'City-town',
  'School District',
  'State subdivision',
  'Special district subdivision',
  'Judicial district subdivision',
  'Special District',
  'City-town subdivision',
  'School district subdivision',
  'Precinct',
] as const;

const VOTING_PLACE_KINDS = ['Election day', 'Early voting', 'Drop box', 'Vote center'] as const;

const DEADLINE_KINDS = [
  'Register online',
  'Register by mail, postmarked',
  'Register by mail, received',
  'Register in person',
  'Request ballot',
  'Return ballot, postmarked',
  'Return ballot, received',
  'Early voting from',
  'Early voting to',
] as const;

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const SQL_TYPES: Record<Exclude<CellType, 'choice'>, string> = {
  id: 'integer',
  ids: 'integer[]',
  count: 'bigint',
  transfer: 'numeric',
  ordinal: 'smallint',
  year: 'integer',
  boolean: 'boolean',
  date: 'date',
  state: 'char(2)',
  county: 'char(3)',
  zip: 'char(5)',
  longitude: 'double precision',
  latitude: 'double precision',
  text: 'text',
  url: 'text',
  image: 'text',
  days: 'smallint',
  time: 'text',
  zone: 'text',
  language: 'text',
  intervals: 'text[]',
  translations: 'jsonb',
};

type Extra = Partial<Pick<Column, 'references' | 'apart' | 'longest'>>;

const plain = (type: Exclude<CellType, 'choice'>) => ({
  optional: (name: string, extra: Extra = {}): Column => column(name, type, false, extra),
  required: (name: string, extra: Extra = {}): Column => column(name, type, true, extra),
});

function column(name: string, type: Exclude<CellType, 'choice'>, required: boolean, extra: Extra): Column {
  return { name, type, required, sqlType: SQL_TYPES[type], ...extra };
}

function choice(name: string, sqlType: string, choices: readonly string[], required: boolean): Column {
  return { name, type: 'choice', required, sqlType, choices };
}

const text = plain('text');
const url = plain('url');
const date = plain('date');
const flag = plain('boolean');
const count = plain('count');
const id = plain('id');
const ownId = id.required('id');
const POINT = [plain('longitude').required('longitude'), plain('latitude').required('latitude')];

/** The tables of the exchange format, referenced tables before those that refer to them. */
export const TABLES: readonly DatasetTable[] = [
  {
    name: 'districts',
    file: 'districts.csv',
    kind: 'district',
    key: ['id'],
    columns: [
      ownId,
      choice('type', 'district_type', DISTRICT_TYPES, true),
      text.required('name'),
      plain('state').optional('state'),
      text.optional('ocdid'),
      text.optional('geo_id'),
      text.optional('nces_id'),
      url.optional('url'),
    ],
  },
  {
    name: 'boundaries',
    file: 'boundaries.geojsonl',
    kind: 'boundary',
    key: ['district_id', 'start_date'],
    columns: [
      id.required('district_id', { references: 'districts' }),
      date.required('start_date'),
      date.optional('end_date'),
      flag.required('precise'),
    ],
  },
  {
    name: 'newer_maps',
    file: 'newer_maps.csv',
    kind: null,
    key: ['id'],
    columns: [
      ownId,
      plain('state').required('state'),
      choice('type', 'district_type', DISTRICT_TYPES, true),
      date.required('start_date'),
      text.required('citation'),
      url.optional('url'),
    ],
  },
  {
    name: 'town_points',
    file: 'town_points.csv',
    kind: null,
    key: ['name', 'state', 'county', ...POINT.map(({ name }) => name)],
    columns: [text.required('name'), plain('state').required('state'), plain('county').optional('county'), ...POINT],
  },
  {
    name: 'zip_points',
    file: 'zip_points.csv',
    kind: null,
    key: ['code'],
    columns: [plain('zip').required('code'), ...POINT],
  },
  {
    name: 'parties',
    file: 'parties.csv',
    kind: 'party',
    key: ['id'],
    columns: [ownId, text.required('name'), url.optional('url')],
  },
  {
    name: 'offices',
    file: 'offices.csv',
    kind: 'office',
    key: ['id'],
    columns: [
      ownId,
      id.required('district_id', { references: 'districts' }),
      text.required('name'),
      text.optional('type'),
      choice('level', 'office_level', ['Federal', 'State', 'Local'], true),
      choice('branch', 'office_branch', ['Legislative', 'Executive', 'Judicial'], true),
      choice('chamber', 'chamber', ['Upper', 'Lower'], false),
      text.optional('is_partisan'),
      text.optional('seat'),
      url.optional('url'),
    ],
  },
  {
    name: 'persons',
    file: 'persons.csv',
    kind: 'person',
    key: ['id'],
    columns: [
      ownId,
      text.required('name'),
      text.optional('first_name'),
      text.optional('last_name'),
      url.optional('url'),
      plain('image').optional('image_url'),
    ],
  },
  {
    name: 'officeholders',
    file: 'officeholders.csv',
    kind: 'officeholder',
    key: ['id'],
    columns: [
      ownId,
      id.required('office_id', { references: 'offices' }),
      id.required('person_id', { references: 'persons' }),
      text.required('status'),
      id.optional('partisan_affiliation', { references: 'parties' }),
      date.optional('start_date'),
      date.optional('end_date'),
    ],
  },
  {
    name: 'contacts',
    file: 'contacts.csv',
    kind: 'contact',
    key: [],
    columns: [
      id.optional('officeholder_id', { references: 'officeholders' }),
      id.optional('person_id', { references: 'persons' }),
      choice('collection', 'contact_collection', ['contact', 'social'], true),
      text.required('contact_type'),
      text.required('contact'),
    ],
  },
  {
    name: 'elections',
    file: 'elections.csv',
    kind: 'election',
    key: ['id'],
    columns: [
      ownId,
      date.required('date'),
      text.required('type'),
      id.required('district_id', { references: 'districts' }),
      text.optional('description'),
      flag.required('candidate_lists_complete'),
      choice('status', 'election_status', ['Scheduled', 'Postponed', 'Cancelled', 'Certified'], false),
      choice('voting', 'text', ['By mail only', 'Places not published'], false),
    ],
  },
  {
    name: 'races',
    file: 'races.csv',
    kind: 'race',
    key: ['id'],
    columns: [
      ownId,
      id.required('election_id', { references: 'elections' }),
      id.required('office_id', { references: 'offices' }),
      plain('year').required('year'),
      choice('type', 'text', ['Regular', 'Special', 'Recall', 'Retention'], true),
      text.required('stage_type'),
      text.optional('stage_party'),
      plain('ordinal').optional('number_of_seats'),
      flag.optional('is_marquee'),
      text.optional('office_position'),
      flag.optional('is_ranked_choice'),
      flag.optional('results_certified'),
      date.optional('swearing_in_date'),
      choice('scope_basis', 'scope_basis', ['Stated', 'Law', 'Same candidates', 'County'], false),
      url.optional('url'),
    ],
  },
  {
    name: 'candidates',
    file: 'candidates.csv',
    kind: 'candidate',
    key: ['id'],
    columns: [
      ownId,
      id.required('race_id', { references: 'races' }),
      id.required('person_id', { references: 'persons' }),
      plain('ids').optional('party_ids', { references: 'parties', apart: true }),
      text.optional('stage_party'),
      text.optional('running_mate'),
      text.optional('fec_id'),
      flag.optional('is_incumbent'),
      flag.optional('is_write_in'),
      flag.optional('withdrew_still_on_ballot'),
      text.optional('cand_status'),
      count.optional('votes_for_cand'),
    ],
  },
  {
    name: 'ranked_choice_rounds',
    file: 'ranked_choice_rounds.csv',
    kind: null,
    key: ['candidate_id', 'round'],
    columns: [
      id.required('candidate_id', { references: 'candidates' }),
      plain('ordinal').required('round'),
      plain('transfer').optional('votes_for'),
      text.optional('status'),
    ],
  },
  {
    name: 'ballot_measures',
    file: 'ballot_measures.csv',
    kind: 'ballot_measure',
    key: ['id'],
    columns: [
      ownId,
      id.required('election_id', { references: 'elections' }),
      id.required('district_id', { references: 'districts' }),
      text.required('name', { longest: LONGEST_TEXT }),
      text.optional('type'),
      text.optional('status'),
      text.optional('official_title'),
      text.optional('yes_vote'),
      text.optional('no_vote'),
      count.optional('yes_votes_total'),
      count.optional('no_votes_total'),
      url.optional('url'),
    ],
  },
  {
    name: 'voting_places',
    file: 'voting_places.csv',
    kind: 'voting_place',
    isWhole: true,
    key: ['id'],
    columns: [
      ownId,
      id.required('election_id', { references: 'elections' }),
      choice('kind', 'text', VOTING_PLACE_KINDS, true),
      text.required('name'),
      text.optional('address'),
      plain('state').optional('state'),
      plain('longitude').optional('longitude'),
      plain('latitude').optional('latitude'),
      text.optional('hours'),
      plain('intervals').optional('open_intervals'),
      plain('zone').optional('time_zone'),
      choice('status', 'text', ['Closed', 'Moved'], false),
      text.optional('moved_to'),
      text.optional('notes'),
      url.optional('url'),
      plain('ids').optional('district_ids', { references: 'districts' }),
    ],
  },
  {
    name: 'deadlines',
    file: 'deadlines.csv',
    kind: 'deadline',
    isWhole: true,
    key: ['id'],
    columns: [
      ownId,
      id.required('district_id', { references: 'districts' }),
      id.optional('election_id', { references: 'elections' }),
      choice('kind', 'text', DEADLINE_KINDS, true),
      text.optional('phrase'),
      plain('language').optional('language'),
      plain('translations').optional('translations'),
      plain('days').optional('days_before'),
      choice('day_kind', 'text', ['Calendar', 'Business'], false),
      choice('weekday', 'text', WEEKDAYS, false),
      date.optional('day'),
      plain('time').optional('time'),
      plain('zone').optional('time_zone'),
      date.optional('as_of'),
      url.optional('url'),
    ],
  },
  {
    name: 'district_election_offices',
    file: 'district_election_offices.csv',
    kind: 'election_office',
    key: ['id'],
    columns: [
      ownId,
      id.required('district_id', { references: 'districts' }),
      text.required('name'),
      url.required('website'),
      date.required('as_of'),
    ],
  },
];

const byName = new Map(TABLES.map((table) => [table.name, table]));

export function tableOf(name: TableName): DatasetTable {
  const table = byName.get(name);
  if (!table) throw new Error(`The exchange format has no table ${name}`);
  return table;
}
