import { expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/config.ts';

it('reads the size of the response cache from RESPONSE_CACHE_BYTES', () => {
  expect(readConfig({ RESPONSE_CACHE_BYTES: '0' }).cacheBytes).toBe(0);
  expect(readConfig({}).cacheBytes).toBe(64 * 1024 * 1024);
});

it('rejects a variable with its former name and reports the present name', () => {
  const read = () => readConfig({ CACHE: '0', PORT: 'x' });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/^ {2}CACHE: was renamed; set RESPONSE_CACHE_BYTES instead$/m);
  expect(read, 'next to other problems').toThrow(/^ {2}PORT: /m);
});

it('ignores a former name that is empty', () => {
  expect(readConfig({ CACHE: '' }).cacheBytes).toBe(64 * 1024 * 1024);
});
