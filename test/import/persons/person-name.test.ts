import { describe, expect, test } from 'vitest';
import { areForms } from '../../../src/base/words/first-names.ts';
import { compareNames, parsePersonName } from '../../../src/importers/facts/person-name.ts';

function parsed(name: string, last?: string) {
  const found = parsePersonName(name, last);
  if (!found) throw new Error(`${name} is not the name of a person`);
  return found;
}
const compared = (a: string, b: string, lastOfB?: string) => compareNames(parsed(a), parsed(b, lastOfB));

describe('the parts of a name', () => {
  test.each([
    ['Ann Bell', undefined, ['ann'], [], 'bell', ''],
    ['BELL', 'Bell', undefined],
    ['Ann B. van der Bell, Jr.', 'van der Bell', ['ann', 'b'], [], 'vanderbell', 'jr'],
    ['William Z. "Zack" Fields', undefined, ['william', 'z'], ['zack'], 'fields', ''],
    ['William (Zack) Fields III', undefined, ['william'], ['zack'], 'fields', 'iii'],
    ["Dan O'Connell", "O'Connell", ['dan'], [], 'oconnell', ''],
    ['Dr. José Peña-Núñez', undefined, ['jose', 'pena'], [], 'nunez', ''],
    // Too short for a suffix: the last word is the last name.
    ['Ann V', undefined, ['ann'], [], 'v', ''],
  ])('of %s with the last name %s', (name, last, given, nicknames?: string[], found?: string, suffix?: string) => {
    expect(parsePersonName(name, last)).toEqual(
      given && { given, nicknames: nicknames ?? [], last: found ?? '', suffix: suffix ?? '' },
    );
  });
});

describe('names of one person', () => {
  test.each([
    ['Janet T. Mills', 'Janet Mills', 'same', false],
    ['Alma Adams', 'Alma S. Adams', 'same', false],
    ['Matthew M. Rosendale, Sr.', 'Matthew Rosendale', 'same', true],
    ['Daniel J. McKee', 'Dan McKee', 'same', false],
    ['Bernie Sanders', 'Bernard Sanders', 'same', false],
    ['W. Edward Crockett', 'Ed Crockett', 'same', false],
    ['Glenn M. "Mike" Prax', 'Mike Prax', 'same', false],
    ['J. Hill', 'James Hill', 'initial', false],
    ['Jona Hill', 'Jonathan Hill', 'loose', false],
    ['G. Lee Hill', 'Lee Hill', 'same', false],
    ['George Lee Hill', 'Lee Hill', 'loose', false],
    ['DEBRA MARIE SARINANA', 'Debbie Sariñana', 'same', false],
  ])('%s and %s', (a, b, first, suffixInOne) => {
    expect(compared(a, b)).toEqual({ first, suffixInOne });
    expect(compared(b, a)).toEqual({ first, suffixInOne });
  });

  test('agree where the source of one of them has a double last name', () => {
    expect(compared('Sarah Copeland Hanzas', 'Sarah L. Copeland Hanzas', 'Copeland Hanzas')?.first).toBe('same');
    expect(compared('Day M. Hochman-Vigil', 'Day Hochman-Vigil', 'Hochman-Vigil')?.first).toBe('same');
  });

  test.each([
    ['Ann Bell', 'Ann Ball'],
    ['Ann Bell', 'Jan Bell'],
    ['John A. Bell', 'John B. Bell'],
    ['John Bell Jr.', 'John Bell Sr.'],
    ['John Bell II', 'John Bell III'],
    ['A. Bell', 'B. Bell'],
    ['Robert Bell', 'Richard Bell'],
    ['Mary Ann Bell', 'Mary Sue Bell'],
  ])('%s and %s are not', (a, b) => {
    expect(compared(a, b)).toBeUndefined();
  });
});

test.each([
  ['bob', 'robert', true],
  ['bob', 'rob', true],
  ['kate', 'katherine', true],
  ['ann', 'jan', false],
  ['john', 'james', false],
  ['unheard', 'unheard', true],
])('%s and %s are forms of one name: %s', (a, b, expected) => {
  expect([areForms(a, b), areForms(b, a)]).toEqual([expected, expected]);
});
