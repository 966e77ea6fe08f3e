import { normalName } from '../../../base/words/normal-name.ts';
import { DISTRICT_TYPES } from '../../exchange/format.ts';
import {
  type Edition,
  type ExternalId,
  type ImportContext,
  ImportError,
  type ImportRow,
  type OpenedSource,
} from '../../exchange/import-rows.ts';
import type { Report } from '../../exchange/report.ts';
import { statePlace } from '../../facts/places.ts';
import { refuseOlder } from '../../load/editions/replace-editions.store.ts';
import { provenanceOf } from '../../read/provenance.ts';
import { joinDistricts } from './join-districts.ts';
import { electionsOfStates, type StoredElection } from './known-records.store.ts';
import { PLACE_FIELDS, PLACE_PRESETS, type PlaceField } from './place-presets.ts';
import { type PlaceRow, readRows } from './place-rows.ts';

export interface VotingPlaceOptions {
  readonly preset?: string;
  /** The column of each part of a place, in addition to those of the preset. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The type of the districts that columns name: `{precinct_id: 'Precinct'}`; columns joined by `+` are one name. */
  readonly join?: Readonly<Record<string, string>>;
  /** The type of elections that are not stored, and which one is meant of several on a day. */
  readonly electionType?: string;
  readonly asOf?: string;
  readonly name?: string;
  readonly source?: string;
  readonly license?: string;
}

const NEEDED = ['date', 'state', 'kind', 'name'] as const;
/** A file, or several that are imported together, have all places of a state and a day. */
const FILE = 'voting places';

/** Opens tables of places to vote: CSV, of which a preset or the operator declares the columns. */
export async function openVotingPlaces(paths: readonly string[], options: VotingPlaceOptions): Promise<OpenedSource> {
  const preset = options.preset === undefined ? undefined : PLACE_PRESETS[options.preset];
  const presets = Object.keys(PLACE_PRESETS).join(', ');
  if (options.preset !== undefined && !preset)
    throw new ImportError(`There is no preset ${options.preset} of voting-places; the presets are ${presets}`);
  const fields: Readonly<Partial<Record<PlaceField, string>>> = { ...preset?.fields, ...options.fields };
  const unknown = Object.keys(fields).find((field) => !(PLACE_FIELDS as readonly string[]).includes(field));
  if (unknown) throw new ImportError(`${unknown} is no part of a place; the parts are ${PLACE_FIELDS.join(', ')}`);
  for (const needed of NEEDED)
    if (fields[needed] === undefined)
      throw new ImportError(
        `voting-places needs the column of the ${needed}: --preset (${presets}), or --fields ${NEEDED.map((each) => `${each}=…`).join(',')}`,
      );
  const { join = {} } = options;
  const type = Object.values(join).find((each) => !(DISTRICT_TYPES as readonly string[]).includes(each));
  if (type) throw new ImportError(`--join …=${type}: the type must be one of: ${DISTRICT_TYPES.join(', ')}`);
  const read = await readRows(paths, fields, join);
  const asOf = options.asOf ?? read.asOf;
  if (asOf === undefined) throw new ImportError('voting-places needs --as-of, the day of its edition, YYYY-MM-DD');
  const provenance = provenanceOf(paths, { ...options, asOf }, preset);
  const editions: Edition[] = [];
  return {
    provenance,
    editions: () => editions,
    rows: async function* (context) {
      const { report } = context;
      for (const { record, file, line } of [...read.rows, ...read.refused]) report.locate(record, file, line);
      for (const { record, reason, detail } of read.refused) report.add(record, 'left-out', reason, detail);
      const all = await withElections(read.rows, options.electionType, context);
      editions.push(...all.map(editionOf));
      await refuseOlder(context.db, provenance, editions);
      yield* rowsOf(all, context);
    },
  };
}

/** The places of a state on a day. */
interface PlacesOfDay {
  readonly rows: readonly PlaceRow[];
  readonly election: ImportRow;
}

/** A newer edition replaces the places of a state and day whose election is known. */
function editionOf({ election }: PlacesOfDay): Edition {
  const [state = '', day = ''] = election.record.split(' ');
  return { state, day, file: FILE };
}

