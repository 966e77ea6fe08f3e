import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { ServiceError } from '../../../src/base/errors.ts';
import { LoadInProgressError } from '../../../src/importers/exchange/validation-errors.ts';
import { withdrawSource } from '../../../src/importers/load/editions/withdraw.ts';
import { DatasetError, loadFolder } from '../../../src/importers/load/load.ts';
import {
  mergeTwoPersons,
  recordsOfPerson,
  splitOffRecords,
  splitTwoPersons,
} from '../../../src/importers/load/persons/decide-persons.ts';
import { inOneTransaction } from '../../../src/importers/load/transaction.ts';
import type { Database } from '../../../src/store/sql/database.ts';
import { createDraw, type Draw } from '../../drawn/random.ts';
import { drawWorld } from '../../oracle/world.ts';
import { TABLES_OF_TYPES } from './dump.ts';

/** Changes the data in one way or another; an error that the command is meant to have leaves them as they are. */
export type Step = (db: Database, draw: Draw) => Promise<void>;

const PARTS = ['candidate_parties', 'ranked_choice_rounds', 'contacts', 'precinct_results', 'deadlines'];
const TABLES = [...Object.values(TABLES_OF_TYPES), ...PARTS];
const WORDS = ['A', 'B', 'Cedar', 'Won', 'Withdrew', 'On the Ballot', 'Approved', 'https://a.example', '2024-01-01'];

