import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import pg from 'pg';
import { BallotgraphError } from '../../../clients/typescript/src/error.ts';
import { type Batch, follow, type Position } from '../../../clients/typescript/src/follow.ts';
import { codeOf } from '../../base/errors.ts';
import { writeLine } from '../../base/progress.ts';
import { pathArgument } from './command.ts';

/** Where a copy is kept. */
export interface Copy {
  /** Where it was when it was stored last; undefined for a new one. */
  readonly position: Position | undefined;
  /** Stores the records and the position in one step. */
  store(batch: Batch): Promise<void>;
  close(): Promise<void>;
}

export function addFollowCommand(program: Command): void {
  program
    .command('follow')
    .description('keep a copy of the data of a gateway by its feed of changes; needs no database of this service')
    .argument('<url>', 'the address of the gateway, such as https://gateway.example.org')
    .requiredOption('--key <key>', 'an API key of that gateway')
    .requiredOption('--into <target>', 'a folder, or a PostgreSQL database: postgres://…')
    .action(async (url: string, { key, into }: { key: string; into: string }) => {
      let copy: Copy | undefined;
      try {
        const endpoint = new URL(`${url.replace(/\/(graphql)?$/, '')}/graphql`).href;
        copy = await (/^postgres(ql)?:/.test(into) ? openTables(into) : openFolder(pathArgument(into)));
        for await (const batch of follow({ url: endpoint, apiKey: key, from: copy.position })) {
          await copy.store(batch);
          const { changes, isUpToDate, next } = batch;
          writeLine(`${changes.length} changes stored${isUpToDate ? ', up to date' : ''} (pass ${next.pass})`);
        }
      } catch (error) {
        // `fetch` and `URL` throw TypeErrors. Without its cause, the error is not taken for one of the database of this service.
        const cause = error instanceof TypeError ? (error.cause ?? error) : error;
        const where = error instanceof TypeError || error instanceof BallotgraphError ? url : '--into';
        throw new Error(`${where}: ${(cause as Error).message || codeOf(cause)}`);
      } finally {
        await copy?.close().catch(() => undefined);
      }
    });
}

/**
 * A copy in the table `ballotgraph_records`, with the position in another one: both are written in one transaction.
 */
export async function openTables(connectionString: string): Promise<Copy> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`create table if not exists ballotgraph_records
      (id text primary key, type text not null, record jsonb not null, pass integer not null);
    create table if not exists ballotgraph_position
      (is_only boolean primary key default true check (is_only), position jsonb not null)`);
  const { rows } = await client.query<{ position: Position }>('select position from ballotgraph_position');
  return {
    position: rows[0]?.position,
    async store({ records, removed, next, dropsEarlierPasses }) {
      await client.query('begin');
      await client.query(
        `insert into ballotgraph_records
          select record->>'id', record->>'__typename', record, $2 from jsonb_array_elements($1::jsonb) as record
          on conflict (id) do update set type = excluded.type, record = excluded.record, pass = excluded.pass`,
        [JSON.stringify(records), next.pass],
      );
      await client.query('delete from ballotgraph_records where id = any($1) or ($2 and pass < $3)', [
        ...[removed, dropsEarlierPasses, next.pass],
      ]);
      await client.query(
        'insert into ballotgraph_position (position) values ($1) on conflict (is_only) do update set position = excluded.position',
        [next],
      );
      await client.query('commit');
    },
    close: () => client.end(),
  };
}

/**
 * A copy in a folder: a file for each record, and `position.json`, which is written after them. Each file replaces an earlier one as a
 * whole, so that a copy that is killed has each record as it was or as it is, and tells the same changes again. One file for all would
 * have to be read and written whole at each start: 1 million records take minutes.
 */
export async function openFolder(folder: string): Promise<Copy> {
  const position = join(folder, 'position.json');
  const records = join(folder, 'records');
  await mkdir(records, { recursive: true });
  // Ids differ in the case of letters, which some file systems ignore.
  const fileOf = (id: string) => {
    const name = Buffer.from(id).toString('hex');
    return join(records, name.slice(-2), `${name}.json`);
  };
  async function put(file: string, value: object): Promise<void> {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(`${file}.new`, JSON.stringify(value), { flush: true });
    await rename(`${file}.new`, file);
  }
  const text = await readFile(position, 'utf8').catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  return {
    position: text === undefined ? undefined : JSON.parse(text),
    async store({ records: changed, removed, next, dropsEarlierPasses }) {
      for (const record of changed) await put(fileOf(record.id), { pass: next.pass, record });
      for (const id of removed) await rm(fileOf(id), { force: true });
      for (const name of dropsEarlierPasses ? await readdir(records, { recursive: true }) : []) {
        const file = join(records, name);
        if (name.endsWith('.json') && JSON.parse(await readFile(file, 'utf8')).pass < next.pass) await rm(file);
      }
      await put(position, next);
    },
    close: async () => undefined,
  };
}
