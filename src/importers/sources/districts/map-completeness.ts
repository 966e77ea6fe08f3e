import { sql } from 'kysely';
import { PARTITIONS } from '../../../store/partitions.ts';
import type { Database } from '../../../store/sql/database.ts';
import type { Geometry } from '../../../store/sql/geometry-functions.ts';
import { ImportError, type ImportRow } from '../../exchange/import-rows.ts';
import type { Report } from '../../exchange/report.ts';
import { houseSeats } from '../../facts/house-seats.ts';
import { missingNumbers } from '../../facts/missing-numbers.ts';
import { uncoveredAreas } from '../../facts/uncovered-areas.ts';

/** The district types of which a map has to be complete. */
const COMPLETE: readonly string[] = [...PARTITIONS, 'State'];

interface Missing {
  readonly record: string;
  readonly reason: string;
}

interface MapOfState {
  readonly state: string;
  readonly type: string;
  readonly from: string;
  readonly codes: Set<string>;
}

/**
 * Checks whether a map has all districts of the states that it covers, for district types that cover a state without
 * gaps. A district is missing if it cannot be read, if its boundary is left out, if its number is skipped, if a state has
 * more seats in Congress than districts, or if no district covers an area of the state.
 */
export class MapCompleteness {
  readonly #maps = new Map<string, MapOfState>();
  readonly #missing: Missing[] = [];
  readonly #records: string[] = [];

  /** Records a district that the map has, with the first day of its boundary. */
  add({ values, record }: ImportRow, from: string): void {
    const [type, state] = [String(values.type), String(values.state)];
    if (!COMPLETE.includes(type)) return;
    const key = `${type} ${state} ${from}`;
    const map = this.#maps.get(key) ?? { type, state, from, codes: new Set<string>() };
    this.#maps.set(key, map);
    const code = /\/(?:cd|sldl|sldu):([^/:]+)$/.exec(String(values.ocdid ?? ''))?.[1];
    if (code !== undefined) map.codes.add(code);
    this.#records.push(record);
  }

  /** The maps of whole states in the files, each with the first day of its boundaries. */
  get maps(): readonly { readonly state: string; readonly type: string; readonly from: string }[] {
    return [...this.#maps.values()];
  }

  /** Records a district of the map that cannot be read. */
  addUnreadable(record: string, reason: string, type: string | undefined): void {
    if (type === undefined || COMPLETE.includes(type)) this.#missing.push({ record, reason });
  }

  /**
   * Checks the staged boundaries. With `partial`, missing districts are reported instead.
   * @throws ImportError naming the missing districts.
   */
  async verify(db: Database, report: Report, source: string, partial: boolean): Promise<void> {
    const { rows } = await sql<{ origin: string }>`/* import.staged-boundaries */
      select origin from stage_boundaries where origin = any(${this.#records}::text[])`.execute(db);
    const staged = new Set(rows.map(({ origin }) => origin));
    const lost = this.#records.filter((record) => !staged.has(record));
    const reasons = new Map(report.entries.map(({ record, reason }) => [record, reason]));
    const missing = [
      ...this.#missing,
      ...lost.map((record) => ({ record, reason: reasons.get(record) ?? 'its boundary cannot be imported' })),
      ...[...this.#maps.values()].flatMap(missingCodes),
    ];
    if (missing.length === 0) missing.push(...(await this.#uncovered(db)));
    if (missing.length === 0) return;
    if (!partial) throw new ImportError(messageOf(source, missing));
    for (const { record, reason } of missing) {
      if (!reasons.has(record)) report.add(record, 'incomplete-maps', 'is missing from the map', reason);
    }
  }

  /** Returns the areas of states that the districts of a map leave out: their districts are missing. */
  async #uncovered(db: Database): Promise<Missing[]> {
    const missing: Missing[] = [];
    for (const { state, type, from } of this.#maps.values()) {
      if (!UNCOUNTED.includes(type)) continue;
      const districts = sql<{ geometry: Geometry }>`
        select coalesce(s.geometry, b.geometry) as geometry from stage_boundaries as s
        join (select id, type, state from stage_districts union select id, type, state from districts) as d
          on d.id = s.district_id and d.type::text = ${type} and d.state = ${state}
        left join boundaries as b on b.district_id = s.district_id and b.start_date = s.start_date
        where s.start_date = ${from}::date`;
      const { rows } = await sql<{ precise: boolean }>`/* import.precise */
        select coalesce(bool_and(precise), false) as precise from stage_boundaries`.execute(db);
      for (const area of await uncoveredAreas(db, districts, state, rows[0]?.precise ?? false))
        missing.push({ record: `${state} ${type}`, reason: `no district covers the area around ${area}` });
    }
    return missing;
  }
}

/** The district types of which neither numbers nor the seats of the state show the last district. */
const UNCOUNTED = ['State Legislative (Upper)', 'State Legislative (Lower)', 'County'];

function missingCodes({ type, state, from, codes }: MapOfState): Missing[] {
  const seats = type === 'Congress' ? houseSeats(state, from) : undefined;
  const expected = seats !== undefined && seats > 1 ? Array.from({ length: seats }, (_, index) => `${index + 1}`) : [];
  const absent = [...missingNumbers(codes), ...expected].filter((code) => !codes.has(code));
  return [...new Set(absent)].map((code) => ({
    record: type === 'Congress' ? `${state}-${code}` : `${state} ${type} ${code}`,
    reason: 'is not in the files',
  }));
}

const SHOWN = 30;

function messageOf(source: string, missing: readonly Missing[]): string {
  const lines = missing.slice(0, SHOWN).map(({ record, reason }) => `  ${record}: ${reason}`);
  if (missing.length > SHOWN) lines.push(`  and ${missing.length - SHOWN} more`);
  const what = missing.length === 1 ? '1 district is missing' : `${missing.length} districts are missing`;
  return [
    `${source}: the map is incomplete, ${what}; nothing was imported (--partial imports the other districts):`,
    ...lines,
  ].join('\n');
}
