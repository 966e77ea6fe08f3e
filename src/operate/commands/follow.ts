import { createReadStream } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import pg from 'pg';
import { type Batch, follow, type Position } from '../../../clients/typescript/src/follow.ts';
import { folderError } from '../../base/folder-error.ts';
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
      const endpoint = new URL(url.replace(/\/(graphql)?$/, '').concat('/graphql')).href;
      const copy = await (/^postgres(ql)?:/.test(into) ? openTables(into) : openFolder(pathArgument(into)));
      try {
        for await (const batch of follow({ url: endpoint, apiKey: key, from: copy.position })) {
          await copy.store(batch);
          const { changes, isUpToDate, next } = batch;
          writeLine(`${changes.length} changes stored${isUpToDate ? ', up to date' : ''} (pass ${next.pass})`);
        }
      } finally {
        await copy.close();
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
 * A copy in the file `records.ndjson` of a folder: for each batch the lines of its records, then that of its position, written
 * at once. Lines that no position follows are of a batch that was cut off. It is the simplest layout that survives a
 * kill, as nothing is overwritten: the file is written anew, beside the old one, when it is opened and when a pass is complete.
 */
export async function openFolder(folder: string): Promise<Copy> {
  await mkdir(folder, { recursive: true }).catch((error) => {
    throw folderError('--into', folder, error);
  });
  const file = join(folder, 'records.ndjson');
  let position = await compact(file);
  let log = await open(file, 'a');
  return {
    position,
    async store({ records, removed, next, dropsEarlierPasses }) {
      const lines = [
        ...records.map((record) => ({ id: record.id, pass: next.pass, record })),
        ...removed.map((id) => ({ id })),
      ];
      await log.appendFile(
        [...lines, { position: next, dropsEarlierPasses }].map((line) => `${JSON.stringify(line)}\n`).join(''),
      );
      await log.datasync();
      if (!dropsEarlierPasses) return;
      await log.close();
      position = await compact(file);
      log = await open(file, 'a');
    },
    close: () => log.close(),
  };
}

/** Writes a file anew with the newest line of each record, and returns its position. */
async function compact(file: string): Promise<Position | undefined> {
  const kept = new Map<string, { readonly pass: number; readonly line: string }>();
  let position: Position | undefined;
  let batch: string[] = [];
  const log = await open(file, 'a');
  await log.close();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (!line.startsWith('{"position":') || !line.endsWith('}')) {
      batch.push(line);
      continue;
    }
    const end = JSON.parse(line);
    for (const each of batch) {
      const { id, pass } = JSON.parse(each);
      if (pass === undefined) kept.delete(id);
      else kept.set(id, { pass, line: each });
    }
    if (end.dropsEarlierPasses) for (const [id, { pass }] of kept) if (pass < end.position.pass) kept.delete(id);
    [position, batch] = [end.position, []];
  }
  const written = await open(`${file}.new`, 'w');
  for (const { line } of kept.values()) await written.write(`${line}\n`);
  if (position) await written.write(`${JSON.stringify({ position, dropsEarlierPasses: false })}\n`);
  await written.sync();
  await written.close();
  await rename(`${file}.new`, file);
  return position;
}
