import { type Expression, expressionBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Day } from '../../base/dates.ts';
import { rowNumber } from '../../store/sql/aggregates.ts';
import type { Database } from '../../store/sql/database.ts';
import {
  absolute,
  anyIn,
  anyOf,
  columnsOf,
  cosine,
  greatest,
  inRadians,
  least,
  minus,
  over,
  plus,
  positionIn,
  remainder,
  sine,
  times,
  typed,
  unnested,
} from '../../store/sql/functions.ts';
import { directionFrom, latitudeOf, longitudeOf, pointOnLine } from '../../store/sql/geometry-functions.ts';
import {
  boundariesInEffect,
  matches,
  queryOfWords,
  sharesOfZip,
  statesOfZipAreas,
  wordsOf,
} from '../../store/sql/migration-functions.ts';
import { fixedQueries, rowsOf } from '../../store/sql/named-query.ts';
import type { ParameterOf } from '../../store/sql/parameter.ts';
import { materialized, query } from '../../store/sql/query-builder.ts';
import type { AddressStreet, District, DistrictType } from '../../store/sql/tables.ts';
import { isSimilar, lengthOf, plainName, similarityOf } from '../../store/sql/text-functions.ts';
import { DISTRICT, type DistrictRow } from '../districts/districts.store.ts';
import type { SourceRow } from '../provenance/provenance.store.ts';
import { sourceRows } from '../provenance/provenance.store.ts';

/** An address point or an interpolated point with its street. */
export type AddressRow = Awaited<ReturnType<typeof addressesAt>>[number];

export interface StreetSearch {
  /** Names without direction and suffix, one of which the street may have. */
  readonly cores: readonly string[];
  /** The spellings of these names; see the table `street_spellings`. */
  readonly spellings: readonly string[];
  /** The beginning of a name; undefined if no name is unfinished. */
  readonly beginning: string | undefined;
  /** Names of towns that the text may contain, whose streets come first. */
  readonly towns: readonly string[];
  readonly state: string | undefined;
}

/** How many addresses are compared with a text. */
const MOST_ADDRESSES = 400;
const MOST_STREETS = 60;
/** How far from the line of a street an interpolated point is, in degrees of latitude: about 8 metres. */
const OFFSET = 7e-5;

/** Returns whether any address point or address range is loaded. */
export async function hasAddresses(db: Database): Promise<boolean> {
  const found = query.selectNoFrom(({ or, exists, selectFrom }) =>
    or([
      exists(selectFrom('address_points as p').select('p.id')),
      exists(selectFrom('address_ranges as r').select('r.id')),
    ])
      .$castTo<boolean>()
      .as('found'),
  );
  const [row] = await rowsOf(db, 'places.has-addresses', found);
  return row?.found ?? false;
}

/** The columns of a street `s`. */
const STREET = ['s.id as street_id', 's.state', 's.town', 's.town_label', 's.words', 's.label', 's.core'] as const;
/** The columns of an address point `p`. */
const POINT = ['p.number', 'p.number_suffix', 'p.zip', 'p.source_id'] as const;
/** The columns of an `AddressRow` except its coordinates and whether it is interpolated, in the order of a union. */
const ADDRESS = [
  'street_id',
  'state',
  'town',
  'town_label',
  'words',
  'label',
  'core',
  'number',
  'number_suffix',
  'zip',
  'source_id',
] as const;

/** How many names that begin with a text are searched. */
const MOST_BEGINNINGS = 50;

/** A search for addresses. */
interface AddressSearch {
  readonly search: StreetSearch;
  /** The house number; undefined if it is not known. */
  readonly number: number | undefined;
}

/** What the text of a statement depends on. */
const formOf = ({ search, number }: AddressSearch) => ({
  isUnfinished: search.beginning !== undefined,
  isInState: search.state !== undefined,
  isNumbered: number !== undefined,
});
type Form = ReturnType<typeof formOf>;

/** Begins a query with the streets that a search finds, as the common tables `core` and `street`. */
function withStreets(parameter: ParameterOf<AddressSearch>, { isUnfinished, isInState }: Form) {
  const spelled = query
    .selectFrom('street_spellings as x')
    .select('x.core')
    .distinct()
    .where('x.spelling', '=', anyIn(parameter('text[]', ({ search }) => search.spellings)));
  const beginning = parameter('text', ({ search }) => search.beginning ?? null);
  const end = parameter('text', ({ search }) => `${search.beginning}\u{10ffff}`);
  const state = parameter('text', ({ search }) => search.state ?? null);
  return query
    .with(materialized('core'), () =>
      !isUnfinished
        ? spelled
        : spelled.union(({ parens }) =>
            parens(
              query
                .selectFrom('address_streets as s')
                .select('s.core')
                .distinct()
                .where('s.core', '>=', beginning)
                .where('s.core', '<', end)
                .orderBy('s.core')
                .limit(sql.lit(MOST_BEGINNINGS)),
            ),
          ),
    )
    .with(materialized('street'), (db) => {
      const streets = db.selectFrom('core').innerJoin('address_streets as s', 's.core', 'core.core').selectAll('s');
      return isInState ? streets.where('s.state', '=', state) : streets;
    });
}

