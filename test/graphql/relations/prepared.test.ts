import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type GraphQLNamedOutputType, getNamedType, isLeafType, isObjectType } from 'graphql';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { composeStatement } from '../../../src/gateway/graphql/planner/compose.ts';
import { planField } from '../../../src/gateway/graphql/planner/field-plan.ts';
import { candidatesWhere, measuresWhere, peopleWhere, racesWhere } from '../../../src/graph/ballots/lists.store.ts';
import { inOrder, type RecordList, type SortOrder } from '../../../src/graph/builder/keyset.ts';
import { compileLoader } from '../../../src/graph/builder/query-loader.ts';
import type { PlannedRows } from '../../../src/graph/builder/relation.ts';
import { updateTimesOf } from '../../../src/graph/builder/update-times.ts';
import { districtsWhere } from '../../../src/graph/districts/districts.store.ts';
import { electionsWhere } from '../../../src/graph/elections/elections.store.ts';
import { officeholdersWhere, officesWhere, partiesNamed } from '../../../src/graph/officials/lists.store.ts';
import { schema } from '../../../src/graph/schema.ts';
import type { AccessGrant } from '../../../src/store/sql/tables.ts';
import { useDatabase } from '../../support/database.ts';
import { ALL_GRANTS } from '../../support/graph.ts';

/*
 * Types do not find everything: a column without a table that a later join makes ambiguous compiles, and so does a column
 * of a table that `columnsOf` names by an alias. PostgreSQL checks all names when it prepares a statement.
 */
const database = useDatabase();
const SRC = join(import.meta.dirname, '../../../src');
const GRANTS = { 'all grants': new Set(ALL_GRANTS), 'no grants': new Set<AccessGrant>() };
const grantsOf = (grants: ReadonlySet<AccessGrant>) => ({ isGranted: (grant: AccessGrant) => grants.has(grant) });

let prepared = 0;
/** Prepares a statement without executing it. */
async function prepare(text: string): Promise<void> {
  const name = `checked_${++prepared}`;
  await sql`${sql.raw(`prepare ${name} as ${text}`)}`.execute(database.db);
  await sql`${sql.raw(`deallocate ${name}`)}`.execute(database.db);
}

describe.each(Object.entries(GRANTS))('with %s', (_, grants) => {
  const relations: [name: string, rows: PlannedRows][] = [];
  beforeAll(async () => {
    for (const file of readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((each) =>
      each.endsWith('.store.ts'),
    )) {
      for (const [name, value] of Object.entries(await import(join(SRC, file)))) {
        const { extensions, relation = extensions?.relation } = Object(value);
        if (relation?.rows) relations.push([`${relative(SRC, join(SRC, file))} ${name}`, relation]);
      }
    }
  });

  it('PostgreSQL knows all names of the loaders of relations', async () => {
    expect(relations.length).toBeGreaterThan(35);
    for (const [name, rows] of relations) {
      const { text } = compileLoader({ name: 'checked', ...rows }, grantsOf(grants));
      await expect(prepare(text), name).resolves.toBeUndefined();
    }
  });

  it('PostgreSQL knows all names of the relations and leaves that the planner composes', async () => {
    let composed = 0;
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isObjectType(type) || type.name.startsWith('__')) continue;
      for (const field of Object.values(type.getFields())) {
        const named = getNamedType(field.type) as GraphQLNamedOutputType;
        if (!field.extensions.relation || !isObjectType(named)) continue;
        const leaves = Object.values(named.getFields())
          .filter((each) => isLeafType(getNamedType(each.type)))
          .map((each) => ({
            key: each.name,
            nodes: [{ kind: 'Field', name: { kind: 'Name', value: each.name } }] as never,
            parent: named,
            field: each,
            fields: undefined,
          }))
          .filter((each) => planField(each, grants).sql !== undefined);
        const nodes = [{ kind: 'Field', name: { kind: 'Name', value: field.name } }] as never;
        const { subtree } = planField({ key: field.name, nodes, parent: type, field, fields: leaves }, grants);
        if (!subtree || subtree.rows.isProvided) continue;
        composed++;
        const { sql: text } = composeStatement(subtree, grants);
        await expect(prepare(text), `${type.name}.${field.name}`).resolves.toBeUndefined();
      }
    }
    expect(composed).toBeGreaterThan(grants.size > 0 ? 50 : 15);
  });

  it('PostgreSQL knows all names of the lists, with every filter and in every order', async () => {
    const scope = grantsOf(grants);
    const district = { state: 'AA', districtId: 1, districtTypes: ['County'] as const };
    const office = {
      ...district,
      levels: ['Local'] as const,
      branches: ['Judicial'] as const,
      chambers: ['Upper'] as const,
    };
    const dates = { from: '2024-01-01', to: '2024-12-31' };
    const race = { ...office, ...dates, stages: ['General'] };
    const named = { parties: [1], name: 'Ann Lee' };
    const lists: Record<string, (order: SortOrder) => RecordList<unknown>> = {
      OFFICE: (order) => officesWhere({ ...office, name: 'mayor' }, order),
      OFFICEHOLDER: (order) => officeholdersWhere({ ...office, ...named, on: '2024-01-01' }, '2024-02-01', order),
      PARTY: (order) => partiesNamed('green', order),
      DISTRICT: (order) => districtsWhere({ state: 'AA', types: ['County'], name: 'x' }, order),
      ELECTION: (order) =>
        electionsWhere({ ...dates, state: 'AA', types: ['General'], year: 2024, date: '2024-11-05' }, order),
      RACE: (order) => racesWhere(race, order),
      CANDIDATE: (order) => candidatesWhere({ ...race, ...named }, order, scope),
      MEASURE: (order) => measuresWhere({ ...district, ...dates, text: 'bond' }, order, scope),
      PERSON: (order) => peopleWhere('Ann Lee', { ...office, ...dates, parties: [1] }, order, scope),
    };
    let seen = 0;
    for (const file of ['ballots/lists', 'districts/districts', 'elections/elections', 'officials/lists']) {
      const orders = Object.entries(await import(join(SRC, `graph/${file}.store.ts`))).filter(([name]) =>
        name.endsWith('_ORDERS'),
      );
      for (const [name, byName] of orders) {
        for (const [order, [, columns]] of Object.entries(byName as Record<string, [string, SortOrder['columns']]>)) {
          seen++;
          const list = lists[name.replace('_ORDERS', '')]?.({ columns, isDescending: true });
          if (!list) continue;
          const changed = list.rows.where(updateTimesOf(list.kind, list.id, scope).after('2024-01-01T00:00:00Z'));
          const { sql: text } = inOrder(changed, list.order, false).compile();
          await expect(prepare(text), `${name} ${order}`).resolves.toBeUndefined();
        }
      }
    }
    expect(seen).toBeGreaterThan(12);
  });
});
