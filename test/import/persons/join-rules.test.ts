import { expect, test } from 'vitest';
import { parsePersonName } from '../../../src/importers/facts/person-name.ts';
import {
  type Candidacy,
  findJoins,
  type HeldTerm,
  type JoinRule,
  type PersonRecord,
} from '../../../src/importers/load/persons/join-rules.ts';

const OFFICE = 7;
let ids = 0;
let races = 0;

function person(name: string, more: Partial<Omit<PersonRecord, 'id' | 'name' | 'names'>> = {}): PersonRecord {
  const parts = parsePersonName(name);
  if (!parts) throw new Error(`${name} is not the name of a person`);
  return { id: ++ids, merged: [], name, names: [parts], ids: new Map(), candidacies: [], terms: [], ...more };
}

function runs(date: string, status: string | null = null, more: Partial<Candidacy> = {}) {
  const election = Number(date.replaceAll('-', ''));
  return {
    candidacies: [{ id: ++races, race: races, office: OFFICE, election, date, status, isPrimary: false, ...more }],
  };
}

function holds(start: string | null, end: string | null = null, more: Partial<HeldTerm> = {}) {
  return { terms: [{ office: OFFICE, start, end, lastShown: null, ...more }] };
}

const found = (...persons: PersonRecord[]) => {
  const { joins, ambiguous } = findJoins(persons, () => false);
  return [joins.map(({ a, b, rule }) => `${a.name} = ${b.name}: ${rule}`), ambiguous.map(({ name }) => name)];
};
const nothing = [[], []];
const one = (a: PersonRecord, b: PersonRecord, rule: JoinRule) =>
  expect(found(a, b)).toEqual([[`${a.name} = ${b.name}: ${rule}`], []]);

test('a winner is the holder whose term begins within three months', () => {
  one(
    person('Robert A. Bell', runs('2018-11-06', 'Won')),
    person('Bob Bell', holds('2019-01-03')),
    'won and took office',
  );
  one(person('B. Bell Jr.', runs('2018-11-06', 'Won')), person('Bob Bell', holds('2018-11-06')), 'won and took office');
  // The outcome is not known, but the candidate took office.
  one(person('Robert Bell', runs('2018-11-06')), person('Bob Bell', holds('2019-02-06')), 'won and took office');
});

test.each<[what: string, candidate: object, holder: object]>([
  ['the candidate lost', runs('2018-11-06', 'Lost'), holds('2019-01-03')],
  ['the term begins later', runs('2018-11-06', 'Won'), holds('2019-02-07')],
  ['the term is over', runs('2018-11-06', 'Won'), holds('2015-01-03', '2019-01-03')],
  ['the office is another one', runs('2018-11-06', 'Won'), holds('2019-01-03', null, { office: 8 })],
  ['the race is a primary', runs('2018-11-06', 'Won', { isPrimary: true }), holds('2019-01-03')],
  ['the start is not known, and no edition shows the holder', runs('2018-11-06', 'Won'), holds(null)],
  [
    'the last edition that shows the holder is older',
    runs('2018-11-06', 'Won'),
    holds(null, null, { lastShown: '2018-06-01' }),
  ],
])('no records are joined if %s', (_, candidate, holder) => {
  expect(found(person('Robert Bell', candidate), person('Bob Bell', holder))).toEqual(nothing);
});

test('a winner is the holder who stays in office', () => {
  const winner = () => person('Robert Bell', runs('2018-11-06', 'Won'));
  one(winner(), person('Bob Bell', holds('2011-01-03')), 'won and is in office');
  one(winner(), person('Bob Bell', holds(null, null, { lastShown: '2022-06-01' })), 'won and is in office');
  one(winner(), person('Bob Bell', holds(null, '2021-01-03')), 'won and is in office');
  // Without a start, the first names have to be the same.
  expect(found(winner(), person('R. Bell', holds(null, '2021-01-03')))).toEqual(nothing);
});

test('candidates for one office in different elections are one person if nothing else is possible', () => {
  const first = () => person('Robert Bell', runs('2018-11-06', 'Lost'));
  one(first(), person('Bob C. Bell', runs('2022-11-08')), 'candidate again');
  expect(found(first(), person('Bob Bell', runs('2018-11-06')))).toEqual(nothing);
  expect(found(first(), person('R. Bell', runs('2022-11-08')))).toEqual(nothing);
  expect(found(first(), person('Robert Bell Jr.', runs('2022-11-08')))).toEqual(nothing);
  expect(found(first(), person('Bob Bell', runs('2022-11-08', null, { office: 8 })))).toEqual(nothing);
});

