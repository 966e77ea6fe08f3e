import type { GraphQLObjectType } from 'graphql';
import { sql } from 'kysely';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { TYPES_OF_KINDS } from '../../src/graph/provenance/record.ts';
import { schema } from '../../src/graph/schema.ts';
import { mergeTwoPersons } from '../../src/importers/load/persons/decide-persons.ts';
import { inOneTransaction } from '../../src/importers/load/transaction.ts';
import type { AccessGrant } from '../../src/store/sql/tables.ts';
import { useDatabase } from '../support/database.ts';
import { createElectionWorld } from '../support/election-world.ts';
import { ALL_GRANTS, request } from '../support/graph.ts';
import { ON_A_SERVER } from '../support/needs.ts';
import { addVoting, VOTING } from '../support/voting-world.ts';

interface Change {
  readonly kind: string;
  readonly type: string;
  readonly recordId: string;
  readonly fields: string[] | null;
  readonly record: { readonly id: string } | null;
}
interface Page {
  readonly nodes: Change[];
  readonly next: string;
  readonly isUpToDate: boolean;
}

const WITHOUT_RESULTS = ALL_GRANTS.filter((grant) => grant !== 'results');

describe('the feed of changes', () => {
  const database = useDatabase();

  async function page(args: string, grants: readonly AccessGrant[] = ALL_GRANTS): Promise<Page> {
    const fields = 'nodes { kind type recordId fields record { id } } next isUpToDate';
    const { data, errors } = await request(database.db, `{ changes${args && `(${args})`} { ${fields} } }`, { grants });
    expect(errors).toBeUndefined();
    return data?.changes as Page;
  }

  /** What changed while a function ran, as one line each. */
  async function changesOf(
    change: () => Promise<unknown>,
    grants?: readonly AccessGrant[],
    args = '',
  ): Promise<string[]> {
    const { next } = await page('', grants);
    await change();
    const { nodes, isUpToDate } = await page(`after: "${next}", first: 100${args}`, grants);
    expect(isUpToDate).toBe(true);
    return nodes.map((node) => {
      expect(node.record?.id ?? node.recordId).toBe(node.recordId);
      expect(node.record === null).toBe(node.kind === 'DELETED');
      return [
        node.kind,
        node.type,
        Buffer.from(node.recordId, 'base64url').toString().split(':')[1],
        ...(node.fields ?? []),
      ].join(' ');
    });
  }
  const run = (statement: string) => sql.raw(statement).execute(database.db);
  const inOne = (...statements: string[]) =>
    database.db.transaction().execute(async (transaction) => {
      for (const statement of statements) await sql.raw(statement).execute(transaction);
    });

  let isFilled = false;
  beforeEach(async () => {
    if (!isFilled) {
      await createElectionWorld(database.db);
      await addVoting(database.db);
    }
    isFilled = true;
  });

  it.each([
    ['a new record', ["insert into parties (id, name) values (77, 'New')"], ['CREATED Party 77']],
    [
      'values',
      ["update parties set url = 'https://new.example', name = 'Newer' where id = 77"],
      ['UPDATED Party 77 name url'],
    ],
    ['the same values', ["update parties set name = 'Newer' where id = 77"], []],
    ['a removed record', ['delete from parties where id = 77'], ['DELETED Party 77']],
    [
      'a record that is new and changed',
      ["insert into parties (id, name) values (78, 'One')", "update parties set name = 'Two' where id = 78"],
      ['CREATED Party 78'],
    ],
    [
      'a record that is new and gone',
      ["insert into parties (id, name) values (79, 'One')", 'delete from parties where id = 79'],
      [],
    ],
    [
      'a record that is replaced',
      ['delete from parties where id = 78', "insert into parties (id, name) values (78, 'Three')"],
      ['UPDATED Party 78'],
    ],
    [
      'a changed and removed record',
      ["update parties set name = 'Four' where id = 78", 'delete from parties where id = 78'],
      ['DELETED Party 78'],
    ],
    [
      'a text that is also told as an enum',
      ["update offices set is_partisan = 'Partisan primary' where id = (select min(id) from offices)"],
      [expect.stringMatching(/^UPDATED Office \d+( isPartisan)? partisanship$/)],
    ],
    [
      'a text that the enum does not have',
      ["update offices set is_partisan = 'Partisan runoff' where id = (select min(id) from offices)"],
      [expect.stringMatching(/^UPDATED Office \d+ partisanship$/)],
    ],
    [
      'hours of a place',
      [`update voting_places set hours = '9 to 5' where id = ${VOTING.westHall}`],
      [`UPDATED VotingPlace ${VOTING.westHall} hours`],
    ],
    [
      'a district of a place',
      [
        "insert into districts (id, type, name, state) values (7001, 'Precinct', 'New', 'AA')",
        `update voting_places set district_ids = district_ids || 7001 where id = ${VOTING.westHall}`,
      ],
      ['CREATED District 7001', `UPDATED VotingPlace ${VOTING.westHall} districts`],
    ],
    [
      'a district of a place that is gone',
      ['delete from districts where id = 7001'],
      ['DELETED District 7001', `UPDATED VotingPlace ${VOTING.westHall} districts`],
    ],
  ])('tells of %s', async (_, statements, expected) => {
    expect(await changesOf(() => inOne(...statements))).toEqual(expected);
  });

  it('tells of parts of a record as changes of its fields, and of rules as changes of the elections they are of', async () => {
    const contact = (text: string) =>
      `insert into contacts (person_id, collection, contact_type, contact) select min(id), 'contact', 'Phone', '${text}' from persons`;
    expect(await changesOf(() => run(contact('1')))).toEqual([expect.stringMatching(/^UPDATED Person \d+ contacts$/)]);
    expect(
      await changesOf(
        () => run(contact('2')),
        ALL_GRANTS.filter((grant) => grant !== 'contact'),
      ),
    ).toEqual([]);
    const rule = await changesOf(() => run(`update deadlines set days_before = 16 where id = ${VOTING.online}`));
    expect(new Set(rule.map((line) => line.replace(/[\da-f]{32}/, 'key')))).toEqual(
      new Set(['UPDATED Election key deadlines']),
    );
    expect(rule).toHaveLength(4);
  });

  it('of votes exists only for packages with results', async () => {
    const votes = (count: number) => () =>
      run(`update candidates set votes_for_cand = ${count} where id = (select min(id) from candidates)`);
    const { next } = await page('', WITHOUT_RESULTS);
    expect(await changesOf(votes(5), WITHOUT_RESULTS)).toEqual([]);
    expect((await page('', WITHOUT_RESULTS)).next).toBe(next);
    expect(await changesOf(votes(6))).toEqual([expect.stringMatching(/^UPDATED Candidate \d+ votes$/)]);
    expect((await page(`after: "${next}"`, WITHOUT_RESULTS)).next).toBe(next);
  });

  it.runIf(inject('backend').kind === 'server')(
    `tells of transactions in the order of their commits${ON_A_SERVER}`,
    async () => {
      await run("insert into parties (id, name) values (81, 'First'), (82, 'Second')");
      const rename = (id: number) => sql`update parties set url = 'https://renamed.example' where id = ${id}`;
      const first = await database.db.startTransaction().execute();
      await rename(81).execute(first);
      const second = await database.db.startTransaction().execute();
      await rename(82).execute(second);
      expect(await changesOf(() => second.commit().execute())).toEqual(['UPDATED Party 82 url']);
      const { next } = await page('');
      expect(await changesOf(() => first.commit().execute())).toEqual(['UPDATED Party 81 url']);
      expect((await page(`after: "${next}"`)).nodes).toMatchObject([{ kind: 'UPDATED', fields: ['url'] }]);
    },
  );

  it('tells of a merged person as deleted, without the person who is left in its place', async () => {
    const { rows } = await sql<{
      id: number;
    }>`insert into persons (name) values ('Ann One'), ('Ann Two') returning id`.execute(database.db);
    const [left = 0, gone = 0] = rows.map(({ id }) => id);
    const told = await changesOf(() => inOneTransaction(database.db, false, (one) => mergeTwoPersons(one, left, gone)));
    // `changesOf` compares each record with the id of its change.
    expect(told.filter((line) => line.startsWith('DELETED'))).toEqual([expect.stringMatching(/^DELETED Person \d+$/)]);
  });

  it('tells of the votes of a precinct when a candidate whom they name comes to its race or leaves it', async () => {
    const { rows } = await sql<{ candidate: number; race: number; other: number }>`
      select c.id as candidate, c.race_id as race, (
        select min(r.id) from races as r
        where not exists (select from candidates as o where o.race_id = r.id and o.person_id = c.person_id)) as other
      from candidates as c order by c.id limit 1`.execute(database.db);
    const [{ candidate, race, other } = { candidate: 0, race: 0, other: 0 }] = rows;
    await inOne(
      "insert into sources (name) values ('votes')",
      `insert into precinct_results (race_id, source_id, file, county, town, precinct, candidate_ids, votes)
        select ${race}, min(id), 'a.csv', '', '', '1', array[${candidate}], array[5] from sources`,
    );
    const told = (change: string) =>
      changesOf(() => run(`update candidates set ${change} where id = ${candidate}`), ALL_GRANTS, ', types: ["Race"]');
    expect(await told(`race_id = ${other}`)).toEqual([`UPDATED Race ${race} results`]);
    expect(await told(`race_id = ${race}`)).toEqual([`UPDATED Race ${race} results`]);
    expect(await told('is_write_in = is_write_in is not true')).toEqual([]);
    await run('delete from precinct_results');
  });

  it('is read in pages of its own types and states', async () => {
    const { next } = await page('');
    await run(`update districts set url = 'https://d.example'`);
    await run(`update elections set description = 'Called'`);
    const read: string[] = [];
    for (let after = next, isDone = false; !isDone; ) {
      const { nodes, ...rest } = await page(`after: "${after}", first: 2`);
      expect(nodes.length).toBeLessThanOrEqual(2);
      read.push(...nodes.map(({ type }) => type));
      [after, isDone] = [rest.next, rest.isUpToDate];
    }
    const { rows } = await sql<{ type: string; count: number }>`
      select 'District' as type, count(*)::int as count from districts union all select 'Election', count(*)::int from elections`.execute(
      database.db,
    );
    for (const { type, count } of rows) expect(read.filter((each) => each === type)).toHaveLength(count);
    const some = await page(`after: "${next}", types: ["Election"], state: "AA", first: 100`);
    expect(new Set(some.nodes.map(({ type }) => type))).toEqual(new Set(['Election']));
    expect(some.next).toBe((await page('')).next);
  });

  it.each([['f'.repeat(72)], ['0'.repeat(72)], ['1'], ['x'.repeat(72)]])(
    'says of the cursor %s with which one to continue',
    async (after) => {
      const { errors } = await request(database.db, `{ changes(after: "${after}") { next } }`);
      expect(errors?.[0]?.message).toContain(`continue with after: "${(await page('')).next}"`);
    },
  );

  it('says so of a cursor of changes that the database lost, as after it was restored', async () => {
    await run(`update parties set url = 'https://lost.example' where id = (select min(id) from parties)`);
    const { next: lost } = await page('');
    // A reader who is behind has values of changes that it was not told of yet.
    const { next: behind } = await page('after: "start", first: 1');
    await inOne(
      'delete from changes where set_id = (select max(id) from change_sets)',
      'delete from change_sets where id = (select max(id) from change_sets)',
      'update data_version set last_change = (select max(last_sequence) from change_sets)',
    );
    for (const after of [lost, behind]) {
      const { errors } = await request(database.db, `{ changes(after: "${after}") { next } }`);
      expect(errors?.[0]?.message).toContain(`continue with after: "${(await page('')).next}"`);
    }
  });

  it('is read from a day, without records that are older than the feed, and without a trace of what is hidden', async () => {
    const lines = async (args: string, grants?: readonly AccessGrant[]) =>
      (await page(`${args}, types: ["Candidate", "Party"], first: 100`, grants)).nodes.length;
    const today = new Date().toISOString().slice(0, 10);
    const counted = async (condition: string) => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from changes as c join change_sets as s on s.id = c.set_id
        where c.kind in ('candidate', 'party') and (${sql.raw(condition)})`.execute(database.db);
      return rows[0]?.count;
    };
    // What the migration does with records that are there before it, such as parties.
    await run('update change_sets set changed_at = null where id = (select min(id) from change_sets)');
    expect(await lines('after: "start"')).toBe(await counted('true'));
    expect(await counted('s.changed_at is null')).toBeGreaterThan(5);
    expect(await lines('since: "0001-01-01"')).toBe(await counted('s.changed_at is not null'));
    expect(await lines(`since: "${today}"`)).toBe(await counted('s.changed_at is not null'));
    await run(`update change_sets set changed_at = '2020-02-02T23:59:59Z' where id % 2 = 0 and changed_at is not null`);
    expect(await lines('since: "2020-02-03"')).toBe(await counted(`s.changed_at > '2020-02-03'`));
    expect(await lines('since: "2020-02-02"')).toBe(await counted('s.changed_at is not null'));
    const next = async () => (await page('since: "9999-12-31"', WITHOUT_RESULTS)).next;
    const before = await next();
    expect(before).toBe((await page('', WITHOUT_RESULTS)).next);
    await run('update candidates set votes_for_cand = 77 where id = (select min(id) from candidates)');
    expect(await next()).toBe(before);
    const { errors } = await request(database.db, `{ changes(after: "start", since: "${today}") { next } }`);
    expect(errors?.[0]?.message).toBe('changes takes either after or since.');
  });

  it('names fields as the schema does', async () => {
    const { rows } = await sql<{ source: string }>`
      select prosrc as source from pg_proc where proname ~ '^note_update_of_' order by proname`.execute(database.db);
    const named = rows.flatMap(({ source }) =>
      [...source.matchAll(/select (?:distinct )?'(\w+)'[^;]*;/g)].flatMap(([statement, kind]) =>
        [...statement.matchAll(/(?:then|else|array\[) ?'([a-z]\w+)'/g)].map(([, field]) => ({ kind, field })),
      ),
    );
    expect(named.length).toBeGreaterThan(80);
    const types = new Map<string, string>(TYPES_OF_KINDS);
    const wrong = named.filter(({ kind = '', field = '' }) => {
      const type = schema.getType(types.get(kind) ?? '') as GraphQLObjectType | undefined;
      return !(field in (type?.getFields() ?? {}));
    });
    expect(wrong).toEqual([]);
  });

  it('names the types of records in place of another', async () => {
    const { errors } = await request(database.db, '{ changes(types: ["Contact"]) { next } }');
    expect(errors?.[0]?.message).toMatch(/^types must be types of records, and "Contact" is none: District, /);
  });

  it.each([
    ['ballot_measures', 'BallotMeasure'],
    // With their parties, which are emptied after them.
    ['candidates', 'Candidate'],
  ])('tells of every record of %s that are emptied, and of what goes with it', async (table, type) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(
      database.db,
    );
    const gone = await changesOf(() => run(`truncate ${table} cascade`));
    expect(gone).toHaveLength(rows[0]?.count ?? 0);
    expect(gone.every((line) => line.startsWith(`DELETED ${type} `))).toBe(true);
  });
});
