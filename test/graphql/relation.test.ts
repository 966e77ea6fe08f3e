import { beforeAll, describe, expect, it } from 'vitest';
import { records } from '../../src/graphql/records.ts';
import { objectRelation, partOfRow, relation } from '../../src/graphql/relation.ts';
import { useDatabase } from '../support/database.ts';
import { contextOf } from '../support/graph.ts';
import { recordStatements } from '../support/statements.ts';
import { insert } from '../support/world.ts';

const database = useDatabase();

interface Parent {
  readonly id: number | null;
  readonly name: string | null;
  readonly found_name?: string | null;
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

const namesakes = relation<Parent, Person, { readonly least?: number }>({
  name: 'test.namesakes',
  parentKey: { id: 'int', name: 'text' },
  from: ({ id, name }, { row, parameter }) =>
    `persons ${row} where (${row}.id = ${id} or ${row}.name = ${name}) and ${row}.id >= ${parameter('int', ({ least }) => least ?? 0)}`,
  orderBy: ({ row }) => `${row}.id desc`,
});

const person = objectRelation<Parent, Person | null>({
  name: 'test.person',
  parentKey: { id: 'int' },
  from: ({ id }, { row }) => `persons ${row} where ${row}.id = ${id}`,
});

const persons = records<Person>({ name: 'test.personById', rows: () => 'persons' });

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
    expect(await person.load(context, { id: 2, name: null })).toMatchObject({ id: 2, name: 'Bob' });
    expect(await person.load(context, { id: 9, name: null })).toBeNull();
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
it('a parent without the key is a type error, and has no rows', async () => {
  const context = contextOf(database.db);
  const offices = relation<Parent, Person>({
    name: 'test.offices',
    // @ts-expect-error: a parent has no `office_id`
    parentKey: { office_id: 'int' },
    from: ({ office_id }, { row }) => `persons ${row} where ${row}.id = ${office_id}`,
    orderBy: ({ row }) => `${row}.id`,
  });
  expect(await offices.load(context, { id: 1, name: null })).toEqual([]);
  const found = objectRelation<Parent, Person | null>({
    name: 'test.found',
    parentKey: { id: 'int' },
    // @ts-expect-error: a parent has no `found_id`
    provided: { id: 'found_id' },
    from: ({ id }, { row }) => `persons ${row} where ${row}.id = ${id}`,
  });
  expect(await found.load(context, { id: 1, name: null })).toMatchObject({ name: 'Ann' });
  // @ts-expect-error: the parent has no `person_id`
  expect(await persons.of('person_id').resolve({ id: 1 }, {}, context)).toBeNull();
  // @ts-expect-error: the foreign key may be null
  expect(await persons.of('id').resolve({ id: null as number | null }, {}, context)).toBeNull();
});
