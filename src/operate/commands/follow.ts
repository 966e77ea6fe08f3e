import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
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
 * A copy in the file `records.ndjson` of a folder: for each batch the lines of its records, then that of its position, appended
 * at once. Lines that no position follows are of a batch that was cut off. It is the simplest layout that survives a kill:
 * nothing is overwritten, and what is obsolete goes when the file is opened, by writing it anew beside the old one.
 */
export async function openFolder(folder: string): Promise<Copy> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'records.ndjson');
  const kept = new Map<string, { readonly pass: number; readonly line: string }>();
  let [last, batch]: [Last | undefined, string[]] = [undefined, []];
  const old = await open(file, 'a+');
  for await (const line of old.readLines({ start: 0 })) {
    batch.push(line);
    // A line that was cut off does not end like this.
    if (!line.startsWith('{"drops') || !line.endsWith('}}')) continue;
    last = JSON.parse(line) as Last;
    for (const each of batch.slice(0, -1)) {
      const { id, pass } = JSON.parse(each);
      if (pass === undefined) kept.delete(id);
      else kept.set(id, { pass, line: each });
    }
    if (last.drops) for (const [id, { pass }] of kept) if (pass < last.position.pass) kept.delete(id);
    batch = [];
  }
  const log = await open(`${file}.new`, 'w');
  for (const { line } of kept.values()) await log.write(`${line}\n`);
  if (last) await log.write(`${JSON.stringify({ ...last, drops: false })}\n`);
  await log.sync();
  await rename(`${file}.new`, file);
  return {
    position: last?.position,
    async store({ records, removed, next: position, dropsEarlierPasses: drops }) {
      const values = records.map((record) => ({ id: record.id, pass: position.pass, record }));
      const lines = [...values, ...removed.map((id) => ({ id })), { drops, position }];
      await log.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      await log.datasync();
    },
    close: () => log.close(),
  };
}

/** The last line of a batch. */
interface Last {
  readonly drops: boolean;
  readonly position: Position;
}
