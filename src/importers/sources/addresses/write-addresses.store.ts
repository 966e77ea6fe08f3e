import { sql } from 'kysely';
import { commandsToday } from '../../../base/clock.ts';
import { coreOf, normalText, spellingsOf } from '../../../base/words/address-words.ts';
import type { Database } from '../../../store/sql/database.ts';
import type { FileSummary } from '../../exchange/load-summary.ts';
import type { Report } from '../../exchange/report.ts';

/** A street as its file has it. */
interface NamedStreet {
  /** The record of the source, as a report names it. */
  readonly record: string;
  /** Identifies the record in its data set. */
  readonly key: string;
  readonly street: string;
  /** Two letters. */
  readonly state: string;
  readonly zip: string | null;
}

export interface StagedAddressPoint extends NamedStreet {
  readonly town: string;
  readonly number: number;
  readonly numberSuffix: string;
  readonly priority: number;
  readonly longitude: number;
  readonly latitude: number;
}

/** The house numbers on one side of a line; the town is looked up in the loaded districts. */
export interface StagedAddressRange extends NamedStreet {
  readonly from: number;
  readonly to: number;
  readonly side: 'L' | 'R';
  /** Whether the side has even and odd numbers. */
  readonly isMixed: boolean;
  readonly line: readonly (readonly [longitude: number, latitude: number])[];
}

const ROWS_OF_A_BATCH = 4_000;

interface Street {
  readonly state: string;
  readonly town: string;
  readonly townLabel: string;
  readonly words: string;
  readonly label: string;
}

/** The rows of a batch, each value in a list of its own, as `unnest` takes them. */
type Columns = readonly (readonly unknown[])[];

/** Writes addresses in batches, so that a file of any size needs little memory. */
abstract class AddressWriter<Row extends NamedStreet> {
  protected readonly db: Database;
  protected readonly sourceId: number;
  readonly #report: Report;
  readonly #file: string;
  #waiting = new Map<string, Row>();
  #inserted = 0;
  #updated = 0;
  #unchanged = 0;

  constructor(db: Database, report: Report, sourceId: number, file: string) {
    this.db = db;
    this.#report = report;
    this.sourceId = sourceId;
    this.#file = file;
  }

  /** The table, for names of statements. */
  protected abstract readonly table: string;
  protected abstract streetsOf(rows: readonly Row[]): Promise<readonly Street[]>;
  /** Writes rows; returns whether each written one is new. Unchanged rows are not written. */
  protected abstract upsert(rows: readonly Row[], streetIds: readonly number[]): Promise<readonly Written[]>;

