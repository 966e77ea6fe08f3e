import { beforeAll, describe, expect, it } from 'vitest';
import { globalId } from '../../src/graph/builder/global-id.ts';
import type { AccessGrant } from '../../src/store/sql/tables.ts';
import { useDatabase } from '../support/database.ts';
import { ALL_GRANTS, type ExecuteOptions, request } from '../support/graph.ts';
import { createRichWorld } from '../support/rich-world.ts';
import { recordStatements } from '../support/statements.ts';
import { insert, WORLD } from '../support/world.ts';

const database = useDatabase();
beforeAll(async () => {
  await createRichWorld(database.db);
  await insert(database.db, 'districts', [
    { id: 50, type: 'School District', name: 'School', state: 'AA', nces_id: '9100002' },
  ]);
  await insert(database.db, 'external_identifiers', [
    { kind: 'person', scheme: 'bioguide', value: 'A000001', record_id: 1 },
    { kind: 'person', scheme: 'wikidata', value: 'Q1', record_id: 1 },
    { kind: 'person', scheme: 'fec', value: 'S1', record_id: 2 },
    { kind: 'person', scheme: 'ocd-person', value: 'ocd-person/1', record_id: 3 },
    { kind: 'officeholder', scheme: 'ocd-person', value: 'ocd-person/1', record_id: 4 },
    { kind: 'contact', scheme: 'contact', value: '1', record_id: 1 },
    { kind: 'district', scheme: 'geoid', value: '0400000US91', record_id: WORLD.alpha },
  ]);
  await database.db.updateTable('candidates').set({ fec_id: 'H9' }).where('id', 'in', [800, 803]).execute();
});

const RECORD = `query ($scheme: String!, $value: String!) {
  record(scheme: $scheme, value: $value) { __typename id ... on Person { databaseId } } }`;

async function recordOf(scheme: string, value: string, options: ExecuteOptions = {}) {
  const { data, errors } = await request(database.db, RECORD, { ...options, variables: { scheme, value } });
  return errors ? errors[0]?.message : (data as { record: { __typename: string; id: string } | null }).record?.id;
}

const without = (...hidden: AccessGrant[]) => ALL_GRANTS.filter((grant) => !hidden.includes(grant));

describe('record', () => {
  it.each([
    ['ocdid', 'ocd-division/country:us/state:aa', globalId('District', WORLD.alpha)],
    ['geoid', '0400000US91', globalId('District', WORLD.alpha)],
    ['geoid', '91', globalId('District', WORLD.alpha)],
    ['geoid', '0500000US91', undefined],
    ['nces', '9100002', globalId('District', 50)],
    ['bioguide', 'A000001', globalId('Person', 1)],
    ['wikidata', 'Q1', globalId('Person', 1)],
    ['fec', 'S1', globalId('Person', 2)],
    ['bioguide', 'Q1', undefined],
    ['none', 'A000001', undefined],
    ['contact', '1', undefined],
  ])('of the scheme %s with the value %s is %s', async (scheme, value, id) => {
    expect(await recordOf(scheme, value)).toBe(id);
  });

  it('of a candidate by FEC id is the person, for packages with candidates', async () => {
    const { person_id: person } = await database.db
      .selectFrom('candidates')
      .select('person_id')
      .where('id', '=', 803)
      .executeTakeFirstOrThrow();
    await database.db.updateTable('candidates').set({ fec_id: null }).where('person_id', '!=', person).execute();
    expect(await recordOf('fec', 'H9')).toBe(globalId('Person', person));
    expect(await recordOf('fec', 'H9', { grants: without('elections') })).toBeUndefined();
  });

  it('is found by every identifier that a record shows', async () => {
    const fields = ['Person', 'Office', 'Officeholder', 'Election', 'Race', 'Candidate', 'BallotMeasure', 'District'];
    const ids = await database.db.selectFrom('external_identifiers').selectAll().where('scheme', '=', 'two').execute();
    expect(new Set(ids.map(({ kind }) => kind)).size).toBe(fields.length);
    const shared = ids.filter(({ value }) => ids.filter((other) => other.value === value).length === 1);
    expect(shared.length).toBeGreaterThan(6);
    for (const { kind, value } of shared) {
      const query = `query ($value: String!) { record(scheme: "two", value: $value) { __typename
        ${fields.map((type) => `... on ${type} { identifiers { scheme value } }`).join(' ')} } }`;
      const { data, errors } = await request(database.db, query, { variables: { value } });
      expect(errors).toBeUndefined();
      const type = fields.find((each) => each.toLowerCase() === kind.replace('_', ''));
      expect(data?.record).toMatchObject({
        __typename: type,
        identifiers: expect.arrayContaining([{ scheme: 'two', value }]),
      });
    }
  });

  it('is an error for an identifier of several records that the package includes', async () => {
    const ids = [globalId('Person', 3), globalId('Officeholder', 4)];
    expect(await recordOf('ocd-person', 'ocd-person/1')).toBe(
      `Several records have the identifier ocd-person/1 of the scheme ocd-person: Person ${ids[0]}, Officeholder ${ids[1]}. Ask for one of them by its id.`,
    );
    expect(await recordOf('ocd-person', 'ocd-person/1', { grants: without('officeholders') })).toBe(ids[0]);
    expect(await recordOf('geoid', '9101')).toMatch(
      /^Several records have the identifier 9101 .*: District \w+, District/,
    );
  });

  it('does not distinguish what the package does not include from what does not exist', async () => {
    for (const grants of [without('districts'), ['officeholders'] as const]) {
      expect(await recordOf('geoid', '0400000US91', { grants })).toBeUndefined();
      expect(await recordOf('geoid', '9101', { grants })).toBeUndefined();
    }
    expect(await recordOf('bioguide', 'A000001', { grants: ['districts'] })).toBeUndefined();
    expect(await recordOf('bioguide', 'A000001', { grants: ['elections'] })).toBe(globalId('Person', 1));
  });

  it.each([
    ['', 'x'],
    ['fec', ''],
  ])('requires a scheme and a value: %j, %j', async (scheme, value) => {
    expect(await recordOf(scheme, value)).toMatch(/must not be empty/);
  });
});

