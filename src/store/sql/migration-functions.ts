/** The functions that the migrations define, with the types of their arguments and values: the only place where their names are written. */
import { type Expression, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Day } from '../../base/dates.ts';
import type { ColumnOf } from './functions.ts';
import type { Boundary, DistrictType, NewerMap, Officeholder, Race } from './tables.ts';

/** An error that names a field of the schema that must not be null (migration 0012). */
export const missing = (coordinate: string): RawBuilder<string> => sql`missing(${sql.lit(coordinate)})`;

/** What the database contains for a state in one layer, and what it lacks (migration 0029). */
interface LayerOfState {
  ordinal: number;
  layer: string;
  kind: string | null;
  records: number;
  covered: number;
  first_day: Day | null;
  last_day: Day | null;
  as_of: Day | null;
  missing: string | null;
}

/** The layers of a state (two letters) on a day, as a FROM item (migration 0029). */
export const coverageOn = (day: Expression<Day>, state: Expression<string>) =>
  sql<LayerOfState>`coverage_on(${day}, ${state})`;

/** The layers of places to vote and deadlines of a state on a day, as a FROM item (migration 0076). */
export const coverageOfVoting = (day: Expression<Day>, state: Expression<string>) =>
  sql<LayerOfState>`coverage_of_voting(${day}, ${state})`;

/** The words of columns of a row; an index has those of the columns that are searched (migration 0039). */
export const wordsOf = (columns: readonly Expression<string | null>[]): RawBuilder<unknown> =>
  sql`search_words(${sql.join(columns)})`;

/** Whether each word of a text begins a word of the columns, in any order. */
export const hasWords = (columns: readonly Expression<string | null>[], text: string): RawBuilder<SqlBool> =>
  sql`${wordsOf(columns)} @@ (select words_query(${text}::text))`;

/** The day that a rule gives for an election; null if it is not understood, or may be another one (migration 0074). */
export const deadlineDay = (
  election: Expression<Day>,
  daysBefore: Expression<number | null>,
  dayKind: Expression<string | null>,
  weekday: Expression<string | null>,
): RawBuilder<Day | null> => sql`deadline_day(${election}, ${daysBefore}, ${dayKind}, ${weekday})`;

/** The boundaries in effect on a day, as a FROM item (specification, Boundary-in-effect rules). */
export const boundariesInEffect = (day: Expression<Day>) => sql<Selectable<Boundary>>`boundaries_in_effect(${day})`;

/** The boundaries that races with a reference day use, as a FROM item (specification, Boundary-in-effect rules, 3 to 5). */
export const boundariesForRaces = (day: Expression<Day>) => sql<Selectable<Boundary>>`boundaries_for_races(${day})`;

/** A boundary that is out of date on a day, because a newer map is in effect that is not loaded (migration 0058). */
export interface OutdatedBoundary {
  id: number;
  district_id: number;
  since: Day;
  citation: string;
  url: string | null;
  sentence: string;
}

/** The boundaries that are out of date on a day, as a FROM item. */
export const outdatedBoundaries = (day: Expression<Day>) => sql<OutdatedBoundary>`outdated_boundaries(${day})`;

/** The newer maps that are loaded, as a FROM item (migration 0058). */
export const loadedNewerMaps = () => sql<Selectable<NewerMap>>`loaded_newer_maps()`;

/** How far the outlines of two layers are apart, as a FROM item (migration 0059). */
export const outlineDifferences = () =>
  sql<{
    layer: string;
    other_layer: string;
    metres: number;
  }>`(select layer, other_layer::text, metres from outline_differences)`;

/** The boundaries of all districts of a type and state on a day, as one map, as a FROM item (migration 0050). */
export const mapOn = (day: Expression<Day>, type: Expression<DistrictType>, state: Expression<string | null>) =>
  sql<Selectable<Boundary>>`map_on(${day}, ${type}, ${state})`;