test('two candidates of one race, and two persons of one source, are never one', () => {
  const race = runs('2018-11-06', 'Won', { race: 1 });
  expect(found(person('Robert Bell', race), person('Bob Bell', { ...race, ...holds('2019-01-03') }))).toEqual(nothing);
  const of = (value: string) => ({ ids: new Map([['ocd-person', value]]) });
  expect(
    found(
      person('Robert Bell', { ...runs('2018-11-06', 'Won'), ...of('a') }),
      person('Bob Bell', { ...holds('2019-01-03'), ...of('b') }),
    ),
  ).toEqual(nothing);
});

test('records that an operator has split are not joined', () => {
  const [a, b] = [person('Robert Bell', runs('2018-11-06', 'Won')), person('Bob Bell', holds('2019-01-03'))];
  expect(findJoins([a, b], () => true)).toEqual({ joins: [], ambiguous: [] });
});

test('father and son: the holder is the winner, and neither is joined where the outcome is not known', () => {
  const race = ++races;
  const father = (status: string | null) => person('William Bell Sr.', runs('2018-11-06', status, { race }));
  const son = (status: string | null) => person('William Bell Jr.', runs('2018-11-06', status, { race }));
  const holder = () => person('Bill Bell', holds('2019-01-03'));
  expect(found(father('Lost'), son('Won'), holder())).toEqual([
    ['William Bell Jr. = Bill Bell: won and took office'],
    [],
  ]);
  const [joins, ambiguous] = found(father(null), son(null), holder());
  expect([joins, ambiguous?.toSorted()]).toEqual([[], ['Bill Bell', 'William Bell Jr.', 'William Bell Sr.']]);
});

test.each([
  ['siblings', 'William Bell', 'Wilma Bell'],
  ['siblings with the same initial', 'Robert Bell', 'Roger Bell'],
  ['father and son by their suffixes', 'Robert Bell Sr.', 'Robert Bell III'],
  ['different middle names', 'Robert Allen Bell', 'Robert Carl Bell'],
  ['different middle initials', 'Bob A. Bell', 'Robert C. Bell'],
  ['a married name', 'Mary Bell', 'Mary Case'],
  ['a married name after the former one', 'Mary Bell', 'Mary Bell-Case'],
  ['a last name that is the first name of the other', 'James Robert', 'Robert James'],
])('a winner and a holder are two persons: %s', (_, winner, holder) => {
  for (const start of ['2019-01-03', '2011-01-03'])
    expect(found(person(winner, runs('2018-11-06', 'Won')), person(holder, holds(start)))).toEqual(nothing);
  expect(found(person(winner, runs('2018-11-06', 'Won')), person(holder, runs('2022-11-08', 'Won')))).toEqual(nothing);
});

test('a candidate for one office in the elections of several districts on one day is one person', () => {
  one(
    person('Joe Bell', runs('2020-11-03', 'Won', { election: 1 })),
    person('Joseph R. Bell', runs('2020-11-03', 'Lost', { election: 2 })),
    'candidate again',
  );
  expect(found(person('Joe Bell', runs('2020-11-03')), person('Joseph R. Bell', runs('2020-11-03')))).toEqual(nothing);
});

test('a weaker rule does not undo a stronger one', () => {
  const winner = person('William A. Bell', runs('2018-11-06', 'Won'));
  const holder = person('Bill Bell', { ...holds('2019-01-03'), ...runs('2022-11-08', 'Won') });
  const other = person('William B. Bell', runs('2014-11-04', 'Lost'));
  expect(found(winner, holder, other)).toEqual([['William A. Bell = Bill Bell: won and took office'], []]);
});

test('several records of one person are joined', () => {
  const [a, b, c] = [
    person('Rachel Talbot Ross', runs('2016-11-08', 'Won')),
    person('Rachel T. Ross', runs('2018-11-06', 'Won')),
    person('Rachel Ross', holds('2016-12-07')),
  ];
  const [joins] = found(a, b, c);
  expect(joins).toHaveLength(2);
});
