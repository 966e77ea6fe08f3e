import type { GraphQLEnumType } from 'graphql';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { setPackage } from '../../src/gateway/access/access.store.ts';
import { createExecute } from '../../src/gateway/graphql/execution/execute.ts';
import { createPlanner } from '../../src/gateway/graphql/planner/planner.ts';
import { officeholders } from '../../src/gateway/rest/officeholders.ts';
import { DISTRICT_TYPE, OFFICE_BRANCH, OFFICE_LEVEL } from '../../src/gateway/rest/texts.ts';
import { schema } from '../../src/graph/schema.ts';
import type { AccessGrant } from '../../src/store/sql/tables.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { ALL_GRANTS, contextOf } from '../support/graph.ts';
import { expectFields, get } from '../support/rest.ts';
import { nameOf, recordStatements } from '../support/statements.ts';
import { boundary, createWorld, insert, POINTS, WORLD } from '../support/world.ts';

const database = useDatabase();
const service = useApp(database);
/** A service that reads the database for each request. */
const uncached = useApp(database, { RESPONSE_CACHE_BYTES: '0' });
beforeAll(async () => {
  await createWorld(database.db);
  await database.db.updateTable('offices').set({ vacant_since: '2000-01-01' }).where('id', '=', WORLD.vacant).execute();
  await insert(database.db, 'districts', [{ id: 40, type: 'Special district subdivision', name: 'Ward', state: null }]);
  await boundary(database.db, 40, ['2000-01-01', null], [-86, 40, -84, 44], false);
  await setPackage(database.db, { name: 'no-results', grants: ['officeholders'] });
});

const PATH = '/data/officeholders';

/** The levels of the tree of a point: districts, offices, officeholders. */
async function tree(query: string, packageName?: string) {
  const { body } = await get(service, `${PATH}?${query}`, packageName);
  expect(body.data).toHaveLength(1);
  const { districts } = body.data[0].elected_officials;
  const offices = districts.flatMap((district: { offices: object[] | null }) => district.offices ?? []);
  const holders = offices.flatMap((office: { officeholders: object[] | null }) => office.officeholders ?? []);
  return { districts, offices, holders };
}

describe('GET /data/officeholders', () => {
  it('has every field of the table of the specification', async () => {
    const trees = await Promise.all(
      ['lat=42&long=-98', 'lat=42&long=-92', 'lat=42&long=-85'].map((point) => tree(`${point}&collections=contact`)),
    );
    expectFields(
      trees.flatMap(({ districts }) => districts),
      {
        name: 'string',
        id: 'integer',
        type: 'string',
        state: 'string | null',
        precise_boundary: 'boolean',
        offices: 'array | null',
      },
    );
    expectFields(
      trees.flatMap(({ offices }) => offices),
      {
        id: 'integer',
        name: 'string',
        type: 'string | null',
        level: 'string',
        branch: 'string',
        officeholders: 'array | null',
        holder_known: 'boolean',
      },
    );
    const holders = trees.flatMap((each) => each.holders);
    expectFields(holders, {
      id: 'integer',
      status: 'string',
      name: 'string',
      last_name: 'string',
      url: 'string',
      partisan_affiliation: 'integer | null',
      officeholder_contact_information: 'array | null',
      person_contact_information: 'array | null',
    });
    const contacts = holders.flatMap((holder) => holder.officeholder_contact_information ?? []);
    expectFields(contacts, { contact: 'string', contact_type: 'string' });
  });

  it('returns the officeholders of today, with the id of the party', async () => {
    const { districts } = await tree('lat=42&long=-98&collections=contact');
    expect(districts.map(({ id }: { id: number }) => id)).toEqual([
      WORLD.country,
      WORLD.alphaFirst,
      WORLD.alpha,
      WORLD.county,
    ]);
    expect(districts[0]).toEqual({
      id: WORLD.country,
      name: 'Country',
      type: 'Country',
      state: 'US',
      precise_boundary: true,
      offices: [
        {
          id: WORLD.president,
          name: 'President',
          type: null,
          level: 'Federal',
          branch: 'Executive',
          officeholders: [
            {
              id: 1,
              status: 'Current',
              name: 'Ada Able',
              last_name: 'Able',
              url: 'https://able.example',
              partisan_affiliation: 2,
              officeholder_contact_information: [
                { contact: '202-555-0101', contact_type: 'Phone' },
                { contact: 'https://office.example', contact_type: 'Website' },
              ],
              person_contact_information: [{ contact: 'ada@able.example', contact_type: 'Email' }],
            },
          ],
          holder_known: true,
        },
      ],
    });
    expect(districts[1].offices[0].officeholders).toEqual([
      expect.objectContaining({ id: 4, name: 'Dan Dog', last_name: '', url: '', partisan_affiliation: 5 }),
    ]);
  });

  it('returns null for a vacant office and for a district without offices', async () => {
    const { districts } = await tree('lat=42&long=-85');
    expect(districts.at(-2)).toMatchObject({
      id: WORLD.beta,
      offices: [{ id: WORLD.vacant, officeholders: null, holder_known: true }],
    });
    expect(districts.at(-1)).toMatchObject({ id: 40, state: null, precise_boundary: false, offices: null });
  });

  it('returns null for the districts at sea', async () => {
    const { body } = await get(service, `${PATH}?lat=0&long=0`);
    expect(body.data).toEqual([{ elected_officials: { districts: null } }]);
  });
});

