import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { createApiKey, setPackage } from '../../src/gateway/access/access.store.ts';
import { endpoints } from '../../src/gateway/rest/endpoints.ts';
import type { Database } from '../../src/store/sql/database.ts';
import type { AccessGrant } from '../../src/store/sql/tables.ts';
import type { TestApp } from './app.ts';

export type RestBody = { status: number; headers: LightMyRequestResponse['headers']; body: Body };

// biome-ignore lint/suspicious/noExplicitAny: tests inspect responses of every shape
type Body = any;

/** Creates a key of a new package. */
export async function keyWith(db: Database, name: string, grants: readonly AccessGrant[]): Promise<string> {
  await setPackage(db, { name, grants });
  return createApiKey(db, name);
}

/**
 * Requests a REST path with a key, or with the key of a package. A successful response is checked against the OpenAPI
 * document.
 */
export async function get(service: TestApp, url: string, keyOrPackage = 'full'): Promise<RestBody> {
  const key = keyOrPackage.startsWith('bg_') ? keyOrPackage : service.key(keyOrPackage);
  const response = await service.app.inject({ url, headers: { 'x-api-key': key } });
  const body = response.json() as Body;
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  if (response.statusCode === 200) {
    const endpoint = endpoints.find(({ paths }) => paths.includes(url.split('?')[0] ?? ''));
    const message = body.message === null ? null : expect.stringContaining('look exchanged');
    expect(body).toEqual({ success: true, data: expect.anything(), message });
    // Parsing removes undescribed properties.
    expect(endpoint?.data.parse(body.data)).toEqual(body.data);
  }
  return { status: response.statusCode, headers: response.headers, body };
}

type Plain = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'date';
type FieldType = Plain | 'null' | `${Plain} | null`;

/**
 * Compares objects with a field table of the specification: exactly these fields, each of its type, and each nullable
 * field null at least once and non-null at least once, so that no other table matches.
 */
export function expectFields(objects: readonly Body[], fields: Readonly<Record<string, FieldType>>): void {
  expect(objects.length).toBeGreaterThan(0);
  for (const object of objects) {
    expect(Object.keys(object).sort()).toEqual(Object.keys(fields).sort());
  }
  for (const [field, type] of Object.entries(fields)) {
    const seen = new Set(objects.map((object) => plainTypeOf(object[field], type)));
    expect([field, [...seen].sort()]).toEqual([field, type.split(' | ').sort()]);
  }
}

function plainTypeOf(value: unknown, expected: string): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'empty array' : 'array';
  if (typeof value === 'number')
    return Number.isInteger(value) && !expected.startsWith('number') ? 'integer' : 'number';
  if (typeof value === 'string' && expected.startsWith('date') && /^\d{4}-\d\d-\d\d$/.test(value)) return 'date';
  return typeof value;
}
