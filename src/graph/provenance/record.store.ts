import { sql } from 'kysely';
import { shortGeoid } from '../../base/words/geoids.ts';
import type { Database } from '../../store/sql/database.ts';
import { allRecordKinds, anyIn, literal, nothing, shortGeoIdOf, typed, unnested } from '../../store/sql/functions.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { query } from '../../store/sql/query-builder.ts';
import type { DistrictType, RecordKind } from '../../store/sql/tables.ts';
import { matchesGeoId } from '../districts/geo-id.ts';

/** The identifier of a record: its own, such as a GEOID, or that of another data set. */
export interface RecordIdentifier {
  readonly scheme: string;
  readonly value: string;
}

export interface FoundRecord {
  readonly kind: RecordKind;
  readonly id: number;
}

/**
 * Returns the records that each identifier names, in one statement: those with the identifier in another data set, the
 * districts with an OCD id (scheme `ocdid`), a GEOID (`geoid`) or an NCES id (`nces`), and the people of candidates with
 * an FEC id (`fec`).
 * @param options.candidates whether candidates count: without the grant for them, nothing may follow from their data.
 * @returns the records of each identifier, by kind and id; in input order.
 */
export async function findRecords(
  db: Database,
  identifiers: readonly RecordIdentifier[],
  options: { readonly candidates: boolean },
): Promise<FoundRecord[][]> {
  const requested = unnested('requested', {
    scheme: ['text', identifiers.map(({ scheme }) => scheme)],
    value: ['text', identifiers.map(({ value }) => value)],
    short: ['text', identifiers.map(({ value }) => shortGeoid(value))],
  });
  const kindOf = (kind: RecordKind) => sql<RecordKind>`${literal(kind)}::record_kind`.as('kind');
  const noType = nothing<DistrictType>('district_type').as('type');
  const noGeoId = nothing<string>('text').as('geo_id');
  const rows = await rowsOf(
    db,
    'provenance.findRecords',
    query
      .selectFrom(requested)
      .crossJoinLateral(({ selectFrom, ref }) => {
        const districts = selectFrom('districts as d');
        const scheme = ref('requested.scheme');
        const value = ref('requested.value');
        return selectFrom('external_identifiers as identifier')
          .select(['identifier.kind', 'identifier.record_id as id', noType, noGeoId])
          .where('identifier.kind', '=', anyIn(allRecordKinds))
          .where('identifier.scheme', '=', scheme)
          .where('identifier.value', '=', value)
          .union(
            districts
              .select([kindOf('district'), 'd.id', noType, noGeoId])
              .where(scheme, '=', literal('ocdid'))
              .where('d.ocdid', '=', value),
          )
          .union(
            districts
              .select([kindOf('district'), 'd.id', noType, noGeoId])
              .where(scheme, '=', literal('nces'))
              .where('d.nces_id', '=', value),
          )
          .union(
            districts
              .select(({ ref }) => [
                kindOf('district'),
                'd.id',
                ref('d.type').$castTo<DistrictType | null>().as('type'),
                'd.geo_id',
              ])
              .where(scheme, '=', literal('geoid'))
              .where(({ ref }) => shortGeoIdOf(ref('d.geo_id')), '=', ref('requested.short')),
          )
          .union(
            selectFrom('candidates as c')
              .select([kindOf('person'), 'c.person_id as id', noType, noGeoId])
              .where(typed('boolean', options.candidates))
              .where(scheme, '=', literal('fec'))
              .where('c.fec_id', '=', value),
          )
          .as('found');
      })
      .select(({ ref }) => [
        sql<number>`${ref('requested.ordinal')}::int - 1`.as('ordinal'),
        ...(['found.kind', 'found.id', 'found.type', 'found.geo_id'] as const),
      ])
      .orderBy('requested.ordinal')
      .orderBy('found.kind')
      .orderBy('found.id'),
  );
  const found = identifiers.map(() => new Map<string, FoundRecord>());
  for (const { ordinal, kind, id, type, geo_id } of rows) {
    if (type && !matchesGeoId({ type, geo_id }, identifiers[ordinal]?.value ?? '')) continue;
    found[ordinal]?.set(`${kind} ${id}`, { kind, id });
  }
  return found.map((records) => [...records.values()]);
}