/** Returns the rows of each state and day with their election. Those without are left out and reported. */
async function withElections(
  all: readonly PlaceRow[],
  type: string | undefined,
  { db, report }: ImportContext,
): Promise<readonly PlacesOfDay[]> {
  const stored = await electionsOfStates(db, [...new Set(all.map(({ date }) => date))]);
  return [...Map.groupBy(all, ({ state, date }) => `${state.postal} ${date}`).values()].flatMap((rows) => {
    const election = electionOf(rows, stored, type, report);
    return election ? [{ rows, election }] : [];
  });
}

async function* rowsOf(all: readonly PlacesOfDay[], context: ImportContext): AsyncIterable<ImportRow> {
  for (const { election } of all) yield election;
  for (const [index, { rows, election }] of all.entries()) {
    const districtsOf = await joinDistricts(rows, context);
    for (const place of Map.groupBy(rows, keyOf).values()) yield placeRow(place, election, districtsOf);
    context.onRead(index + 1, all.length, 'rows');
  }
}

/** Returns the election of a state on a day: the only stored one, or that of the given type. Undefined, and reported, if it is not known. */
function electionOf(
  [first]: readonly PlaceRow[],
  stored: readonly StoredElection[],
  type: string | undefined,
  report: Report,
): ImportRow | undefined {
  if (!first) return undefined;
  const { state, date } = first;
  const ofDay = stored.filter((each) => each.state === state.postal && each.date === date);
  const [found, another] = type === undefined ? ofDay : ofDay.filter((each) => each.type === type);
  const record = `${state.postal} ${date}`;
  if (another || (!found && type === undefined)) {
    const types = ofDay.map((each) => each.type).join(', ');
    report.add(
      record,
      'left-out',
      'the state has … on the day: --election-type says which election the places are of',
      types === '' ? 'no election' : `several elections (${types})`,
    );
    return undefined;
  }
  const place = statePlace(state);
  const values = { date, type: found?.type ?? type ?? '', candidate_lists_complete: found?.isComplete ?? false };
  return {
    table: 'elections',
    record,
    ids: [{ scheme: 'election', value: `${place.id.value} ${date} ${values.type}` }],
    refs: { district_id: place.id },
    values,
    match: { by: 'election' },
  };
}

/** What two rows of one place have in common; towns of a state may have a street and a hall of the same name. */
function keyOf({ kind, parts }: PlaceRow): string {
  const { county, jurisdiction, name, address } = parts;
  const own = [county, jurisdiction, name, address].map((part) => normalName(part ?? ''));
  const exact = (['hours', 'intervals', 'status', 'moved-to', 'longitude', 'latitude'] as const).map(
    (part) => parts[part],
  );
  return [kind, ...own, ...exact].join(' | ');
}

function placeRow(
  rows: readonly PlaceRow[],
  election: ImportRow,
  districtsOf: (row: PlaceRow) => number | undefined,
): ImportRow {
  const [first] = rows as [PlaceRow, ...PlaceRow[]];
  const { record, state, kind, parts } = first;
  const ids = new Set(rows.flatMap((row) => districtsOf(row) ?? []));
  const notes = new Set(rows.flatMap((row) => [votersOf(row), row.parts.notes ?? ''].filter(Boolean)));
  const [of] = election.ids as [ExternalId];
  return {
    table: 'voting_places',
    record,
    ids: [{ scheme: 'voting-place', value: `${of.value} ${keyOf(first)}` }],
    refs: { election_id: of },
    values: {
      kind,
      state: state.postal,
      name: parts.name,
      address: parts.address,
      longitude: parts.longitude,
      latitude: parts.latitude,
      hours: parts.hours,
      open_intervals: parts.intervals,
      time_zone: parts['time-zone'],
      status: parts.status,
      moved_to: parts['moved-to'],
      url: parts.url,
      notes: [...notes].join('; '),
      district_ids: [...ids].sort((a, b) => a - b).join(';'),
    },
    editions: [editionOf({ rows, election })],
  };
}

/** Returns for whom the place is, if the file says more than its town or the name of the place: `Burlington - Ward 1`. */
function votersOf({ parts: { voters = '', jurisdiction = '', county = '', name = '' } }: PlaceRow): string {
  const known = [jurisdiction, county, name].map(normalName);
  return known.includes(normalName(voters)) ? '' : voters;
}
