import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { DistrictType, RecordKind } from '../database/tables.ts';
import { matchesGeoId, shortGeoId } from '../districts/geo-id.ts';

/** The identifier of a record: its own, such as a GEOID, or that of another data set. */
export interface RecordIdentifier {
  readonly scheme: string;
  readonly value: string;
}

export interface FoundRecord {
  readonly kind: RecordKind;
  readonly id: number;
}

interface FoundRow extends FoundRecord {
  readonly ordinal: number;
  /** For a district that was found by its GEOID. */
  readonly type: DistrictType | null;
  readonly geo_id: string | null;
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
  const { rows } = await sql<FoundRow>`
    /* provenance.findRecords */
    select requested.ordinal::int - 1 as ordinal, found.kind, found.id, found.type, found.geo_id
    from unnest(${identifiers.map(({ scheme }) => scheme)}::text[], ${identifiers.map(({ value }) => value)}::text[],
      ${identifiers.map(({ value }) => shortGeoId(value))}::text[]) with ordinality as requested(scheme, value, short, ordinal)
    cross join lateral (
      select kind, record_id as id, null::district_type as type, null as geo_id from external_identifiers
      where kind = any(enum_range(null::record_kind)) and scheme = requested.scheme and value = requested.value
      union select 'district', id, null, null from districts
      where requested.scheme = 'ocdid' and ocdid = requested.value
      union select 'district', id, null, null from districts
      where requested.scheme = 'nces' and nces_id = requested.value
      union select 'district', id, type, geo_id from districts
      where requested.scheme = 'geoid' and regexp_replace(geo_id, '^.*US', '') = requested.short
      union select 'person', person_id, null, null from candidates
      where ${options.candidates}::boolean and requested.scheme = 'fec' and fec_id = requested.value
    ) found
    order by requested.ordinal, found.kind, found.id`.execute(db);
  const found = identifiers.map(() => new Map<string, FoundRecord>());
  for (const { ordinal, kind, id, type, geo_id } of rows) {
    if (type && !matchesGeoId({ type, geo_id }, identifiers[ordinal]?.value ?? '')) continue;
    found[ordinal]?.set(`${kind} ${id}`, { kind, id });
  }
  return found.map((records) => [...records.values()]);
}