  /** Adds an address of a file. */
  async add(row: Row, file: string): Promise<void> {
    if (this.#waiting.has(row.key)) {
      this.#report.add(this.#report.locate(row.record, file), 'left-out', 'has the identifier of another record');
      return;
    }
    this.#waiting.set(row.key, row);
    if (this.#waiting.size >= ROWS_OF_A_BATCH) await this.#flush();
  }

  /** Writes the rest and removes streets that have no address any more; returns what changed. */
  async complete(): Promise<FileSummary> {
    await this.#flush();
    await sql`/* import.unused-streets */
      delete from address_streets s
      where not exists (select from address_points p where p.street_id = s.id)
        and not exists (select from address_ranges r where r.street_id = s.id)`.execute(this.db);
    await sql`/* import.unused-spellings */
      delete from street_spellings p where not exists (select from address_streets s where s.core = p.core)`.execute(
      this.db,
    );
    await sql`/* import.analyze */ analyze address_streets, street_spellings, address_points, address_ranges`.execute(
      this.db,
    );
    const [inserted, updated, unchanged] = [this.#inserted, this.#updated, this.#unchanged];
    return { file: this.#file, inserted, updated, unchanged, removed: 0, repaired: 0 };
  }

  async #flush(): Promise<void> {
    const rows = [...this.#waiting.values()];
    this.#waiting = new Map();
    if (rows.length === 0) return;
    const moved = new Set(await this.#fromOtherEditions(rows.map(({ key }) => key)));
    const written = await this.upsert(rows, await this.#streetIds(await this.streetsOf(rows)));
    const inserted = written.filter(({ is_new }) => is_new).length;
    const updated = new Set([...moved, ...written.filter(({ is_new }) => !is_new).map(({ key }) => key)]).size;
    this.#inserted += inserted;
    this.#updated += updated;
    this.#unchanged += rows.length - inserted - updated;
  }

  /** Moves the rows of earlier editions of the data set to this one, so that they are updated; returns their keys. */
  async #fromOtherEditions(keys: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ key: string }>`/* import.earlier-editions */
      update ${sql.table(this.table)} a set source_id = ${this.sourceId}, updated_at = update_time()
      from sources old, sources new
      where new.id = ${this.sourceId} and old.name = new.name and old.id <> new.id
        and a.source_id = old.id and a.key = any(${keys}::text[])
        and not exists (select from ${sql.table(this.table)} b where b.source_id = new.id and b.key = a.key)
      returning a.key`.execute(this.db);
    return rows.map(({ key }) => key);
  }

  async #streetIds(streets: readonly Street[]): Promise<number[]> {
    const keyOf = ({ state, town, words }: Pick<Street, 'state' | 'town' | 'words'>) => `${state}|${town}|${words}`;
    const distinct = [...new Map(streets.map((street) => [keyOf(street), street])).values()];
    const cores = distinct.map(({ words }) => coreOf(words.split(' ')));
    const columns = [
      distinct.map(({ state }) => state),
      distinct.map(({ town }) => town),
      distinct.map(({ townLabel }) => townLabel),
      distinct.map(({ words }) => words),
      distinct.map(({ label }) => label),
      cores,
    ].map((values) => sql`${values}::text[]`);
    await sql`/* import.streets */
      insert into address_streets (state, town, town_label, words, label, core)
      select state, town, town_label, words, label, core
      from unnest(${sql.join(columns)}) as r (state, town, town_label, words, label, core)
      on conflict (state, town, words) do update set core = excluded.core
      where address_streets.core <> excluded.core`.execute(this.db);
    const spellings = [...new Set(cores)].flatMap((core) => spellingsOf(core).map((spelling) => [spelling, core]));
    await sql`/* import.street-spellings */
      insert into street_spellings (spelling, core)
      select * from unnest(${spellings.map(([spelling]) => spelling)}::text[], ${spellings.map(([, core]) => core)}::text[])
      on conflict do nothing`.execute(this.db);
    const { rows } = await sql<{ id: number; state: string; town: string; words: string }>`/* import.street-ids */
      select s.id, s.state::text, s.town, s.words from address_streets s
      join unnest(${columns[0]}, ${columns[1]}, ${columns[3]}) as r (state, town, words)
        on s.state = r.state and s.town = r.town and s.words = r.words`.execute(this.db);
    const ids = new Map(rows.map((row) => [keyOf(row), row.id]));
    return streets.map((street) => {
      const id = ids.get(keyOf(street));
      if (id === undefined) throw new Error('The database lost a street without an error; nothing was changed');
      return id;
    });
  }
}

interface Written {
  readonly key: string;
  readonly is_new: boolean;
}

function streetOf({ street, state }: NamedStreet, town: string): Street {
  return {
    state,
    town: normalText(town),
    townLabel: capitalised(town),
    words: normalText(street),
    label: capitalised(street),
  };
}

/** Returns a name in capitals as it is written otherwise: `ROBINHOOD CIR` as `Robinhood Cir`; others unchanged. */
function capitalised(name: string): string {
  const text = name.trim().replace(/\s+/g, ' ');
  if (text !== text.toUpperCase()) return text;
  return text
    .toLowerCase()
    .replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase())
    .replace(/\b(Us|Vt|N[ewhjymcd]|S[ew])\b/g, (word) => (ROAD_WORDS.has(word) ? word.toUpperCase() : word))
    .replace(/\bMc(\p{L})/gu, (_, letter: string) => `Mc${letter.toUpperCase()}`);
}

const ROAD_WORDS = new Set(['Us', 'Vt', 'Ne', 'Nw', 'Se', 'Sw']);

export class AddressPointWriter extends AddressWriter<StagedAddressPoint> {
  protected readonly table = 'address_points';

  constructor(db: Database, report: Report, sourceId: number) {
    super(db, report, sourceId, 'address points');
  }

  protected async streetsOf(rows: readonly StagedAddressPoint[]): Promise<readonly Street[]> {
    return rows.map((row) => streetOf(row, row.town));
  }

  protected async upsert(rows: readonly StagedAddressPoint[], streetIds: readonly number[]) {
    const columns: Columns = [
      streetIds,
      rows.map((row) => row.number),
      rows.map((row) => row.priority),
      rows.map((row) => row.numberSuffix),
      rows.map((row) => row.zip),
      rows.map((row) => row.key),
      rows.map((row) => row.longitude),
      rows.map((row) => row.latitude),
    ];
    const [street, number, priority, suffix, zip, key, longitude, latitude] = columns;
    const { rows: written } = await sql<Written>`/* import.address-points */
      insert into address_points as p
        (street_id, number, number_suffix, zip, priority, point, source_id, key)
      select street_id, number, suffix, zip, priority, ST_SetSRID(ST_MakePoint(longitude, latitude), 4326),
        ${this.sourceId}, key
      from unnest(${street}::int[], ${number}::int[], ${priority}::int[], ${suffix}::text[], ${zip}::text[],
        ${key}::text[], ${longitude}::float8[], ${latitude}::float8[])
        as r (street_id, number, priority, suffix, zip, key, longitude, latitude)
      on conflict (source_id, key) do update
      set street_id = excluded.street_id, number = excluded.number, number_suffix = excluded.number_suffix,
        zip = excluded.zip, priority = excluded.priority, point = excluded.point, updated_at = update_time()
      where row(p.street_id, p.number, p.number_suffix, p.zip, p.priority, ST_AsBinary(p.point)) is distinct from
        row(excluded.street_id, excluded.number, excluded.number_suffix, excluded.zip, excluded.priority,
          ST_AsBinary(excluded.point))
      returning key, xmax = 0 as is_new`.execute(this.db);
    return written;
  }
}

/** The types of districts whose names are towns in addresses, the preferred first. */
const TOWNS = ['City-town', 'County subdivision'];

export class AddressRangeWriter extends AddressWriter<StagedAddressRange> {
  protected readonly table = 'address_ranges';

  constructor(db: Database, report: Report, sourceId: number) {
    super(db, report, sourceId, 'address ranges');
  }

  /** Finds the town of each range by the middle of its line, a few metres to its side. */
  protected async streetsOf(rows: readonly StagedAddressRange[]): Promise<readonly Street[]> {
    const middles = rows.map(middleOf);
    const { rows: found } = await sql<{ index: number; name: string }>`/* import.towns-of-ranges */
      select distinct on (r.index) r.index::int, d.name
      from unnest(${middles.map(([longitude]) => longitude)}::float8[], ${middles.map(([, latitude]) => latitude)}::float8[])
        with ordinality as r (longitude, latitude, index)
      join boundary_pieces piece on ST_Covers(piece.geometry, ST_SetSRID(ST_MakePoint(r.longitude, r.latitude), 4326))
      join boundaries_in_effect(${commandsToday()}::date) b on b.id = piece.boundary_id
      join districts d on d.id = b.district_id and d.type = any(${TOWNS}::district_type[])
      order by r.index, array_position(${TOWNS}::district_type[], d.type), d.id`.execute(this.db);
    const towns = new Map(found.map(({ index, name }) => [index - 1, name.replace(KIND_OF_PLACE, '')]));
    return rows.map((row, index) => streetOf(row, towns.get(index) ?? ''));
  }

  protected async upsert(rows: readonly StagedAddressRange[], streetIds: readonly number[]) {
    const lines = rows.map(({ line }) => `LINESTRING(${line.map((position) => position.join(' ')).join(',')})`);
    const { rows: written } = await sql<Written>`/* import.address-ranges */
      insert into address_ranges as p (street_id, from_number, to_number, side, is_mixed, zip, line, source_id, key)
      select street_id, from_number, to_number, side, is_mixed, zip, ST_GeomFromText(line, 4326), ${this.sourceId}, key
      from unnest(${streetIds}::int[], ${rows.map(({ from }) => from)}::int[], ${rows.map(({ to }) => to)}::int[],
        ${rows.map(({ side }) => side)}::text[], ${rows.map(({ isMixed }) => isMixed)}::boolean[],
        ${rows.map(({ zip }) => zip)}::text[],
        ${rows.map(({ key }) => key)}::text[], ${lines}::text[])
        as r (street_id, from_number, to_number, side, is_mixed, zip, key, line)
      on conflict (source_id, key) do update
      set street_id = excluded.street_id, from_number = excluded.from_number, to_number = excluded.to_number,
        side = excluded.side, is_mixed = excluded.is_mixed, zip = excluded.zip, line = excluded.line, updated_at = update_time()
      where row(p.street_id, p.from_number, p.to_number, p.side, p.is_mixed, p.zip, ST_AsBinary(p.line)) is distinct from
        row(excluded.street_id, excluded.from_number, excluded.to_number, excluded.side, excluded.is_mixed,
          excluded.zip, ST_AsBinary(excluded.line))
      returning key, xmax = 0 as is_new`.execute(this.db);
    return written;
  }
}

/** The kind of a place at the end of its name in Census files: `Barre city`. */
const KIND_OF_PLACE = / (city|town|village|borough|CDP|township)$/;
/** About five metres, in degrees of latitude. */
const ASIDE = 5e-5;

function middleOf({ line, side }: StagedAddressRange): readonly [number, number] {
  const at = Math.max(1, Math.floor(line.length / 2));
  const [[x0, y0], [x1, y1]] = [line[at - 1] ?? [0, 0], line[at] ?? [0, 0]];
  const length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const turn = side === 'R' ? 1 : -1;
  return [(x0 + x1) / 2 + (turn * ASIDE * (y1 - y0)) / length, (y0 + y1) / 2 - (turn * ASIDE * (x1 - x0)) / length];
}
