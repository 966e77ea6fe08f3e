import { describe, expect, it } from 'vitest';
import { normalText, POSTAL_STATES } from '../../src/base/words/address-words.ts';
import {
  DIRECTION_WORDS,
  NUMBERED_UNIT_WORDS,
  SUFFIX_WORDS,
  UNNUMBERED_UNIT_WORDS,
  WORDS,
} from '../../src/base/words/postal-words.ts';
import { readAddress } from '../../src/graph/places/read-address.ts';
import { DIRECTIONS, MILITARY_STATES, NUMBERED_UNITS, STATES, SUFFIXES, UNNUMBERED_UNITS } from './publication-28.ts';

const entriesOf = (table: string) =>
  table
    .trim()
    .split(/[|\n]/)
    .map((entry) => entry.toLowerCase().split(' '));

describe('the tables of Publication 28', () => {
  it.each(entriesOf(SUFFIXES))('%s is one suffix in all its spellings', (name = '', ...spellings) => {
    const word = WORDS.get(name);
    expect(word).toBeDefined();
    expect(SUFFIX_WORDS.has(word ?? '')).toBe(true);
    for (const spelling of spellings) {
      // The publication lists MDW for two suffixes.
      if (spelling !== 'mdw') expect([spelling, WORDS.get(spelling)]).toEqual([spelling, word]);
    }
  });

  it('have every suffix of ours', () => {
    const known = new Set(entriesOf(SUFFIXES).flat());
    expect([...SUFFIX_WORDS].filter((word) => !known.has(word))).toEqual([]);
  });

  it.each(entriesOf(DIRECTIONS))('%s is a direction', (name = '', short = '') => {
    expect([WORDS.get(name), WORDS.get(short), DIRECTION_WORDS.has(name)]).toEqual([name, name, true]);
    expect(DIRECTION_WORDS.size).toBe(8);
  });

  it.each(entriesOf(NUMBERED_UNITS))('%s with a number is a unit', (...spellings) => {
    for (const each of spellings) {
      expect(NUMBERED_UNIT_WORDS.has(each)).toBe(true);
      expect(readAddress(`12 Maple St ${each} 3, Dover`)[0]?.words.join(' '), each).toBe('maple street dover');
    }
  });

  it.each(entriesOf(UNNUMBERED_UNITS))('%s is a unit', (...spellings) => {
    for (const each of spellings) {
      expect(UNNUMBERED_UNIT_WORDS.has(each)).toBe(true);
      expect(readAddress(`12 Maple St, ${each}, Dover`)[0]?.words.join(' '), each).toBe('maple street dover');
    }
  });

  it('have every state, possession and military state, and no other', () => {
    const known = STATES.trim()
      .split(/[|\n]/)
      .map((entry) => [entry.slice(0, 2).toLowerCase(), entry.slice(3).toLowerCase()] as const);
    const ours = POSTAL_STATES.map(({ postal, words }) => `${postal} ${words.join(' ')}`);
    for (const [postal, name] of known) expect(ours).toContain(`${postal} ${name}`);
    const codes = [...known.map(([postal]) => postal), ...MILITARY_STATES.map((code) => code.toLowerCase())];
    expect([...new Set(POSTAL_STATES.map(({ postal }) => postal))].sort()).toEqual(codes.sort());
  });
});

describe('words that are compared', () => {
  it.each([
    ['Washington St', 'washington street'],
    ['Texas Hill Rd', 'texas hill road'],
    ['Vermont Route 100', 'vt route 100'],
    ['Vermont Rte 100', 'vt route 100'],
    ['VT-100', 'vt 100'],
    ['VT100', 'vt 100'],
    ['US7', 'us 7'],
    ['United States Route 7', 'us route 7'],
    ['I-91 S', 'interstate 91 south'],
    ['SR 11', 'state route 11'],
    ['CR 5a', 'county road 5a'],
    ['First Ave', 'first avenue'],
    ['1st Ave', 'first avenue'],
    ['21st St', 'twenty first street'],
    ['Twenty-First St', 'twenty first street'],
    ['30th Ave', 'thirtieth avenue'],
    ['St. Paul St.', 'street paul street'],
    ['Mt Philo Rd', 'mount philo road'],
    ['Park Walks', 'park walk'],
    ['Oak Via', 'oak viaduct'],
  ])('%s is %s', (text, words) => {
    expect(normalText(text)).toBe(words);
  });
});
