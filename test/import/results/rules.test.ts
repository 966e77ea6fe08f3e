import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { STATES } from '../../../src/base/words/states.ts';
import { countiesOf } from '../../../src/importers/facts/counties.ts';

/**
 * A line of code of the importers of results may know the form of a table, never a state, a place or an office: those are rows, each
 * with what it was read in.
 */
const FOLDER = new URL('../../../src/importers/results/', import.meta.url);
const MOST_EXPRESSIONS = 40;

type Row = Record<string, string>;
const table = (name: string): Row[] => parse(readFileSync(new URL(`${name}.csv`, FOLDER)), { columns: true });

const COMMENTS = /^\s*\/\*[\s\S]*?\*\/\s*$|^\s*\/\/.*$/gm;
const EXPRESSIONS =
  /(?<=(?:^|[(,=:[!&|?{};])\s*|return\s+)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*|new RegExp\(/gm;

/** The code of each file, without its comments. */
const code = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(new URL(name, FOLDER), 'utf8').replaceAll(COMMENTS, '') }));

/** Returns what is found in the code of all files. */
const find = (form: RegExp) => code.flatMap(({ name, text }) => (text.match(form) ?? []).map((each) => [name, each]));

test(`has at most ${MOST_EXPRESSIONS} regular expressions`, () => {
  const expressions = find(EXPRESSIONS).map(([name, text]) => `${name}: ${text}`);
  expect(expressions.length, expressions.join('\n')).toBeLessThanOrEqual(MOST_EXPRESSIONS);
});

/** A kind of question, which is also the name of its row. */
const TERMS = new Set(['Levy']);

test('names no state, county or office in its code', () => {
  const names = new Set([
    ...STATES.flatMap(({ name, postal }) => [
      name,
      postal,
      ...countiesOf(postal, '2022-11-08').map((each) => each.name),
    ]),
    ...table('offices').flatMap(({ name = '' }) => (name === '' || TERMS.has(name) ? [] : [name])),
  ]);
  const texts = find(/'[^'\n]+'|`[^`$\n]+`/g).filter(([, text = '']) => names.has(text.slice(1, -1)));
  expect(texts).toEqual([]);
});

describe.each(['offices', 'law', 'parties'])('%s.csv', (name) => {
  const rows = table(name);

  test('says of every row what it was read in', () => {
    expect(rows.filter(({ source = '' }) => source.trim() === '')).toEqual([]);
  });

  test('has no row twice', () => {
    const keys = rows.map(({ source: _, ...row }) => Object.values(row).join('|'));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });
});

test('an unverified law only withholds outcomes', () => {
  const given = table('law').filter(
    ({ kind = '', source }) =>
      source === 'unverified' &&
      !['majority', 'ranked-choice', 'several-members', 'all-party-primary', 'numbered-seats', 'share'].includes(kind),
  );
  expect(given).toEqual([]);
});
