import { dictionary } from '../../../base/dictionary.ts';
import type { RecordKind } from '../../../store/sql/tables.ts';
import { isBrokenName } from '../../exchange/broken-names.ts';
import { BadCell, errorsOfRow, quote, readCell, shown, type Value, visibleName } from '../../exchange/cells.ts';
import { type DatasetTable, LONGEST_TEXT, type TableName, tableOf } from '../../exchange/format.ts';
import {
  type Edition,
  type ExternalId,
  type ImportContext,
  ImportError,
  type ImportRow,
} from '../../exchange/import-rows.ts';
import { findOutside } from '../../facts/us-extent.ts';
import { checkGeometry, GeometryError } from '../../read/geometry.ts';
import { AMBIGUOUS, type Identities } from '../match/identities.ts';
import { matchRows } from '../match/match-rows.ts';
import type { ReferringRow } from '../match/matching.ts';
import type { LostVotes } from '../settle/lost-votes.ts';
import { AddedRecords, REPEATABLE, uniteDistricts } from './added-records.ts';
import { BoundaryStager } from './boundary-rows.ts';
import type { Staging } from './staging.ts';

const MOST_ROWS = 500;
/** The name of a record may contain its identifier. */
const LONGEST_SHOWN = 100;
/** The batch size of boundaries, whose coordinates are buffered and may be large. */
const MOST_BOUNDARIES = 20;
/** The types of columns without whose value a record is valid. */
const LINKS: ReadonlySet<string> = new Set(['url', 'image']);
/** The schemes of names that are made from the name of a person and an office or a race. */
const BY_NAME: ReadonlySet<string> = new Set(['candidacy', 'candidate']);

/** A record of an edition. */
export interface Brought {
  readonly edition: Edition;
  readonly kind: RecordKind;
  readonly id: number;
}

/** Stages the rows of a source under internal ids. Rows that cannot be staged go to the report. */
export class RowStager {
  /** The candidates whose rows are left out. */
  readonly lost: LostVotes[] = [];
  /** The records of editions that newer ones replace. */
  readonly brought: Brought[] = [];
  /** The editions of rows that are left out. */
  readonly left: Edition[] = [];
  readonly #context: ImportContext;
  readonly #staging: Staging;
  readonly #identities: Identities;
  readonly #boundaries: BoundaryStager;
  readonly #lines = new Map<TableName, number>();
  /** The name under which the first row of a record was added. */
  readonly #firstNames = new Map<string, string>();
  readonly #added = new AddedRecords();
  /** The names by which the source distinguishes persons and candidacies, by the record that each was taken for. */
  readonly #taken = new Map<string, ExternalId>();
  /** The staged rows of districts that another row of the source has supplied under another name. */
  readonly #repeated: number[] = [];
  #waiting: ImportRow[] = [];

  constructor(context: ImportContext, staging: Staging, identities: Identities) {
    this.#context = context;
    this.#staging = staging;
    this.#identities = identities;
    this.#boundaries = new BoundaryStager(context.db, staging);
  }

  /** The tables that have rows. */
  get tables(): Iterable<TableName> {
    return this.#lines.keys();
  }