/** The id of the stored comparison of the map that begins on a day with that of the day before; null if there is none (migration 0053). */
export const comparedMap = (day: Expression<Day>, type: Expression<DistrictType>, state: Expression<string | null>) =>
  sql<number | null>`compared_map(${day}, ${type}, ${state})`;

/** A district on one of two maps, or what a district of either map have in common (migration 0050). */
export interface MapOverlap {
  old_district: number | null;
  old_boundary: number | null;
  new_district: number | null;
  new_boundary: number | null;
  area: number;
  perimeter: number | null;
  precise: boolean;
}

/** The overlaps of the map that begins on a day with that of the day before, as a FROM item; all of them without `only`. */
export const mapOverlaps = (
  day: Expression<Day>,
  type: Expression<DistrictType>,
  state: Expression<string | null>,
  only?: { readonly side: 'old' | 'new'; readonly district: Expression<number> },
) => {
  const one = only ? sql`, ${sql.raw(`only_${only.side}`)} => ${only.district}` : sql``;
  return sql<MapOverlap>`map_overlaps(${day}, ${type}, ${state}${one})`;
};

/** A district in which an area lies, or that lies in a district, with the share of what lies in the other one (migration 0059). */
interface DistrictShare {
  district_id: number;
  area_share: number;
}
type Types = Expression<readonly DistrictType[] | null>;

/** The districts in which the area of a ZIP code lies, as a FROM item. */
export const sharesOfZip = (code: Expression<string>, types: Types, day: Expression<Day>) =>
  sql<DistrictShare>`shares_of_zip(${code}, ${types}, ${day})`;

/** The states of which ZIP areas are loaded, as a FROM item (migration 0059). */
export const statesOfZipAreas = sql<{ state: string | null }>`states_of_zip_areas()`;

/** The districts in which pieces that somebody drew lie, as a FROM item. */
export const sharesOfDrawing = (pieces: Expression<unknown>, types: Types, day: Expression<Day>) =>
  sql<DistrictShare>`shares_of_area(array(${pieces}), null, null, null, ${types}, ${day})`;

/** The districts in which the district of a boundary lies, as a FROM item. */
export const sharesOfBoundary = (boundary: Expression<number>, types: Types, day: Expression<Day>) =>
  sql<DistrictShare>`shares_of_boundary(${boundary}, ${types}, ${day})`;

/** The districts that lie in the district of a boundary, at least those with this share, as a FROM item. */
export const sharesWithin = (
  boundary: Expression<number>,
  types: Types,
  day: Expression<Day>,
  minimum: Expression<number>,
) => sql<DistrictShare>`shares_within(${boundary}, ${types}, ${day}, ${minimum})`;

/** How much work it is to compare the district of a boundary with others, in records that take as long (migration 0059). */
export const workOfShares = (boundary: Expression<number>, minimum: Expression<number>): RawBuilder<number> =>
  sql`work_of_shares(${boundary}, ${minimum})`;

/** A type of districts of which a ballot lacks the map (migration 0058). */
export interface MissingMap {
  state: string;
  type: DistrictType;
  day: Day;
  reason: string | null;
  race_count: number;
}

/** The types of districts of states, of which the codes are separated by commas, whose map the ballot of a day lacks, as a FROM item. */
export const missingMaps = (date: Expression<Day>, states: Expression<string>) =>
  sql<MissingMap>`missing_maps(${date}, string_to_array(${states}, ','))`;

/**
 * The nearest edge of a boundary to a point as a FROM item with one row: the distance in metres, and the point that is a
 * number of metres beyond it, null on the edge itself (migration 0051).
 */
export const nearestEdge = (
  boundary: Expression<string>,
  { longitude, latitude }: { readonly longitude: Expression<number>; readonly latitude: Expression<number> },
  ahead: Expression<number>,
) => sql<{ distance: number; beyond: string }>`nearest_edge(${boundary}, ${longitude}, ${latitude}, ${ahead})`;

