import { sql } from 'kysely';
import { boundariesInEffect, outdatedBoundaries } from '../../store/sql/migration-functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import { nullableRelation } from '../builder/relation.ts';
import type { Scope } from '../builder/scope.ts';
import { dayOf, type OnDay } from './districts.store.ts';

/** The columns of an outdated boundary `newer` that say which newer map is not loaded. */
const NEWER_MAP = ['newer.since', 'newer.sentence', 'newer.citation', 'newer.url'] as const;

/** The newer map that is known to be in effect on a day in place of the loaded one of a district; today by default. */
export const newerMapOfDistrict = nullableRelation({
  name: 'districts.newerMapOfDistrict',
  key: { id: 'int' },
  rows: ({ id }, scope: Scope<OnDay>) =>
    query
      .selectFrom(boundariesInEffect(dayOf(scope)).as('b'))
      .innerJoin(outdatedBoundaries(dayOf(scope)).as('newer'), 'newer.id', 'b.id')
      .select(NEWER_MAP)
      .where('b.district_id', '=', id)
      .orderBy('newer.since')
      .limit(sql.lit(1)),
});

export type NewerMapRow = NonNullable<Awaited<ReturnType<typeof newerMapOfDistrict.load>>>;
