import { describe, expect, it } from 'vitest';
import { digestOf, generateApiKey, isApiKey, prefixOf } from '../../src/gateway/access/api-key.ts';
import { DEMO_KEY } from '../../src/gateway/access/demo-key.ts';

const key = `bg_abcd2345_${'x'.repeat(43)}`;

describe('the format of an API key', () => {
  it('matches 1,000 new keys, which all differ in prefix and secret', () => {
    const keys = Array.from({ length: 1_000 }, generateApiKey);
    expect(keys.filter(isApiKey)).toHaveLength(1_000);
    expect(new Set(keys.map(prefixOf)).size).toBe(1_000);
    expect(new Set(keys.map((one) => one.slice(12))).size).toBe(1_000);
    expect(keys.every((one) => /^bg_[a-z]/.test(one))).toBe(true);
  });

  it('matches the demo key', () => expect(isApiKey(DEMO_KEY)).toBe(true));

  it.each([
    ['empty', ''],
    ['another scheme', key.replace('bg_', 'gb_')],
    ['short', key.slice(0, -1)],
    ['long', `${key}x`],
    ['with a line break', `${key.slice(0, -1)}\n`],
    ['with a blank', ` ${key.slice(1)}`],
    ['upper-case prefix', key.replace('abcd', 'ABCD')],
    ['with a character beyond base64url', `${key.slice(0, -1)}+`],
  ])('rejects a text that is %s', (_, text) => expect(isApiKey(text)).toBe(false));

  it.each([key, 'bg_abcd2345', 'abcd2345'])('has the prefix abcd2345: %s', (text) =>
    expect(prefixOf(text)).toBe('abcd2345'),
  );

  it('is stored as SHA-256', () =>
    expect(digestOf('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'));
});
