import { expect, it } from 'vitest';
import { Caches } from '../src/base/lru-caches.ts';

const [GREEDY, OTHER] = [1, 2];
const sizeCalculation = (value: string) => value.length;
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

it.each([
  ['its number of entries', { max: 100 }, 100],
  ['their sizes', { maxSize: 500, sizeCalculation }, 100],
  [
    'their sizes, of which some are large',
    { maxSize: 500, sizeCalculation: (value: string) => 5 + (Number(value) % 20) },
    60,
  ],
])('a key with ten times as many texts as fit leaves those of another in a cache limited by %s', (_, limit, most) => {
  const cache = new Caches().open<string, string>('documents', limit);
  const others = numbers(most / 4).map((n) => `other ${n}`);
  for (const text of others) cache.set(text, '00000', OTHER);
  for (const n of numbers(most * 10)) cache.set(`text ${n}`, String(n).padStart(5, '0'), GREEDY);
  expect(others.filter((text) => cache.get(text) === undefined)).toEqual([]);
  // The key has what it used last.
  expect(cache.get(`text ${most * 10 - 1}`)).toBeDefined();
  expect(cache.evictions).toBeGreaterThan(most * 9);
});

it('what a key still uses stays, and what is gone no longer counts for it', () => {
  const cache = new Caches().open<string, string>('documents', { max: 10 });
  cache.set('used', 'used', GREEDY);
  for (const n of numbers(50)) {
    cache.set(`text ${n}`, 'text', GREEDY);
    expect(cache.get('used')).toBe('used');
  }
  // Entries of no key replace all of them.
  for (const n of numbers(10)) cache.set(`new ${n}`, 'new');
  for (const n of numbers(5)) cache.set(`again ${n}`, 'again', GREEDY);
  for (const n of numbers(5)) cache.set(`again ${n}`, 'set twice', GREEDY);
  expect(numbers(5).map((n) => cache.get(`again ${n}`))).toEqual(Array(5).fill('set twice'));
});

it('what is larger than the whole cache is not stored, and does not count for its key', () => {
  const cache = new Caches().open<string, string>('documents', { maxSize: 100, sizeCalculation });
  for (const n of numbers(5)) cache.set(`too large ${n}`, 'x'.repeat(101), GREEDY);
  cache.set('small', 'small', GREEDY);
  expect(cache.get('too large 0')).toBeUndefined();
  expect(cache.get('small')).toBe('small');
});