  async add(row: ImportRow): Promise<void> {
    const [first] = this.#waiting;
    const most = row.table === 'boundaries' ? MOST_BOUNDARIES : MOST_ROWS;
    if (first && (first.table !== row.table || this.#waiting.length >= most)) await this.#work();
    this.#waiting.push(row);
  }

  async complete(): Promise<void> {
    await this.#work();
    await this.#boundaries.flush();
    if (this.#repeated.length === 0) return;
    await this.#staging.complete();
    await uniteDistricts(this.#context.db, this.#repeated);
  }

  /** Stages the buffered rows, which are of one table: all records that they reference already have an id. */
  async #work(): Promise<void> {
    const leftOut = new Set(this.#waiting);
    const rows = this.#waiting.filter((row) => !this.#isBroken(row));
    this.#waiting = [];
    const [first] = rows;
    if (!first) return;
    const table = tableOf(first.table);
    await this.#lookUp(table, rows);
    const referring = rows.flatMap((row) => this.#refer(table, row) ?? []);
    const ids = table.key.includes('id') ? await this.#identify(table, referring) : referring.map(() => null);
    for (const [index, each] of referring.entries()) {
      const id = ids[index];
      if (id === undefined) continue;
      leftOut.delete(each.row);
      for (const edition of each.row.editions ?? [])
        if (table.kind !== null && id !== null) this.brought.push({ edition, kind: table.kind, id });
      const isRepeated = this.#isStaged(each.row, id);
      if (isRepeated && table.name !== 'districts') continue;
      const line = await this.#stage(table, each, id);
      if (isRepeated) this.#repeated.push(line);
    }
    for (const { editions = [] } of leftOut) this.left.push(...editions);
    await this.#identities.flush();
  }

  /**
   * Returns whether an identifier of a row contains the text of a failed conversion; reports the row if so. An identifier without an end
   * ends the import, since no row that refers to it can be told from another.
   */
  #isBroken({ record, ids = [], labels = [], refs = {} }: ImportRow): boolean {
    const references = Object.values(refs).flatMap((given) => given ?? []);
    const all = [...ids, ...labels, ...references];
    const long = all.find(({ value }) => value.length > LONGEST_TEXT);
    if (long) {
      const { file, line } = this.#context.report.placeOf(record);
      const reason = `${long.scheme} ${quote(long.value)} is longer than ${LONGEST_TEXT} characters`;
      throw new ImportError(file === null ? `${record.slice(0, LONGEST_SHOWN)}: ${reason}` : reason, file, line);
    }
    const broken = all.find(({ value }) => isBrokenName(value));
    if (!broken) return false;
    const reason = `${broken.scheme} … contains the text of a failed conversion, such as NaN or undefined`;
    this.#context.report.add(record, 'left-out', reason, quote(broken.value));
    return true;
  }

  /**
   * Returns whether another record of the source has supplied the record: a candidate for two offices is two persons in a
   * source that has names only, and one in the database; a town that a source names in two ways is one district. A source
   * that has one record twice under one name is an error, which a later check finds. A person who was merged into another
   * record is part of that record.
   */
  #isStaged({ table, ids }: ImportRow, id: number | null): boolean {
    if (id === null || (table !== 'persons' && !REPEATABLE.has(table))) return false;
    if (table === 'persons' && ids?.some((each) => this.#identities.isMerged(each))) return true;
    const name = `${ids?.[0]?.scheme} ${ids?.[0]?.value}`;
    const key = `${table} ${id}`;
    const first = this.#firstNames.get(key) ?? name;
    this.#firstNames.set(key, first);
    return first !== name;
  }

  async #lookUp(table: DatasetTable, rows: readonly ImportRow[]): Promise<void> {
    const all = new Map<RecordKind, ExternalId[]>();
    const push = (kind: RecordKind | null, list: readonly ExternalId[]) => {
      if (kind === null) return;
      const known = all.get(kind) ?? [];
      known.push(...list);
      all.set(kind, known);
    };
    for (const row of rows) {
      push(table.kind, row.ids ?? []);
      push(table.kind, row.labels ?? []);
      for (const [column, name] of Object.entries(row.refs ?? {})) {
        if (name) push(kindOf(table, column), [name].flat());
      }
    }
    for (const [kind, list] of all) await this.#identities.lookUp(kind, list);
  }

  /** Records that a race lacks a candidate, whose row is left out. */
  #lose({ table, refs = {}, values, leftOut }: ImportRow): void {
    if (table !== 'candidates' || values.votes_for_cand === undefined) return;
    const votes = Number(values.votes_for_cand ?? Number.NaN);
    for (const name of [refs.race_id ?? []].flat()) {
      const race = this.#identities.find('race', name);
      if (race !== undefined)
        this.lost.push({ race, votes: Number.isSafeInteger(votes) ? votes : null, isOther: leftOut === 'other' });
    }
  }

  #refer(table: DatasetTable, row: ImportRow): ReferringRow | undefined {
    if (row.leftOut) {
      this.#lose(row);
      return undefined;
    }
    const refs: Record<string, number | null> = dictionary();
    const lists: Record<string, string> = dictionary();
    for (const [column, given] of Object.entries(row.refs ?? {})) {
      const ids: number[] = [];
      for (const name of [given ?? []].flat()) {
        const id = this.#identities.find(kindOf(table, column), name);
        if (id === undefined || id === AMBIGUOUS) {
          const why = id === AMBIGUOUS ? 'is the name of more than one record' : 'is not known';
          this.#context.report.add(row.record, 'left-out', `${column}: ${name.scheme} … ${why}`, name.value);
          this.#lose(row);
          return undefined;
        }
        ids.push(id);
      }
      if (Array.isArray(given)) lists[column] = ids.join(';');
      else refs[column] = ids[0] ?? null;
    }
    return { row, refs, lists };
  }

  /** Returns the id of each row; undefined if the row has to be left out. */
  async #identify(table: DatasetTable, rows: readonly ReferringRow[]): Promise<(number | undefined)[]> {
    const kind = table.kind;
    if (kind === null) throw new ImportError(`Rows of ${table.name} have no identity`);
    const known = rows.map(({ row }) => this.#known(kind, row));
    const unknown = rows.filter((_, index) => known[index] === undefined);
    const found = await matchRows(this.#context.db, this.#identities, unknown);
    const matched = new Map(unknown.map(({ row }, index) => [row, found[index]]));
    const added = unknown.map(({ row }) => row).filter((row) => matched.get(row) === undefined);
    const allocated = await this.#identities.allocate(table.name, added.map(firstName));
    const free = new Map(added.map((row, index) => [row, allocated[index]]));
    const ids: (number | undefined)[] = [];
    for (const [index, each] of rows.entries()) {
      const { row } = each;
      const own = free.get(row);
      // An earlier row may have added the name, or the record under another name.
      const found =
        known[index] ??
        matched.get(row) ??
        this.#known(kind, row) ??
        (own === undefined ? own : this.#added.idOf(each, own));
      const isOther = found !== undefined && found !== AMBIGUOUS && this.#isTaken(kind, row, found);
      const id = isOther ? (own ?? (await this.#identities.allocate(table.name, [firstName(row)]))[0]) : found;
      if (id === AMBIGUOUS) {
        this.#context.report.add(row.record, 'left-out', `matches more than one ${kind} in the database`);
        this.#lose(row);
      } else if (id !== undefined) this.#learn(kind, row, id);
      ids.push(id === AMBIGUOUS ? undefined : id);
    }
    return ids;
  }

  /**
   * Returns whether the source has another record of its own for a person or a candidacy: two of a source are two, although both
   * have the name of one that is stored. Names of candidacies are made from those of persons, and do not distinguish them.
   */
  #isTaken(kind: RecordKind, { ids: [first] = [] }: ImportRow, id: number): boolean {
    if ((kind !== 'person' && kind !== 'candidate') || !first || BY_NAME.has(first.scheme)) return false;
    const taken = this.#taken.get(`${kind} ${id}`) ?? first;
    const isKnown = this.#identities.find(kind, first) === id;
    if (taken === first || isKnown) this.#taken.set(`${kind} ${id}`, first);
    return !isKnown && taken.scheme === first.scheme && taken.value !== first.value;
  }

  /** Returns the id of the record that the best name maps to. */
  #known(kind: RecordKind, row: ImportRow): number | undefined {
    for (const name of row.ids ?? []) {
      const id = this.#identities.find(kind, name);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  #learn(kind: RecordKind, row: ImportRow, id: number): void {
    for (const name of [...(row.ids ?? []), ...(row.labels ?? [])]) {
      const other = this.#identities.find(kind, name);
      if (other === undefined) this.#identities.learn(kind, name, id);
      else if (other !== id) {
        const why = `${name.scheme} … is the name of another ${kind} already`;
        this.#context.report.add(row.record, 'left-out', why, name.value);
      }
    }
  }

  /** Stages a row, or reports why it is invalid; returns its line. */
  async #stage(table: DatasetTable, { row, refs, lists }: ReferringRow, id: number | null): Promise<number> {
    const line = (this.#lines.get(table.name) ?? 0) + 1;
    this.#lines.set(table.name, line);
    const read = table.columns.map((column) => {
      const value = column.name === 'id' ? id : (refs[column.name] ?? lists[column.name] ?? row.values[column.name]);
      const written = value === null || value === undefined ? '' : String(value);
      const visible = visibleName(column, written);
      if (visible !== written)
        this.#context.report.add(
          row.record,
          'invisible-characters',
          `${column.name}: invisible or control characters are removed`,
          shown(written),
        );
      const cell = readCell(column, visible);
      if (!LINKS.has(column.type) || !(cell instanceof BadCell)) return cell;
      // The record is valid without its link.
      this.#context.report.add(row.record, 'left-out', `${cell.column}: is not a web address`, cell.reason);
      return null;
    });
    const bad = errorsOfRow(table, read);
    if (bad.length > 0) {
      this.#lose(row);
      for (const { column, reason } of bad) this.#context.report.add(row.record, 'left-out', `${column}: ${reason}`);
      return line;
    }
    const values = read as readonly Value[];
    const place = { line, origin: row.record };
    if (table.name !== 'boundaries') {
      await this.#staging.add(table, { ...place, values });
      return line;
    }
    try {
      const geometry = checkGeometry(row.geometry);
      const outside = findOutside(row.geometry);
      if (outside) throw new GeometryError(outside);
      await this.#boundaries.add(values, geometry, place);
    } catch (error) {
      if (!(error instanceof GeometryError)) throw error;
      this.#context.report.add(row.record, 'left-out', `geometry: ${error.message}`);
    }
    return line;
  }
}

/** Returns the name from which a new record's id is computed. */
function firstName({ table, record, ids: [first] = [] }: ImportRow): ExternalId {
  if (!first) throw new ImportError(`${record}: a record of ${table} needs an external identifier`);
  return first;
}

function kindOf(table: DatasetTable, column: string): RecordKind {
  const target = table.columns.find(({ name }) => name === column)?.references;
  const kind = target && tableOf(target).kind;
  if (!kind) throw new ImportError(`${table.name}.${column} does not refer to records`);
  return kind;
}