const idsOf = async (db: Database, table: string) => {
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} order by id`.execute(db);
  return rows.map(({ id }) => id);
};

/** Loads a country that is drawn at random: in place of the one before, or added to what is there. */
const load =
  (replace: boolean, ...files: string[]): Step =>
  async (db, draw) => {
    const world = drawWorld(createDraw(draw.integer(0, 2 ** 31)));
    const folder = await mkdtemp(join(tmpdir(), 'changes-'));
    const name = draw.pick(['One source', 'Another source']);
    try {
      for (const [file, text] of Object.entries({ ...world.files, 'dataset.json': JSON.stringify({ name }) }))
        if (files.length === 0 || files.includes(file) || file === 'dataset.json')
          await writeFile(join(folder, file), text);
      await loadFolder(db, folder, { replace });
    } finally {
      await rm(folder, { recursive: true });
    }
  };

const withdraw: Step = async (db, draw) => {
  await withdrawSource(db, draw.pick(['One source', 'Another source']), draw.chance(0.5) ? { state: 'AA' } : {});
};

const merge: Step = async (db, draw) => {
  const ids = await idsOf(db, 'persons');
  if (ids.length > 1) await inOneTransaction(db, false, (one) => mergeTwoPersons(one, draw.pick(ids), draw.pick(ids)));
};

const split: Step = async (db, draw) => {
  const { rows } = await sql<{ a: number; b: number }>`
    select person_id as a, merged_id as b from person_merges order by 1, 2`.execute(db);
  if (rows.length > 0) {
    const { a, b } = draw.pick(rows);
    return inOneTransaction(db, false, (one) => splitTwoPersons(one, a, b));
  }
  const ids = await idsOf(db, 'persons');
  if (ids.length === 0) return;
  const id = draw.pick(ids);
  const records = await recordsOfPerson(db, id);
  await inOneTransaction(db, false, (one) => splitOffRecords(one, id, records.slice(0, 1)).then(() => undefined));
};

interface ColumnOfTable {
  readonly name: string;
  readonly type: string;
}

/** Sets columns of some rows, deletes and adds some, each of which may be undone alone. */
const edit: Step = async (db, draw) => {
  await db.transaction().execute(async (one) => {
    for (let count = draw.integer(1, 12); count > 0; count--) {
      const table = draw.pick(TABLES);
      await sql`savepoint edited`.execute(one);
      try {
        await sql.raw(await editOf(one, draw, table)).execute(one);
        await sql.raw(draw.chance(0.1) ? 'rollback to edited' : 'set constraints all immediate').execute(one);
        // The note of the change would be counted now.
        await sql`set constraints all deferred`.execute(one);
      } catch {
        await sql`rollback to edited`.execute(one);
      }
    }
  });
};

async function editOf(db: Database, draw: Draw, table: string): Promise<string> {
  const { rows } = await sql<ColumnOfTable>`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname not like '%updated_at' and attname not in ('geometry', 'digest', 'source_id') order by attnum`.execute(
    db,
  );
  const column = draw.pick(rows);
  const some = `ctid in (select ctid from ${table} order by md5(${table}::text || '${draw.integer(1, 99)}') limit ${draw.integer(1, 4)})`;
  const another = `(select ${column.name} from ${table} order by md5(${table}::text || '${draw.integer(1, 99)}') limit 1)`;
  const names = rows.map(({ name }) => name).filter((name) => name !== 'id');
  if (draw.chance(0.1)) return `delete from ${table} where ${some}`;
  if (draw.chance(0.1) && names.length < rows.length)
    return `insert into ${table} (${names}) select ${names} from ${table} where ${some}`;
  const values: Record<string, string[]> = {
    text: WORDS.map((word) => `'${word}'`),
    boolean: ['true', 'false'],
    date: ["'2024-11-05'", "'2020-02-29'"],
    bigint: ['0', '5', '9000000000'],
    integer: [another, another, `${column.name} + 1000000`],
    smallint: ['1', '2', '3'],
  };
  return `update ${table} set ${column.name} = ${draw.pick(['null', another, another, ...(values[column.type] ?? [another])])} where ${some}`;
}

/** Adds what the drawn countries lack: parties, contacts, rounds and votes by precinct. */
const addParts: Step = async (db, draw) => {
  const number = draw.integer(1, 1_000_000);
  const one = (table: string) => `(select id from ${table} order by md5(id::text || '${number}') limit 1)`;
  const some = (table: string) => `${table} where md5(id::text || '${number}') < '5'`;
  for (const statement of [
    `insert into parties (name) values ('Party ${number}')`,
    `insert into candidate_parties (candidate_id, position, party_id) select id, 1, ${one('parties')} from ${some('candidates')} on conflict do nothing`,
    `insert into ranked_choice_rounds (candidate_id, round, votes_for) select id, 1, ${number} from ${some('candidates')}
      on conflict (candidate_id, round) do update set votes_for = excluded.votes_for`,
    `insert into contacts (person_id, collection, contact_type, contact) select id, 'contact', 'Phone', '${number}' from ${some('persons')}`,
    `insert into contacts (officeholder_id, collection, contact_type, contact) select id, 'social', 'Mastodon', 'https://${number}.example' from ${some('officeholders')}`,
    `insert into precinct_results (race_id, source_id, file, county, town, precinct, candidate_ids, votes)
      select race_id, (select min(id) from sources), 'a.csv', 'A', '', '${number}', array[id], array[${number % 1000}] from ${some('candidates')} and exists (select from sources)`,
    `merge into districts as d using (select ${one('districts')} as id) as s on d.id = s.id when matched then update set url = 'https://${number}.example'`,
    `update ballot_measures set yes_votes_total = ${number} where id = ${one('ballot_measures')}`,
  ])
    await sql.raw(statement).execute(db);
};

/** Removes all rows of a table and of those that refer to it. */
const truncate: Step = async (db, draw) => {
  await sql
    .raw(
      `truncate ${draw.pick(['candidates', 'contacts', 'races', 'ballot_measures', 'voting_places', 'deadlines', 'parties'])} cascade`,
    )
    .execute(db);
};

/** Changes much, and undoes it. */
const undo: Step = async (db, draw) => {
  const number = draw.integer(0, 2 ** 31);
  const undone = new Error('undone');
  await db
    .transaction()
    .execute(async (one) => {
      await addParts(one, createDraw(number));
      await sql`delete from candidates`.execute(one);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
};

export const STEPS: Readonly<Record<string, Step>> = {
  'a country in place of the one before': load(true),
  'places and deadlines that are added': load(false, 'voting_places.csv', 'deadlines.csv'),
  'the persons and terms of another country': load(true, 'offices.csv', 'persons.csv', 'officeholders.csv'),
  'places and deadlines of another country': load(true, 'voting_places.csv', 'deadlines.csv'),
  'a withdrawal': withdraw,
  'a merge': merge,
  'a split': split,
  edits: edit,
  parts: addParts,
  'a truncated table': truncate,
  'a transaction that is undone': undo,
};

/**
 * Runs a step.
 * @returns false if the command was rejected, as some are that are drawn at random: a merge of two candidates of one race. So are
 * those that meet another one.
 */
export async function runStep(db: Database, name: string, draw: Draw): Promise<boolean> {
  try {
    await STEPS[name]?.(db, draw);
    return true;
  } catch (error) {
    if (
      error instanceof ServiceError ||
      error instanceof DatasetError ||
      error instanceof LoadInProgressError ||
      REJECTED.has(String((error as { code?: unknown }).code))
    )
      return false;
    throw error;
  }
}

/** The codes of PostgreSQL for data that its constraints reject, such as a row that exists already, and for two writers that wait for each other. */
const REJECTED = new Set(['23503', '23505', '23514', '23P01', '23502', '40P01']);

/** Whether a step loads a data set. */
export const isImport = (name: string): boolean => /country|added/.test(name);