/** What a street `s` is compared by: those of a named town come first, then those with a name as typed. */
function ranksOf(parameter: ParameterOf<AddressSearch>) {
  const street = columnsOf<Selectable<AddressStreet>>('s');
  const eb = expressionBuilder();
  return {
    isOfTown: eb(street('town'), '=', anyIn(parameter('text[]', ({ search }) => search.towns))),
    hasName: eb(street('core'), '=', anyIn(parameter('text[]', ({ search }) => search.cores))),
  };
}

/** How far on either side of a point of a street its direction is measured, as a fraction of the range. */
const MEASURED = 0.01;
const QUARTER_TURN = Math.PI / 2;

const findAt = fixedQueries('places.addresses', formOf, (parameter, form) => {
  const { isOfTown, hasName } = ranksOf(parameter);
  const number = parameter('int', ({ number }) => number ?? null);
  return withStreets(parameter, form)
    .with(materialized('point'), (db) =>
      db
        .selectFrom('street as s')
        .crossJoinLateral(({ selectFrom, ref }) =>
          selectFrom('address_points as a')
            .distinctOn(['a.zip', 'a.number_suffix'])
            .selectAll('a')
            .where('a.street_id', '=', ref('s.id'))
            .where('a.number', '=', number)
            .orderBy('a.zip')
            .orderBy('a.number_suffix')
            .orderBy('a.priority')
            .orderBy('a.id')
            .as('p'),
        )
        .select([...STREET, ...POINT])
        .select(({ ref }) => [longitudeOf(ref('p.point')).as('longitude'), latitudeOf(ref('p.point')).as('latitude')])
        .orderBy(isOfTown, 'desc')
        .orderBy(hasName, 'desc')
        .orderBy('s.id')
        .limit(sql.lit(MOST_ADDRESSES)),
    )
    .with(materialized('range'), (db) =>
      db
        .selectFrom('street as s')
        .crossJoinLateral(({ selectFrom, ref }) =>
          selectFrom('address_ranges as a')
            .distinctOn('a.zip')
            .selectAll('a')
            .where('a.street_id', '=', ref('s.id'))
            .where(({ between, ref }) => {
              const ends = [ref('a.from_number'), ref('a.to_number')] as const;
              return between(number, least(...ends), greatest(ends));
            })
            .where(({ eb, or, ref }) =>
              or([ref('a.is_mixed'), eb(remainder(minus(ref('a.from_number'), number), 2), '=', 0)]),
            )
            .orderBy('a.zip')
            .orderBy('a.is_mixed')
            .orderBy(({ ref }) => absolute(minus(ref('a.to_number'), ref('a.from_number'))))
            .orderBy('a.id')
            .as('r'),
        )
        .where('s.id', 'not in', (db) => db.selectFrom('point').select('point.street_id'))
        .select([...STREET, 'r.zip', 'r.line', 'r.side', 'r.source_id'])
        .select(({ eb, ref }) => {
          const [from, to] = [ref('r.from_number'), ref('r.to_number')];
          const within = over(typed('float8', minus(number, from)), minus(to, from));
          return [
            number.as('number'),
            typed('text', '').as('number_suffix'),
            eb.case().when(from, '=', to).then(sql.lit<number>(0.5)).else(within).end().as('fraction'),
          ];
        })
        .orderBy(isOfTown, 'desc')
        .orderBy(hasName, 'desc')
        .orderBy('s.id')
        .limit(sql.lit(MOST_ADDRESSES)),
    )
    .with('at', (db) =>
      db
        .selectFrom('range')
        .selectAll('range')
        .select(({ eb, ref }) => {
          const [line, fraction] = [ref('range.line'), ref('range.fraction')];
          const before = pointOnLine(line, greatest([minus(fraction, MEASURED), sql.lit(0)]));
          const after = pointOnLine(line, least(plus(fraction, MEASURED), sql.lit(1)));
          const aside = eb
            .case()
            .when('range.side', '=', 'R')
            .then(sql.lit<number>(QUARTER_TURN))
            .else(sql.lit<number>(-QUARTER_TURN))
            .end();
          return [pointOnLine(line, fraction).as('point'), plus(directionFrom(before, after), aside).as('direction')];
        }),
    )
    .selectFrom('point')
    .select(ADDRESS)
    .select(['point.longitude', 'point.latitude', sql.lit<boolean>(false).as('interpolated')])
    .unionAll((db) =>
      db
        .selectFrom('at')
        .select(ADDRESS)
        .select(({ ref, fn }) => {
          const [longitude, latitude] = [longitudeOf(ref('at.point')), latitudeOf(ref('at.point'))];
          const east = fn.coalesce(sine(ref('at.direction')), sql.lit(0));
          const north = fn.coalesce(cosine(ref('at.direction')), sql.lit(0));
          // Degrees of longitude are shorter than those of latitude.
          const length = greatest([cosine(inRadians(latitude)), sql.lit(0.1)]);
          return [
            plus(longitude, over(times(east, OFFSET), length)).as('longitude'),
            plus(latitude, times(north, OFFSET)).as('latitude'),
            sql.lit<boolean>(true).as('interpolated'),
          ];
        }),
    );
});