describe('records', () => {
  const RECORDS = 'query ($identifiers: [IdentifierInput!]!) { records(identifiers: $identifiers) { id } }';

  it('keep the order, and are read in one statement and one more for each type', async () => {
    const person = { scheme: 'bioguide', value: 'A000001' };
    const district = { scheme: 'geoid', value: '91' };
    const statementsOf = async (...identifiers: object[]) => {
      const recorded = recordStatements(database);
      const { data, errors } = await request(recorded.db, RECORDS, { variables: { identifiers } });
      expect(errors).toBeUndefined();
      return { records: data?.records, count: recorded.take().length };
    };
    const [personNode, districtNode] = [{ id: globalId('Person', 1) }, { id: globalId('District', WORLD.alpha) }];
    expect(await statementsOf(person)).toEqual({ records: [personNode], count: 2 });
    const [beta, second] = [WORLD.beta, WORLD.alphaSecond].map((id) => ({ id: globalId('District', id) }));
    const others = ['92', '9102', 'x'].map((value) => ({ scheme: 'geoid', value }));
    const many = await statementsOf(district, person, { scheme: 'wikidata', value: 'Q1' }, ...others, person);
    expect(many.count).toBe(3);
    expect(many.records).toEqual([districtNode, personNode, personNode, beta, second, null, personNode]);
  });

  it('are found where one identifier is rejected, with an error at its place', async () => {
    const person = { scheme: 'bioguide', value: 'A000001' };
    for (const [wrong, message] of [
      [{ scheme: '', value: 'x' }, /must not be empty/],
      [{ scheme: 'fec', value: '' }, /must not be empty/],
      [{ scheme: 'ocd-person', value: 'ocd-person/1' }, /^Several records have the identifier/],
    ] as const) {
      const { data, errors } = await request(database.db, RECORDS, {
        variables: { identifiers: [person, wrong, person] },
      });
      const found = { id: globalId('Person', 1) };
      expect(data?.records).toEqual([found, null, found]);
      expect(errors).toMatchObject([{ message: expect.stringMatching(message), path: ['records', 1] }]);
    }
  });

  it('are at most 100', async () => {
    const identifiers = Array.from({ length: 101 }, () => ({ scheme: 'fec', value: 'S1' }));
    const { errors } = await request(database.db, RECORDS, { variables: { identifiers } });
    expect(errors?.[0]?.message).toBe('records takes at most 100 identifiers at once, not 101.');
  });
});
