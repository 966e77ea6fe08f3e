import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { createWorld, WORLD } from '../support/world.ts';

const database = useDatabase();
beforeAll(() => createWorld(database.db));

describe('officeholders of a point', () => {
  it('have office, person, party, contacts and social links', async () => {
    const query = `{ location(latitude: 42, longitude: -98) { districts(types: [COUNTRY, CONGRESS, COUNTY]) {
      name
      offices { name type level branch chamber seat officeholders {
        status startDate endDate
        person { name firstName lastName imageUrl contacts { type value } socialLinks { network url } }
        party { id: databaseId name }
        contacts { type value } socialLinks { network url }
      } }
    } } }`;
    expect(await request(database.db, query)).toEqual({
      data: {
        location: {
          districts: [
            {
              name: 'Country',
              offices: [
                {
                  name: 'President',
                  type: null,
                  level: 'FEDERAL',
                  branch: 'EXECUTIVE',
                  chamber: null,
                  seat: null,
                  officeholders: [
                    {
                      status: 'Current',
                      startDate: '2025-01-20',
                      endDate: '2029-01-20',
                      person: {
                        name: 'Ada Able',
                        firstName: 'Ada',
                        lastName: 'Able',
                        imageUrl: 'https://pictures.example/ada.jpg',
                        contacts: [{ type: 'Email', value: 'ada@able.example' }],
                        socialLinks: [{ network: 'Facebook', url: 'https://social.example/ada' }],
                      },
                      party: { id: 2, name: 'Democratic' },
                      contacts: [
                        { type: 'Phone', value: '202-555-0101' },
                        { type: 'Website', value: 'https://office.example' },
                      ],
                      socialLinks: [{ network: 'YouTube', url: 'https://video.example/office' }],
                    },
                  ],
                },
              ],
            },
            {
              name: 'Congressional District 1',
              offices: [
                {
                  name: 'U.S. Representative',
                  type: 'House',
                  level: 'FEDERAL',
                  branch: 'LEGISLATIVE',
                  chamber: 'LOWER',
                  seat: null,
                  officeholders: [
                    {
                      status: 'Current',
                      startDate: '2023-01-03',
                      endDate: '2027-01-03',
                      person: {
                        name: 'Dan Dog',
                        firstName: null,
                        lastName: null,
                        imageUrl: null,
                        contacts: [],
                        socialLinks: [],
                      },
                      party: { id: 5, name: 'Independent' },
                      contacts: [],
                      socialLinks: [],
                    },
                  ],
                },
              ],
            },
            { name: 'First County', offices: [] },
          ],
        },
      },
    });
  });

  it.each([
    ['2021-01-02', []],
    ['2021-01-03', ['Cleo Charlie']],
    ['2023-01-02', ['Cleo Charlie']],
    ['2023-01-03', ['Dan Dog']],
    ['2027-01-03', ['Dan Dog']],
    ['2027-01-04', []],
  ])('of %s are those whose term includes the day, and the newer of two that share it', async (on, names) => {
    const query = `{ office(databaseId: ${WORLD.firstSeat}) { officeholders(on: "${on}") { person { name } } } }`;
    expect(await request(database.db, query)).toEqual({
      data: { office: { officeholders: names.map((name) => ({ person: { name } })) } },
    });
  });

  it('exclude a former one with an unknown last day, but include one with an unknown first day', async () => {
    const query = `{ office(databaseId: ${WORLD.governor}) { officeholders(on: "2016-01-01") { person { name } } } }`;
    expect(await request(database.db, query)).toEqual({
      data: { office: { officeholders: [{ person: { name: 'Ben Baker' } }] } },
    });
  });

  it('distinguish two dates for one office', async () => {
    const query = `{ office(databaseId: ${WORLD.firstSeat}) {
      past: officeholders(on: "2022-01-01") { id: databaseId } now: officeholders { id: databaseId } } }`;
    expect(await request(database.db, query)).toEqual({ data: { office: { past: [{ id: 3 }], now: [{ id: 4 }] } } });
  });
});

describe('people', () => {
  it('are found by a part of their name, in pages', async () => {
    const first = await request(database.db, '{ people(name: "b", first: 1) { totalCount } }');
    expect(first.errors?.[0]?.message).toMatch(/at least 2/);
    const found = await request(
      database.db,
      '{ people(name: "AB") { totalCount edges { node { id: databaseId name } } } }',
    );
    expect(found).toEqual({ data: { people: { totalCount: 1, edges: [{ node: { id: 1, name: 'Ada Able' } }] } } });
  });

  it('have all their terms, the newest first', async () => {
    const query = '{ person(databaseId: 3) { officeholders { id: databaseId status office { district { name } } } } }';
    expect(await request(database.db, query)).toEqual({
      data: {
        person: {
          officeholders: [
            { id: 5, status: 'Current', office: { district: { name: 'Congressional District 2' } } },
            { id: 3, status: 'Former', office: { district: { name: 'Congressional District 1' } } },
          ],
        },
      },
    });
  });
});

describe('without a grant', () => {
  const query = `{ location(latitude: 42, longitude: -98) { districts(types: [COUNTRY]) { id: databaseId boundary { geometry }
    offices { officeholders { id: databaseId contacts { value } socialLinks { url } person { contacts { value } } } } } } }`;

  it.each([
    [
      'contact',
      { id: 1, contacts: null, socialLinks: [{ url: 'https://video.example/office' }], person: { contacts: null } },
    ],
    [
      'social',
      {
        id: 1,
        contacts: expect.any(Array),
        socialLinks: null,
        person: { contacts: [{ value: 'ada@able.example' }] },
      },
    ],
  ] as const)('%s: a field is null and nothing else changes', async (without, officeholder) => {
    const grants = (['districts', 'officeholders', 'contact', 'social', 'boundaries'] as const).filter(
      (grant) => grant !== without,
    );
    const { data, errors } = await request(database.db, query, { grants });
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ location: { districts: [{ offices: [{ officeholders: [officeholder] }] }] } });
  });

  it('boundaries: the geometry is null', async () => {
    const { data } = await request(database.db, query, { grants: ['districts'] });
    expect(data).toEqual({ location: { districts: [{ id: 1, boundary: { geometry: null }, offices: null }] } });
  });

  it('districts and officeholders: a location has neither', async () => {
    const { data, errors } = await request(database.db, query, { grants: ['elections'] });
    expect({ data, errors }).toEqual({ data: { location: { districts: null } }, errors: undefined });
  });
});