/**
 * Returns the address points with a house number on the streets that a search finds, one for each ZIP code and suffix of
 * the number, and the points interpolated in address ranges where a street has no address point of the number.
 */
export function addressesAt(db: Database, search: StreetSearch, number: number) {
  return findAt(db, { search, number });
}

const findNear = fixedQueries('places.nearest-addresses', formOf, (parameter, form) => {
  const { isOfTown, hasName } = ranksOf(parameter);
  const number = parameter('int', ({ number }) => number ?? null);
  return withStreets(parameter, form)
    .with(materialized('nearest'), (db) =>
      db
        .selectFrom('street as s')
        .selectAll('s')
        .orderBy(isOfTown, 'desc')
        .orderBy(hasName, 'desc')
        .orderBy('s.id')
        .limit(sql.lit(MOST_STREETS)),
    )
    .selectFrom('nearest as s')
    .crossJoinLateral(({ selectFrom, ref }) =>
      selectFrom('address_points as a')
        .selectAll('a')
        .where('a.street_id', '=', ref('s.id'))
        .orderBy(({ ref }) => (form.isNumbered ? absolute(minus(ref('a.number'), number)) : ref('a.number')))
        .orderBy('a.priority')
        .orderBy('a.id')
        .limit(sql.lit(1))
        .as('p'),
    )
    .select([...STREET, ...POINT])
    .select(({ ref }) => [
      longitudeOf(ref('p.point')).as('longitude'),
      latitudeOf(ref('p.point')).as('latitude'),
      sql.lit<boolean>(false).as('interpolated'),
    ]);
});

/**
 * Returns one address point of each street that a search finds: that with the nearest house number, or the lowest
 * without a number.
 */
export function addressesNear(db: Database, search: StreetSearch, number: number | undefined): Promise<AddressRow[]> {
  return findNear(db, { search, number });
}

/** How many streets with similar names are compared. */
const MOST_SIMILAR = 10;

/**
 * Returns the names of streets that have the most trigrams in common with a name, for names with several errors. Each name is
 * a spelling of itself, so that a name of many streets is compared once.
 */
export async function similarCores(db: Database, names: readonly string[]): Promise<string[]> {
  const found = query
    .selectFrom(unnested('typed', { name: ['text', names] }))
    .innerJoin('street_spellings as s', (join) =>
      join.onRef('s.spelling', '=', 's.core').on(({ ref }) => isSimilar(ref('s.core'), ref('typed.name'))),
    )
    .groupBy('s.core')
    .select('s.core')
    .orderBy(({ fn, ref }) => fn.max(similarityOf(ref('s.core'), ref('typed.name'))), 'desc')
    .orderBy('s.core')
    .limit(sql.lit(MOST_SIMILAR));
  return (await rowsOf(db, 'places.similar-streets', found)).map(({ core }) => core);
}

/** A district that a text may name. */
export interface PlaceRow extends DistrictRow {
  readonly boundary_id: number;
  /** Whether outlines of cities or towns of its state are loaded: otherwise the name may be that of one of them. */
  readonly towns_loaded: boolean;
}

/** The types of districts that people name as places, in the order of preference. */
export const PLACES: readonly DistrictType[] = [
  'City-town',
  'County subdivision',
  'County',
  'State',
  'School District',
];
const TOWNS: readonly DistrictType[] = ['City-town', 'County subdivision'];
const MOST_PLACES = 20;

/** Returns whether a district is a city or town. */
export const isTown = (district: DistrictRow | undefined) => district !== undefined && TOWNS.includes(district.type);