/** The day on which the winner of a race is sworn in: as the source states it, or the first day of the term (migration 0060). */
export const swearingInDate = (race: ColumnOf<Pick<Selectable<Race>, 'swearing_in_date' | 'term_start_date'>>) =>
  sql<Day | null>`coalesce(${race('swearing_in_date')}, ${race('term_start_date')})`;

/** The day that determines the boundary of a race, whose columns `race` returns. */
export const raceReferenceDay = (
  race: ColumnOf<Pick<Selectable<Race>, 'type' | 'year' | 'swearing_in_date' | 'term_start_date'>>,
  electionDate: Expression<Day>,
): RawBuilder<Day> =>
  sql`race_reference_day(${race('type')}, ${race('year')}, ${swearingInDate(race)}, ${electionDate})`;

/** The terms of those who hold their offices on a day, as a FROM item. */
export const officeholdersInOffice = (day: Expression<Day>) =>
  sql<Selectable<Officeholder>>`officeholders_in_office(${day})`;

/** All terms with their status on a day, as a FROM item. */
export const officeholdersWithStatus = (day: Expression<Day>) =>
  sql<Selectable<Officeholder>>`officeholders_with_status(${day})`;

/** The key of an election: its number encrypted. */
export const electionKey = (id: Expression<number>): RawBuilder<string> => sql`election_key(${id})`;

/** The number of the election with a key. */
export const electionNumber = (key: Expression<string>): RawBuilder<number> => sql`election_number(${key})`;

/** Like `electionNumber`, but the statement fails if the key is that of no election (see `toServiceError`). */
export const electionNumberInCursor = (key: Expression<string>): RawBuilder<number> =>
  sql`election_number_in_cursor(${key})`;

/**
 * The full-text query for the words of a text, each the beginning of a word (migration 0039).
 * @param forms the JSON of other forms of words, with which fewer words have to match.
 */
export const queryOfWords = (text: string | Expression<string>, forms?: string): RawBuilder<unknown> =>
  forms === undefined ? sql`words_query(${text}::text)` : sql`words_query(${text}::text, ${forms}::jsonb)`;

/** Whether words match a full-text query. */
export const matches = (words: Expression<unknown>, asked: Expression<unknown>): RawBuilder<SqlBool> =>
  sql`${words} @@ ${asked}`;

/** The full-text query for what a query finds and an exact one does not; null if they are equal. */
export const withoutExact = (asked: Expression<unknown>, exact: Expression<unknown>): RawBuilder<unknown> =>
  sql`nullif(${asked}, ${exact}) && !!${exact}`;

/**
 * The cursor of the change with a number: encrypted, as gaps between numbers are of changes that a caller may not see (migration 0078).
 * @param newest what the reader knows by `changeNewest`; by default nothing that is newer.
 */
export const changeCursor = (number: Expression<number>, newest?: Expression<Buffer>): RawBuilder<string> =>
  newest ? sql`change_cursor(${number}, ${newest})` : sql`change_cursor(${number})`;

/** The newest change whose values a reader with a cursor may have from now on (migration 0078). */
export const changeNewest = (number: Expression<number>, cursor: Expression<string | null>): RawBuilder<Buffer> =>
  sql`change_newest(${number}, ${cursor})`;

/** The number of the change with a cursor; null if the database has, or had, no such change, or lost the newest one (migration 0078). */
export const changeNumber = (cursor: Expression<string | null>): RawBuilder<number | null> =>
  sql`change_number(${cursor})`;

/** Keeps the newest of older changes of each record, some at once; whether some are left (migration 0078). */
export const compactChanges = (keptDays: number, atMost: number): RawBuilder<boolean> =>
  sql`ballotgraph_compact_changes(${keptDays}, ${atMost})`;

/** Removes older deletions, some at once; whether some are left (migration 0078). */
export const dropDeletions = (keptDays: number, atMost: number): RawBuilder<boolean> =>
  sql`ballotgraph_drop_deletions(${keptDays}, ${atMost})`;
