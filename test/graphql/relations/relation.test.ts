import { beforeAll, describe, expect, it } from 'vitest';
import { records } from '../../../src/graph/builder/records.ts';
import { nullableRelation, partOfRow, relation } from '../../../src/graph/builder/relation.ts';
import type { Scope } from '../../../src/graph/builder/scope.ts';
import { query } from '../../../src/store/sql/query-builder.ts';
import { useDatabase } from '../../support/database.ts';
import { contextOf } from '../../support/graph.ts';
import { recordStatements } from '../../support/statements.ts';
import { insert } from '../../support/world.ts';

const database = useDatabase();

interface Parent {
  readonly id: number | null;
  readonly name: string | null;
}
interface Person {
  readonly id: number;
  readonly name: string;
}

beforeAll(() =>
  insert(database.db, 'persons', [
    { id: 1, name: 'Ann' },
    { id: 2, name: 'Bob' },
    { id: 3, name: 'Ann' },
  ]),
);

const allPersons = () => query.selectFrom('persons as person').select(['person.id', 'person.name']);

const namesakes = relation({
  name: 'test.namesakes',
  key: { id: 'int', name: 'text' },
  rows: ({ id, name }, { param }: Scope<{ readonly least?: number }>) =>
    allPersons()
      .where(({ eb, or }) => or([eb('person.id', '=', id), eb('person.name', '=', name)]))
      .where(
        'person.id',
        '>=',
        param('int', ({ least }) => least ?? 0),
      ),
  orderBy: [['id', 'desc']],
});

const person = nullableRelation({
  name: 'test.person',
  key: { id: 'int' },
  rows: ({ id }) => allPersons().where('person.id', '=', id),
});

const persons = records({ name: 'test.personById', rows: allPersons });

describe('a relation', () => {
  it('reads the rows of all parents in one statement and in its order, and assigns them to their parents', async () => {
    const recorded = recordStatements(database);
    const context = contextOf(recorded.db);
    const parents: Parent[] = [
      { id: 1, name: 'Ann' },
      { id: 2, name: null },
      { id: null, name: 'Ann' },
      { id: 9, name: 'Nobody' },
      { id: 1, name: 'Ann' },
      { id: null, name: null },
    ];
    const lists = await Promise.all(parents.map((parent) => namesakes.load(context, parent)));
    expect(lists.map((list) => list.map(({ id }) => id))).toEqual([[3, 1], [2], [3, 1], [], [3, 1], []]);
    expect(recorded.take()).toHaveLength(1);
  });

  it('has one statement for each set of arguments', async () => {
    const recorded = recordStatements(database);
    const context = contextOf(recorded.db);
    const lists = await Promise.all(
      [0, 2, 0, 2].map((least) => namesakes.resolve({ id: 1, name: 'Ann' }, { least }, context)),
    );
    expect(lists.map((list) => list.map(({ id }) => id))).toEqual([[3, 1], [3], [3, 1], [3]]);
    expect(recorded.take()).toHaveLength(2);
  });

  it('reads nothing for parents without a key', async () => {
    const recorded = recordStatements(database);
    expect(await namesakes.load(contextOf(recorded.db), { id: null, name: null })).toEqual([]);
    expect(await persons.load(contextOf(recorded.db), null)).toBeNull();
    expect(recorded.take()).toEqual([]);
  });

  it('to one object is null without a row', async () => {
    const context = contextOf(database.db);
    expect(await person.load(context, { id: 2 })).toMatchObject({ id: 2, name: 'Bob' });
    expect(await person.load(context, { id: 9 })).toBeNull();
  });

  it('to a part of the row takes it from the parent', () => {
    const part = partOfRow<{ id: number; found_name: string }, Person>({ name: 'found_name', id: 'id' });
    expect(part.resolve({ id: 1, found_name: 'Found' })).toEqual({ id: 1, name: 'Found' });
  });
});

it('records of all fields are read in one statement, and arrays of ids keep their order', async () => {
  const recorded = recordStatements(database);
  const context = contextOf(recorded.db);
  const results = await Promise.all([
    persons.of('first').resolve({ first: 1 }, {}, context),
    persons.ofNullable('second').resolve({ second: null }, {}, context),
    persons.listOf('ids').resolve({ ids: [3, 9, 1, 3] }, {}, context),
  ]);
  expect(results).toMatchObject([{ id: 1 }, null, [{ id: 3 }, { id: 1 }, { id: 3 }]]);
  expect(recorded.take()).toHaveLength(1);
});

// TypeScript reports an unused `@ts-expect-error`: the type check fails if one of these is not a type error.
describe('names are checked by types', () => {
  it('of the keys in a parent', async () => {
    const context = contextOf(database.db);
    // @ts-expect-error: the parent has no `id`
    expect(await person.load(context, { name: 'Ann' })).toBeNull();
    // @ts-expect-error: the parent has no `person_id`
    expect(await persons.of('person_id').resolve({ id: 1 }, {}, context)).toBeNull();
    // @ts-expect-error: the foreign key may be null
    expect(await persons.of('id').resolve({ id: null as number | null }, {}, context)).toBeNull();
  });

  it('of the columns of an order, and of those that identify a row', () => {
    relation({
      name: 'test.ordered',
      key: { id: 'int' },
      // @ts-expect-error: the rows have no `found_name`
      distinctOn: ['found_name'],
      rows: ({ id }) => allPersons().where('person.id', '=', id),
      // @ts-expect-error: the rows have no `first_name`
      orderBy: ['first_name'],
    });
  });

  it('of the columns of a query, and of those that a resolver reads', async () => {
    const [found] = await namesakes.load(contextOf(database.db), { id: 1, name: null });
    // @ts-expect-error: the rows have no `url`
    expect(found?.url).toBeUndefined();
    // @ts-expect-error: the table has no column `surname`
    query.selectFrom('persons as person').select('person.surname');
  });
});