/** The query of districts `town` that are cities or towns and have an outline. */
const towns = query
  .selectFrom('districts as town')
  .innerJoin('boundaries as outline', 'outline.district_id', 'town.id')
  .select('town.id')
  .where('town.type', '=', anyOf('district_type', TOWNS));

/** What a place is searched by. */
export interface PlaceSearch {
  /** The words of the name without its kind. */
  readonly name: string;
  /** The name as it was typed: districts with exactly this name come first. */
  readonly typed: string;
  /** Other forms of words, as `words_query` takes them. */
  readonly forms: Readonly<Record<string, readonly string[]>>;
  readonly state: string | undefined;
}

/**
 * Returns districts with boundaries in effect on a day, a word of whose names begins with each word of a text; if there is
 * none, those with similar names.
 */
export async function placesNamed(
  db: Database,
  { name, typed: typedName, forms, state }: PlaceSearch,
  day: Day,
): Promise<PlaceRow[]> {
  const asTyped = typed('text', typedName);
  const ownName = plainName(district('name'));
  const { eb, and } = expressionBuilder();
  const find = (condition: Expression<SqlBool>) =>
    placesWhere(
      db,
      state === undefined ? condition : and([condition, eb(district('state'), '=', state)]),
      [
        [eb(ownName, '=', asTyped), 'desc'],
        [lengthOf(district('name')), 'asc'],
        [similarityOf(ownName, asTyped), 'desc'],
      ],
      day,
    );
  const asked = query.selectNoFrom(queryOfWords(name, JSON.stringify(forms)).as('words'));
  const named = await find(matches(wordsOf([district('name')]), asked));
  return named.length > 0 ? named : find(isSimilar(ownName, asTyped));
}

/** Returns the states with these codes that have a boundary in effect on a day. */
export async function statesByCode(db: Database, codes: readonly string[], day: Day): Promise<PlaceRow[]> {
  const { eb, and } = expressionBuilder();
  const isMeant = and([eb(district('type'), '=', 'State'), eb(district('state'), '=', anyOf('text', codes))]);
  return placesWhere(db, isMeant, [[district('name'), 'asc']], day);
}

/** The columns of a district `d` that is searched. */
const district = columnsOf<Selectable<District>>('d');

type Order = readonly (readonly [Expression<unknown>, 'asc' | 'desc'])[];

async function placesWhere(db: Database, condition: Expression<SqlBool>, order: Order, day: Day): Promise<PlaceRow[]> {
  const types = typed('district_type[]', PLACES);
  const found = query
    .with(materialized('named'), (db) =>
      db
        .selectFrom('districts as d')
        .select(DISTRICT)
        .select(({ ref }) =>
          rowNumber()
            .over((window) =>
              order
                .reduce((sorted, [value, direction]) => sorted.orderBy(value, direction), window)
                .orderBy(positionIn(types, ref('d.type')))
                .orderBy(ref('d.name'))
                .orderBy(ref('d.state'))
                .orderBy(ref('d.id')),
            )
            .as('rank'),
        )
        .where('d.type', '=', anyIn(types))
        .where(condition)
        .orderBy('rank')
        .limit(sql.lit(MOST_PLACES)),
    )
    .selectFrom('named as d')
    .innerJoin(boundariesInEffect(typed('date', day)).as('b'), 'b.district_id', 'd.id')
    .select([...DISTRICT, 'b.id as boundary_id'])
    .select(({ exists, ref }) =>
      exists(towns.where('town.state', '=', ref('d.state')))
        .$castTo<boolean>()
        .as('towns_loaded'),
    )
    .orderBy('d.rank');
  return rowsOf(db, 'places.districts', found);
}

/** Returns whether outlines of cities or towns are loaded: of a state (two letters), or of any. */
export async function hasTownsOf(db: Database, state: string | undefined): Promise<boolean> {
  const found = (state === undefined ? towns : towns.where('town.state', '=', state)).limit(sql.lit(1));
  return (await rowsOf(db, 'places.has-towns', found)).length > 0;
}

/** Returns whether addresses of a town are loaded, in a state (two letters) or any. */
export async function hasStreetsIn(
  db: Database,
  towns: readonly string[],
  state: string | undefined,
): Promise<boolean> {
  const streets = query.selectFrom('address_streets as s').select('s.id').where('s.town', '=', anyOf('text', towns));
  const found = (state === undefined ? streets : streets.where('s.state', '=', state)).limit(sql.lit(1));
  return (await rowsOf(db, 'places.has-streets', found)).length > 0;
}

