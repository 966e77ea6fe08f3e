import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Config } from '../../base/config/config.ts';
import type { ExportConfig } from '../../base/config/export-config.ts';
import { ServiceError } from '../../base/errors.ts';
import { requireGrant } from '../../graph/builder/caller.ts';
import { closedRanges } from '../../graph/changes/changes.ts';
import type { DatabaseBackend } from '../../store/backend.ts';
import { createLookupCache } from '../../store/reading/lookup-cache.ts';
import { rejectOutdatedData } from '../../store/replica-lag.ts';
import { findActiveKey } from '../access/access.store.ts';
import type { Routes } from '../graphql/surface.ts';
import { success } from '../http/envelope.ts';
import { publicOrigin } from '../http/public-origin.ts';
import { createParameterReader, type Query } from '../http/read-parameters.ts';
import { changeFilesSchema, fileOfChanges } from './change-files.ts';
import { sendFile } from './download.ts';
import { readExportRequest } from './export-request.ts';
import { createExporter } from './exporter.ts';
import type { FileStore } from './file-store.ts';
import { FILES_PATH, LocalFiles } from './local-files.ts';
import type { QueryLibrary } from './query-library.ts';
import type { RowSource } from './read-rows.ts';
import { signingKeysOf } from './signing-keys.ts';

/** Maximum number of files of changes in one response. */
const FILES_OF_CHANGES = 20;
const readChangeFiles = createParameterReader(changeFilesSchema);
const CLEANING_MS = 10 * 60 * 1_000;
/** Time left to send the response after an export has reached its own limit. */
const ANSWERING_MS = 5_000;
/** Time limit for a download over a slow connection. */
const DOWNLOAD_LIMIT_MS = 6 * 60 * 60 * 1_000;

/**
 * Creates the routes of the bulk download (contract, Bulk): the list of stored queries, links to files with their
 * results, and the files themselves if they are stored locally.
 */
export const exportRoutes =
  (queries: QueryLibrary): Routes =>
  async (app, { config, backend }) => {
    const { exports } = config;
    const files = await openFiles(exports);
    const exporter = createExporter({
      ...exports,
      source: sourceOf(backend, config),
      files,
      log: app.log,
    });
    const clean = () => exporter.clean().catch((err) => app.log.warn({ err }, 'old files could not be removed'));
    const cleaning = setInterval(clean, CLEANING_MS).unref();
    void clean();
    app.addHook('preClose', async () => exporter.close());
    app.addHook('onClose', async () => clearInterval(cleaning));

    const onRequest = app.authenticate((caller) => requireGrant(caller, 'bulk', 'bulk download'));

    app.get('/getQueryList', { onRequest }, async (request, reply) => {
      const list = await queries.list(app.contextOf(request).caller);
      reply.header('cache-control', 'private, no-store');
      return success(list.map(({ id, title, description }) => ({ id, title, description })));
    });

    const deadlineMs = exports.timeoutMs + ANSWERING_MS;
    app.post('/getQueryResults', { onRequest, config: { deadlineMs, workKind: 'export' } }, async (request, reply) => {
      const { id, format } = readExportRequest(request.body);
      const { caller, db, today } = app.contextOf(request);
      const query = await queries.find(id, caller);
      if (!query)
        throw new ServiceError('NOT_FOUND', 'There is no stored query with this id. GET /getQueryList lists them.');
      const file = await exporter.fileOf(query, format, {
        db,
        today,
        keyId: caller.keyId,
        abortSignal: request.abortSignal,
      });
      reply.header('cache-control', 'private, no-store');
      return success(
        { url: await files.link(file, exports.linkSeconds, publicOrigin(app, config), caller.keyId) },
        'Success',
      );
    });

    const options = { onRequest, config: { deadlineMs, workKind: 'export' as const } };
    app.get('/data/changes/files', options, async (request, reply) => {
      const { after } = readChangeFiles(request.query as Query);
      const context = app.contextOf(request);
      const { keyId } = context.caller;
      const ranges = await closedRanges(context, after, FILES_OF_CHANGES);
      const found = await Promise.all(
        ranges.map(async (range) => {
          const lasting = fileOfChanges(backend.db, range);
          const file = await exporter.lastingFileOf(lasting, { keyId, abortSignal: request.abortSignal });
          const url = await files.link(file, exports.linkSeconds, publicOrigin(app, config), keyId);
          return { url, name: file.name, from: range.from, to: range.to };
        }),
      );
      reply.header('cache-control', 'private, no-store');
      return success({ files: found, next: ranges.at(-1)?.to ?? after });
    });

    if (files instanceof LocalFiles) serveFiles(app, files, backend);
  };

/** Returns the database connection for stored queries, which have their own limits. */
function sourceOf({ kind, pool }: DatabaseBackend, { database, exports: { databaseUrl } }: Config): RowSource {
  const common = { ...pool.options, statement_timeout: 0 };
  if (databaseUrl === undefined) {
    const session =
      kind === 'embedded' ? { take: () => takeSession(pool), limitMs: database.statementTimeoutMs } : undefined;
    return { kind, connection: common, session };
  }
  const { connectionTimeoutMillis } = common;
  return { kind: 'server', connection: { connectionString: databaseUrl, connectionTimeoutMillis } };
}

async function takeSession(pool: pg.Pool): Promise<() => void> {
  const client = await pool.connect();
  let isTaken = true;
  return () => {
    if (isTaken) client.release();
    isTaken = false;
  };
}

async function openFiles({ files }: ExportConfig): Promise<FileStore> {
  if (files.kind === 'local') {
    const { folder, keys } = files;
    return new LocalFiles(folder, keys ? async () => keys : signingKeysOf(folder));
  }
  // Loaded on demand: the SDK is large, and most deployments do not use it.
  const { S3Files } = await import('./s3-files.ts');
  return new S3Files(files.settings);
}

/** Maximum number of cached keys for links that are in use. */
const CACHED_KEYS = 10_000;

function serveFiles(app: FastifyInstance, files: LocalFiles, backend: DatabaseBackend): void {
  const activeKeys = createLookupCache({ lookup: (id) => findActiveKey(backend.db, Number(id)), size: CACHED_KEYS });
  app.get(`${FILES_PATH}/*`, { config: { deadlineMs: DOWNLOAD_LIMIT_MS } }, async (request, reply) => {
    rejectOutdatedData(backend.lag);
    const linked = await files.resolveLink(request.raw.url ?? '');
    if (!linked || !(await activeKeys(String(linked.keyId)))) {
      throw new ServiceError('FORBIDDEN', 'This link has expired or was altered. Request a new one.');
    }
    return sendFile(request, reply, files.folder, linked.path);
  });
}
