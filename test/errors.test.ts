import { expect, it } from 'vitest';
import { ServiceError, toServiceError } from '../src/base/errors.ts';

const coded = (code: string) => Object.assign(new Error('of the database'), { code });

it.each([
  ['57P01', 'STORE_UNAVAILABLE', 'cannot be reached'],
  ['53300', 'STORE_UNAVAILABLE', 'cannot be reached'],
  ['57P05', 'STORE_UNAVAILABLE', 'cannot be reached'],
  ['08006', 'STORE_UNAVAILABLE', 'cannot be reached'],
  ['08P01', 'STORE_UNAVAILABLE', 'cannot be reached'],
  ['ECONNREFUSED', 'STORE_UNAVAILABLE', 'cannot be reached'],
  ['53100', 'STORE_UNAVAILABLE', 'out of space'],
  ['53200', 'STORE_UNAVAILABLE', 'out of space'],
  ['40001', 'STORE_UNAVAILABLE', 'are being replaced'],
  ['40P01', 'STORE_UNAVAILABLE', 'are being replaced'],
  ['57014', 'DEADLINE_EXCEEDED', 'longer than its time limit'],
  ['42P01', 'INTERNAL', 'on our side'],
  ['ENOENT', 'INTERNAL', 'on our side'],
])('the database error %s is reported as %s', (code, expected, text) => {
  const reported = toServiceError(coded(code));
  expect(reported.code).toBe(expected);
  expect(reported.message).toContain(text);
  expect(reported.message).not.toContain('of the database');
});

it('a statement that was cancelled while a geometry was computed is reported as one that took too long', () => {
  const cancelled = 'lwgeom_intersection_prec: GEOS Error: InterruptedException: Interrupted!';
  expect(toServiceError(Object.assign(new Error(cancelled), { code: 'XX000' })).code).toBe('DEADLINE_EXCEEDED');
});

it.each([
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'lost connection to parallel worker',
  'parallel worker failed to initialize',
])('the error of a broken connection is reported as STORE_UNAVAILABLE: %s', (message) => {
  expect(toServiceError(new Error(message)).code).toBe('STORE_UNAVAILABLE');
});

it('uses the first of several errors, and keeps a service error unchanged', () => {
  const own = new ServiceError('NOT_FOUND', 'There is nothing at this address.');
  expect(toServiceError(own)).toBe(own);
  expect(toServiceError(new AggregateError([coded('ECONNREFUSED'), own])).code).toBe('STORE_UNAVAILABLE');
  expect(toServiceError('a text').code).toBe('INTERNAL');
});