/** Returns the states of which a layer is loaded, with their two letters. */
export async function loadedStates(db: Database, layer: 'ADDRESSES' | 'ZIP_CODES' | 'TOWNS'): Promise<string[]> {
  const found =
    layer === 'ADDRESSES'
      ? query.selectFrom('address_streets as s').select('s.state').distinct()
      : layer === 'TOWNS'
        ? towns.clearSelect().select('town.state').distinct()
        : query.selectFrom(statesOfZipAreas.as('zip')).select('zip.state');
  const rows: { state: string | null }[] = await rowsOf(db, `places.states-of-${layer}`, found);
  return rows.flatMap(({ state }) => state ?? []).sort();
}

/** A kind of texts that can be found, with the states of which it is loaded and texts that are found. */
export interface FindableRow {
  readonly layer: 'ADDRESSES' | 'TOWNS' | 'ZIP_CODES' | 'COUNTIES' | 'TOWNS_ON_MAP' | 'ZIP_CODES_ON_MAP';
  readonly states: readonly string[];
  readonly examples: readonly string[];
}

const MOST_EXAMPLES = 4;

/** Returns the kinds of texts that can be found on a day. No address is an example: somebody lives there. */
export async function findableLayers(db: Database, day: Day): Promise<FindableRow[]> {
  const named = async (layer: FindableRow['layer'], types: readonly DistrictType[]): Promise<FindableRow> => {
    const first = query
      .selectFrom('districts as d')
      .innerJoin(boundariesInEffect(typed('date', day)).as('b'), 'b.district_id', 'd.id')
      .where('d.type', '=', anyOf('district_type', types))
      .select(({ fn }) => ['d.state', fn.min('d.name').as('name')])
      .groupBy('d.state')
      .orderBy('d.state');
    const rows = (await rowsOf(db, 'places.examples', first)).filter(({ state }) => state !== null);
    const examples = rows.slice(0, MOST_EXAMPLES).map(({ name, state }) => `${name}, ${state}`);
    return { layer, states: rows.flatMap(({ state }) => state ?? []), examples };
  };
  const code = query.selectFrom('zip_areas as a').select('a.code').orderBy('a.code').limit(sql.lit(1));
  const codeOnMap = query.selectFrom('zip_points as z').select('z.code').orderBy('z.code').limit(sql.lit(1));
  const onMap = query.selectFrom('town_points as t').select('t.state').distinct().orderBy('t.state');
  const layers: FindableRow[] = [
    { layer: 'ADDRESSES', states: await loadedStates(db, 'ADDRESSES'), examples: [] },
    await named('TOWNS', TOWNS),
    {
      layer: 'ZIP_CODES',
      states: await loadedStates(db, 'ZIP_CODES'),
      examples: (await rowsOf(db, 'places.example-zip', code)).map((row) => row.code),
    },
    await named('COUNTIES', ['County']),
    {
      layer: 'TOWNS_ON_MAP',
      states: (await rowsOf(db, 'places.states-of-town-points', onMap)).map(({ state }) => state),
      examples: [],
    },
    {
      layer: 'ZIP_CODES_ON_MAP',
      states: [],
      examples: (await rowsOf(db, 'places.example-zip-point', codeOnMap)).map((row) => row.code),
    },
  ];
  return layers.filter(({ states, examples }) => states.length + examples.length > 0);
}

/** Returns the states, counties and towns that have a part of the area of a ZIP code on a day. */
export function districtsOfZip(db: Database, code: string, day: Day) {
  const types = typed('district_type[]', ['State', 'County', ...TOWNS]);
  const found = query
    .selectFrom(sharesOfZip(typed('text', code), types, typed('date', day)).as('share'))
    .innerJoin('districts as d', 'd.id', 'share.district_id')
    .select(['d.id', 'd.state']);
  return rowsOf(db, 'places.districts-of-zip', found);
}

/** Returns the data set of the area of a ZIP code; undefined if it is not loaded. */
export async function sourceOfZip(db: Database, code: string): Promise<number | undefined> {
  const found = query
    .selectFrom('zip_areas as a')
    .select('a.source_id')
    .where('a.code', '=', code)
    .orderBy('a.id')
    .limit(sql.lit(1));
  const [row] = await rowsOf(db, 'places.zip-source', found);
  return row?.source_id;
}

/** Returns data sets by their ids. */
export async function sourcesById(db: Database, ids: readonly number[]): Promise<Map<number, SourceRow>> {
  const rows = await rowsOf(db, 'places.sources', sourceRows().where('source.id', '=', anyOf('int', ids)));
  return new Map(rows.map((row) => [row.id, row]));
}
