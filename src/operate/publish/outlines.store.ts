import type { Day } from '../../base/dates.ts';
import type { Database } from '../../store/sql/database.ts';
import { anyOf, inByteOrder, literal, typed } from '../../store/sql/functions.ts';
import { asBinary, numberOfVertices } from '../../store/sql/geometry-functions.ts';
import { boundariesInEffect } from '../../store/sql/migration-functions.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { DistrictType } from '../../store/sql/tables.ts';

/** What is published: all types and states if they are omitted. */
export interface Extent {
  readonly types?: readonly DistrictType[] | undefined;
  /** Postal abbreviations, and `US` for the country. */
  readonly states?: readonly string[] | undefined;
}

/** Returns the boundaries in effect on a day, with their districts. */
export function boundariesOn(db: Database, day: Day, { types, states }: Extent) {
  const found = query
    .selectFrom(boundariesInEffect(typed('date', day)).as('b'))
    .innerJoin('districts as d', 'd.id', 'b.district_id')
    .select(['b.id', 'b.district_id', 'd.type', 'd.name', 'd.state'])
    .select(({ ref }) => numberOfVertices(ref('b.geometry')).as('vertices'))
    .$if(types !== undefined, (rows) => rows.where('d.type', '=', anyOf('district_type', types ?? [])))
    .$if(states !== undefined, (rows) => rows.where('d.state', '=', anyOf('text', states ?? [])));
  return rowsOf(db, 'publish.boundaries', found);
}

/** Returns the outlines of boundaries, sorted by id. */
export function outlinesOf(db: Database, ids: readonly number[]) {
  const found = query
    .selectFrom('boundaries as b')
    .select('b.id')
    .select(({ ref }) => asBinary(ref('b.geometry')).as('outline'))
    .where('b.id', '=', anyOf('int', ids));
  return rowsOf(db, 'publish.outlines', found);
}

/** Returns the data sets that boundaries were imported from. */
export function sourcesOfBoundaries(db: Database, ids: readonly number[]) {
  const found = query
    .selectFrom('sources as s')
    .select(['s.name', 's.source', 's.license', 's.as_of'])
    .where('s.id', 'in', ({ selectFrom }) =>
      selectFrom('record_sources as link')
        .select('link.source_id')
        .where('link.kind', '=', literal('boundary'))
        .where('link.record_id', '=', anyOf('int', ids)),
    )
    .orderBy(({ ref }) => inByteOrder(ref('s.name')))
    .orderBy('s.as_of')
    .orderBy('s.id');
  return rowsOf(db, 'publish.sources', found);
}
