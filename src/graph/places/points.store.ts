import { expressionBuilder, type Selectable, sql } from 'kysely';
import type { Day } from '../../base/dates.ts';
import type { Database } from '../../store/sql/database.ts';
import { columnsOf, typed, unnested } from '../../store/sql/functions.ts';
import { boundariesInEffect, matches, queryOfWords, wordsOf } from '../../store/sql/migration-functions.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { materialized, query } from '../../store/sql/query-builder.ts';
import type { TownPoint } from '../../store/sql/tables.ts';
import { endOf, isSimilar, lengthOf, plainName, similarityOf } from '../../store/sql/text-functions.ts';
import { coveringBoundaries } from '../districts/districts.store.ts';
import type { PlaceSearch } from './geocode.store.ts';

/** A town of which only a point is known, and the name of its county if that is loaded. */
export type TownPointRow = Awaited<ReturnType<typeof townPoints>>[number];

/** The columns of a town `t` that is searched. */
const town = columnsOf<Selectable<TownPoint>>('t');
const ownName = plainName(town('name'));

/** More than there are towns of one name. */
const MOST_TOWNS = 60;

/**
 * Returns the points of towns, a word of whose names begins with each word of one of the texts; for a text without any, those
 * with similar names. Towns with exactly the name come first, and those of the newest data set.
 */
export function townPoints(db: Database, searches: readonly PlaceSearch[]) {
  const [forms = {}] = searches.map((each) => each.forms);
  const asked = unnested('asked', {
    name: ['text', searches.map(({ name }) => name)],
    typed: ['text', searches.map((each) => each.typed)],
    state: ['text', searches.map(({ state }) => state ?? null)],
  });
  const { eb, or, ref } = expressionBuilder<{ asked: { state: string | null } }, 'asked'>();
  const isOfState = or([eb('asked.state', 'is', null), eb(town('state'), '=', ref('asked.state'))]);
  const found = query
    .with(materialized('named'), (db) =>
      db
        .selectFrom(asked)
        .crossJoinLateral(({ selectFrom, ref }) =>
          selectFrom('town_points as t')
            .selectAll('t')
            .where(matches(wordsOf([town('name')]), queryOfWords(ref('asked.name'), JSON.stringify(forms))))
            .where(isOfState)
            .orderBy(({ eb }) => eb(ownName, '=', ref('asked.typed')), 'desc')
            .orderBy(lengthOf(town('name')))
            .orderBy('t.name')
            .orderBy('t.state')
            .orderBy('t.id', 'desc')
            .limit(sql.lit(MOST_TOWNS))
            .as('town'),
        )
        .selectAll('town')
        .select('asked.ordinal'),
    )
    .with('similar', (db) =>
      db
        .selectFrom(asked)
        .crossJoinLateral(({ selectFrom, ref }) =>
          selectFrom('town_points as t')
            .selectAll('t')
            .where(isSimilar(ownName, ref('asked.typed')))
            .where(isOfState)
            .orderBy(similarityOf(ownName, ref('asked.typed')), 'desc')
            .orderBy('t.name')
            .orderBy('t.state')
            .orderBy('t.id', 'desc')
            .limit(sql.lit(MOST_SIMILAR))
            .as('town'),
        )
        .where('asked.ordinal', 'not in', ({ selectFrom }) => selectFrom('named').select('named.ordinal'))
        .selectAll('town')
        .select('asked.ordinal'),
    )
    .selectFrom((db) => db.selectFrom('named').selectAll().unionAll(db.selectFrom('similar').selectAll()).as('t'))
    .leftJoin('districts as county', (join) =>
      join
        .on('county.type', '=', 'County')
        .onRef('county.state', '=', 't.state')
        .on(({ eb, ref }) => eb(endOf(ref('county.geo_id'), 3), '=', ref('t.county'))),
    )
    .select([
      't.ordinal',
      't.name',
      't.state',
      't.longitude',
      't.latitude',
      't.source_id',
      'county.name as county_name',
    ])
    .orderBy('t.ordinal')
    .orderBy('t.name')
    .orderBy('t.state')
    .orderBy('t.id', 'desc');
  return rowsOf(db, 'places.town-points', found);
}

const MOST_SIMILAR = 10;

/** Returns the point of a ZIP code of the newest data set, with the state around it; undefined if it has none. */
export async function zipPoint(db: Database, code: string, day: Day) {
  const found = query
    .selectFrom('zip_points as z')
    .select(['z.code', 'z.longitude', 'z.latitude', 'z.source_id'])
    .select(({ selectFrom, ref }) =>
      selectFrom(coveringBoundaries({ longitude: ref('z.longitude'), latitude: ref('z.latitude') }).as('covering'))
        .innerJoin(boundariesInEffect(typed('date', day)).as('b'), 'b.id', 'covering.boundary_id')
        .innerJoin('districts as d', 'd.id', 'b.district_id')
        .where('d.type', '=', 'State')
        .select('d.state')
        .limit(sql.lit(1))
        .as('state'),
    )
    .where('z.code', '=', code)
    .orderBy('z.id', 'desc')
    .limit(sql.lit(1));
  const [row] = await rowsOf(db, 'places.zip-point', found);
  return row;
}