describe('collections', () => {
  const contactNames = ['officeholder_contact_information', 'person_contact_information'];
  const socialNames = ['officeholder_social_media', 'person_social_media'];
  const ofPresident = async (query: string, packageName?: string) =>
    (await tree(`lat=42&long=-98${query}`, packageName)).holders[0];

  it.each([
    ['nothing requested', '', 'full', contactNames, []],
    ['contacts requested', '&collections=contact', 'full', contactNames, []],
    ['accounts requested', '&collections=social', 'full', [...contactNames, ...socialNames], socialNames],
    [
      'both, spelled and encoded freely',
      '&collections=Contact%2C+SOCIAL',
      'full',
      [...contactNames, ...socialNames],
      [],
    ],
    ['a package without accounts', '&collections=social,contact', 'lookup', contactNames, []],
    ['a package with neither', '&collections=social,contact', 'no-results', [], []],
  ])('has with %s the corresponding members', async (_, query, packageName, names) => {
    const holder = await ofPresident(query, packageName);
    expect(
      Object.keys(holder)
        .filter((name) => /contact|social/.test(name))
        .sort(),
    ).toEqual([...names].sort());
    for (const name of contactNames.filter((each) => names.includes(each))) {
      expect(holder[name] === null).toBe(!/contact/i.test(query));
    }
  });

  it('returns accounts as network and url', async () => {
    const { holders } = await tree('lat=42&long=-98&collections=social');
    expect(holders[0]).toMatchObject({
      officeholder_social_media: [{ network: 'YouTube', url: 'https://video.example/office' }],
      person_social_media: [{ network: 'Facebook', url: 'https://social.example/ada' }],
      person_contact_information: null,
    });
    expect(holders[1]).toMatchObject({ officeholder_social_media: null, person_social_media: null });
  });

  it('does not fetch fields that are not requested or not granted', async () => {
    await sql`alter table contacts rename to hidden_contacts`.execute(database.db);
    try {
      for (const [query, packageName, status] of [
        ['', 'full', 200],
        ['&collections=social', 'lookup', 200],
        ['&collections=contact,social', 'no-results', 200],
        ['&collections=contact', 'full', 500],
      ] as const) {
        expect((await get(uncached, `${PATH}?lat=42&long=-98${query}`, packageName)).status).toBe(status);
      }
    } finally {
      await sql`alter table hidden_contacts rename to contacts`.execute(database.db);
    }
  });
});

describe('serialised by the database', () => {
  const planned = createExecute(schema, createPlanner(schema));
  const resolved = createExecute(schema);
  const grants: readonly (readonly AccessGrant[])[] = [
    ALL_GRANTS,
    ['officeholders'],
    ['officeholders', 'contact'],
    ['officeholders', 'social'],
  ];

  it.each(grants)('the tree has the same bytes from SQL as from the gateway, with %s', async (...granted) => {
    const recorded = recordStatements(database);
    const context = contextOf(recorded.db, { grants: granted });
    for (const { latitude, longitude } of [...Object.values(POINTS), { latitude: 42, longitude: -85 }]) {
      for (const collections of [undefined, 'contact', 'social', 'contact,social']) {
        const query = { lat: String(latitude), long: String(longitude), ...(collections && { collections }) };
        const here = await officeholders.respond(query, { ...context }, resolved);
        recorded.take();
        const there = await officeholders.respond(query, { ...context }, planned);
        expect(there, JSON.stringify(query)).toBe(here);
        // Without a record, whether the numbers of the point look exchanged is read as well.
        const further = !String(there).includes('"id":') ? ['districts.districtsOfPoint'] : [];
        expect(recorded.take().map(nameOf)).toEqual(['Location.districtsWithBoundary', ...further]);
      }
    }
  });

  it('has the texts that the schema defines', () => {
    for (const [name, texts] of Object.entries({
      DistrictType: DISTRICT_TYPE,
      OfficeLevel: OFFICE_LEVEL,
      OfficeBranch: OFFICE_BRANCH,
    })) {
      const values = (schema.getType(name) as GraphQLEnumType).getValues();
      expect(texts).toEqual(Object.fromEntries(values.map((each) => [each.name, each.value])));
    }
  });
});
