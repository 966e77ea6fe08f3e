import { expect, test } from 'vitest';
import { lastNamesFirst, usualOrder } from '../../src/importers/results/name-order.ts';

const REVERSED = ['Ortiz Daniel H. "Dan"', 'Wool Adam L.', 'Keppel Willy', 'Vance Sarah L.', 'McKay Thomas W.'];
const MORE = ['Young Don', 'Hughes Shelley', 'Claman Matt', 'Snyder Elizabeth', 'Eastman David', 'Cronk Mike'];
const inContests = (contests: Record<string, readonly string[]>) =>
  Object.values(contests).flatMap((names, contest) => names.map((candidate) => ({ contest, candidate })));

test('all names of a file in which nearly all show the last name first have it first', () => {
  const names = inContests({ house: [...REVERSED, ...MORE], senate: ['Rauscher Bly'] });
  expect([...lastNamesFirst(names)]).toEqual([...REVERSED, ...MORE, 'Rauscher Bly']);
});

test('in a file in which nearly all show the last name first, a contest may have the usual order', () => {
  const president = ['Joseph R. Biden', 'Donald J. Trump', 'Brock Pierce', 'De La Fuente Rocque "Rocky" / Roe Ann'];
  const house = [...REVERSED, ...MORE, 'Tuck Chris', 'Spohnholz Ivy', 'Rasmussen Sara E.', 'Ledoux Gabrielle R.'];
  const many = house.map((name) => name.replace(/^\w+/, (last) => `${last}son`));
  const found = lastNamesFirst(inContests({ house, many, president, congress: ['Alyse S. Galvin', 'Don Young'] }));
  expect([...found].filter((name) => !house.includes(name) && !many.includes(name))).toEqual([
    'De La Fuente Rocque "Rocky" / Roe Ann',
  ]);
});

test('in a file of both orders, a name that shows none has that of its contest', () => {
  const president = ['Joseph R. Biden', 'Don Blankenship', 'Brock Pierce', 'Rocha James G. "Jay" / Lane Mary'];
  const found = lastNamesFirst(inContests({ house: [...REVERSED, ...MORE, 'Rauscher Bly'], president }));
  expect([...found]).toEqual([...REVERSED, ...MORE, 'Rauscher Bly', 'Rocha James G. "Jay" / Lane Mary']);
});

test('a file with names in the usual order has none with the last name first', () => {
  const usual = ['A. Michael Nadeau', 'Angus S. King Jr.', 'Chellie Pingree', 'Ann B. Roe', 'Zoe James'];
  expect([...lastNamesFirst(inContests({ a: usual, b: ['Scott Thomas', 'Grant Cohoon'] }))]).toEqual([]);
});

test.each([
  ['Ortiz Daniel H. "Dan"', 'Daniel H. "Dan" Ortiz'],
  ['De La Fuente Rocque "Rocky" / Richardson Darcy G.', 'Rocque "Rocky" De La Fuente / Darcy G. Richardson'],
  ['Gray Danny Jr.', 'Danny Gray Jr.'],
  ['Kreiss-Tomkins Jonathan S.', 'Jonathan S. Kreiss-Tomkins'],
])('%s in the usual order is %s', (name, expected) => {
  expect(usualOrder(name)).toBe(expected);
});
