import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../src/gateway/exports/formats.ts';
import { operationsOf } from '../../src/gateway/rest/document.ts';
import { endpoints } from '../../src/gateway/rest/endpoints.ts';
import { failureSchema } from '../../src/gateway/rest/error-responses.ts';
import type { OpenApiDocument } from '../../src/gateway/rest/types.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
const service = useApp(database);
const published = useApp(database, { PUBLIC_URL: 'https://elections.example.org/' });

let document: OpenApiDocument;
beforeAll(async () => {
  const response = await service.app.inject('/openapi.json');
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  document = response.json();
});

describe('/openapi.json', () => {
  it('passes a linter', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    try {
      const file = join(folder, 'openapi.json');
      await writeFile(file, JSON.stringify(document));
      const redocly = join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js');
      const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const run = promisify(execFile)(process.execPath, [redocly, 'lint', '--format=json', file], { env: environment });
      const { stdout } = await run.catch((failed: { stdout: string }) => failed);
      expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 } });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('names the public address of the service where it is known', async () => {
    expect(document).toMatchObject({ servers: [{ url: '/' }] });
    const { servers } = (await published.app.inject('/openapi.json')).json();
    expect(servers).toEqual([{ url: 'https://elections.example.org' }]);
  });

  it('describes every path, and every parameter by the schema that reads it', () => {
    const lookups = endpoints.flatMap(({ paths }) => paths);
    expect(Object.keys(document.paths)).toEqual([
      ...lookups,
      '/getQueryList',
      '/getQueryResults',
      '/data/changes/files',
    ]);
    for (const { paths, parameters } of endpoints) {
      for (const path of paths) {
        const described = document.paths[path]?.get?.parameters ?? [];
        expect(described.map(({ name }) => name)).toEqual(Object.keys(parameters.shape));
        for (const { description } of described) expect(description.length).toBeGreaterThan(20);
      }
    }
    expect(document.paths['/data/officeholders']?.get?.parameters).toEqual([
      expect.objectContaining({
        name: 'lat',
        required: true,
        schema: { type: 'number', minimum: -90, maximum: 90 },
        example: 44.2601,
      }),
      expect.objectContaining({ name: 'long', required: true }),
      expect.objectContaining({
        name: 'collections',
        required: false,
        style: 'form',
        explode: false,
        schema: { type: 'array', items: { type: 'string', enum: ['social', 'contact'] }, minItems: 1, maxItems: 32 },
      }),
      expect.objectContaining({ name: 'include', required: false, style: 'form', explode: false }),
    ]);
  });

  it('describes the input and output of the bulk download', async () => {
    const { get } = document.paths['/getQueryList'] ?? {};
    const { post } = document.paths['/getQueryResults'] ?? {};
    expect([get?.operationId, post?.operationId]).toEqual(['listQueries', 'downloadQuery']);
    expect(document.components.schemas.ExportRequest).toMatchObject({
      required: ['id', 'format'],
      properties: { id: { pattern: expect.any(String) }, format: { enum: FORMAT_NAMES } },
    });
    const headers = { 'x-api-key': service.key('full') };
    const { data } = (await service.app.inject({ url: '/getQueryList', headers })).json();
    const described = document.components.schemas.StoredQuery?.required;
    for (const query of data) expect(Object.keys(query)).toEqual(described);
    const payload = post?.requestBody?.content['application/json'].example;
    expect(data.map(({ id }: { id: string }) => id)).toContain(payload?.id);
  });

  it('describes every field of every response', () => {
    const fields = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      Object.entries((schema.properties ?? {}) as Record<string, { description?: string; $ref?: string }>).map(
        ([field, property]) => [`${name}.${field}`, property] as const,
      ),
    );
    expect(fields.length).toBeGreaterThan(40);
    const envelope = /Response\.(success|data)$|^Failure\.success$|^ElectedOfficials\./;
    const bare = fields.filter(([name, { description, $ref }]) => !envelope.test(name) && !description && !$ref);
    expect(bare.map(([name]) => name)).toEqual([]);
  });

  it('says which paths answer without a key too', () => {
    const withoutKey = operationsOf(document).filter(({ operation }) => operation.security);
    expect(withoutKey.map(({ path }) => path)).toEqual(['/data/election_dates/list', '/data/elections_by_state']);
    for (const { operation } of withoutKey) expect(operation.security).toEqual([{}, { apiKey: [] }]);
  });

  it('names the key, the licence and the errors', () => {
    expect(document.components).toMatchObject({
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
    });
    expect(document.info.license).toEqual({ name: 'MIT', identifier: 'MIT' });
    for (const { path, operation } of operationsOf(document)) {
      const everywhere = ['200', '400', '401', '403', '408', '414', '415', '429', '431', '500', '503', '504'];
      const isFiles = path === '/data/changes/files';
      const ofChanges = path === '/data/changes' || isFiles ? ['410'] : [];
      const ofLookups = path.startsWith('/data/') ? [...(isFiles ? [] : ['304', '422']), ...ofChanges] : [];
      const others = path === '/getQueryResults' ? ['404', '413', '422'] : ofLookups;
      expect(Object.keys(operation.responses)).toEqual([...everywhere, ...others].toSorted());
    }
    for (const { content } of Object.values(document.components.responses as Record<string, ErrorResponse>)) {
      const { example } = content['application/json'];
      expect(failureSchema.strict().parse(example)).toEqual(example);
    }
  });
});

interface ErrorResponse {
  content: { 'application/json': { example: unknown } };
}
