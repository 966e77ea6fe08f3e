import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../store/sql/database.ts';
import type { RecordKind } from '../../../store/sql/tables.ts';
import { type TableName, tableOf } from '../../exchange/format.ts';
import { districtGeoid, type ExternalId } from '../../exchange/import-rows.ts';
import { mergedIdentifiers } from '../persons/merge-persons.store.ts';
import { insertRows, type StageColumn } from '../stage/insert-rows.ts';
import { NeutralIds } from '../stage/neutral-ids.ts';

/** More than one record has the name. */
export const AMBIGUOUS = -1;

const IDENTIFIER_COLUMNS: readonly StageColumn[] = [
  { name: 'kind', sqlType: 'record_kind' },
  { name: 'scheme', sqlType: 'text' },
  { name: 'value', sqlType: 'text' },
  { name: 'record_id', sqlType: 'integer' },
];

/**
 * Maps the identifiers that sources use for records to internal ids. An external identifier that was imported before
 * always maps to the same id; new records get the id that `NeutralIds` computes from their name.
 */
export class Identities {
  readonly #db: Database;
  readonly #known = new Map<string, number | null>();
  readonly #newIds: NeutralIds;
  /** The identifiers of persons that are part of another record. */
  #merged: ReadonlySet<string> = new Set();
  #learnt: [kind: RecordKind, scheme: string, value: string, id: number][] = [];

  constructor(db: Database) {
    this.#db = db;
    this.#newIds = new NeutralIds(db);
  }

  async create(): Promise<void> {
    await sql`/* import.stage */ create temp table stage_identifiers (
      kind record_kind, scheme text, value text, record_id integer) on commit drop`.execute(this.#db);
    this.#merged = await mergedIdentifiers(this.#db);
  }

  /** Returns whether a name is that of a person who was merged into another record, which has better values. */
  isMerged({ scheme, value }: ExternalId): boolean {
    return this.#merged.has(`${scheme}\n${value}`);
  }

  /** Looks up names in the database, so that `find` knows them. */
  async lookUp(kind: RecordKind, names: Iterable<ExternalId>): Promise<void> {
    const wanted = new Map<string, ExternalId>();
    for (const name of names) {
      const key = keyOf(kind, name);
      if (!this.#known.has(key)) wanted.set(key, { scheme: name.scheme, value: stored(name.value) });
    }
    if (wanted.size === 0) return;
    for (const key of wanted.keys()) this.#known.set(key, null);
    const all = [...wanted.values()];
    if (kind === 'district') await this.#lookUpDistricts(all);
    const { rows } = await sql<{ scheme: string; value: string; id: number }>`/* import.identifiers */
      select e.scheme, e.value, e.record_id as id
      from unnest(${all.map(({ scheme }) => scheme)}::text[], ${all.map(({ value }) => value)}::text[]) as n (scheme, value)
      join external_identifiers as e on e.kind = ${kind}::record_kind and e.scheme = n.scheme and e.value = n.value`.execute(
      this.#db,
    );
    for (const { scheme, value, id } of rows) this.#known.set(keyOf(kind, { scheme, value }), id);
  }

  /**
   * Returns the internal id of a name that was looked up or added; undefined if there is none, `AMBIGUOUS` if there are
   * two.
   */
  find(kind: RecordKind, name: ExternalId): number | undefined {
    return this.#known.get(keyOf(kind, name)) ?? undefined;
  }

  /** Maps a name to a record from now on. Names of districts that are columns are stored in these columns. */
  learn(kind: RecordKind, name: ExternalId, id: number): void {
    this.#known.set(keyOf(kind, name), id);
    if (kind === 'district' && isColumn(name)) return;
    this.#learnt.push([kind, name.scheme, stored(name.value), id]);
  }

  /** Returns the ids of new records by their names, in the order of the names. */
  allocate(table: TableName, names: readonly ExternalId[]): Promise<number[]> {
    return this.#newIds.allocate(table, names);
  }

  /** Stages the names added since the last call. */
  async flush(): Promise<void> {
    const learnt = this.#learnt;
    this.#learnt = [];
    if (learnt.length > 0) await insertRows(this.#db, 'stage_identifiers', IDENTIFIER_COLUMNS, learnt);
  }

  /** Writes the names of the records that have been written to their tables. */
  async write(tables: Iterable<TableName>): Promise<void> {
    for (const table of tables) {
      const { kind } = tableOf(table);
      if (kind === null) continue;
      await sql`/* import.write-identifiers */
        insert into external_identifiers (kind, scheme, value, record_id)
        select kind, scheme, value, record_id from stage_identifiers as s
        where kind = ${kind}::record_kind and exists (select from ${sql.table(table)} as t where t.id = s.record_id)
        on conflict do nothing`.execute(this.#db);
    }
  }

  async #lookUpDistricts(names: readonly ExternalId[]): Promise<void> {
    const ocdids = names.filter(({ scheme }) => scheme === 'ocdid').map(({ value }) => value);
    const codes = names.filter(({ scheme }) => scheme === 'geoid').map(({ value }) => value.replace(/^.*:/, ''));
    const { rows } = await sql<{ id: number; type: string; ocdid: string | null; geo_id: string | null }>`
      /* import.known-districts */
      select id, type, ocdid, geo_id from districts
      where ocdid = any(${ocdids}::text[]) or regexp_replace(geo_id, '^.*US', '') = any(${codes}::text[])`.execute(
      this.#db,
    );
    for (const { id, type, ocdid, geo_id } of rows) {
      if (ocdid !== null) this.#addKnown(keyOf('district', { scheme: 'ocdid', value: ocdid }), id);
      if (geo_id !== null) this.#addKnown(keyOf('district', districtGeoid(type, geo_id)), id);
    }
  }

  #addKnown(key: string, id: number): void {
    const other = this.#known.get(key) ?? id;
    this.#known.set(key, other === id ? id : AMBIGUOUS);
  }
}

/** So many characters of an identifier are stored, since an index holds no longer ones; of a longer one the digest stands for the rest. */
const LONGEST = 500;

function stored(value: string): string {
  return value.length <= LONGEST ? value : `${value.slice(0, 100)} ${createHash('sha256').update(value).digest('hex')}`;
}

function isColumn({ scheme }: ExternalId): boolean {
  return scheme === 'ocdid' || scheme === 'geoid';
}

function keyOf(kind: RecordKind, { scheme, value }: ExternalId): string {
  return `${kind}\n${scheme}\n${stored(value)}`;
}
