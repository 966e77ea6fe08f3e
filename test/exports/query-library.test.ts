import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openQueryLibrary } from '../../src/gateway/exports/query-library.ts';
import type { Caller } from '../../src/graph/builder/caller.ts';
import type { AccessGrant } from '../../src/store/sql/tables.ts';

const GOOD = '-- title: A\n-- description: B\nselect 1 as one';

let folder: string;
let problems: { file?: string; folder?: string; problem: string }[];
let time: number;
let changes: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ballotgraph-queries-'));
  problems = [];
  time = 0;
  changes = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const log = { warn: (line: object) => void problems.push(line as (typeof problems)[number]) };
const open = () => openQueryLibrary(folder, log, () => time);
const caller = (...grants: AccessGrant[]): Caller => ({ packageName: 'test', keyId: 1, grants: new Set(grants) });

/** Writes a file with a distinct modification time: two writes in one tick of the file system's clock look the same. */
async function put(name: string, text: string | Uint8Array): Promise<void> {
  await writeFile(join(folder, name), text);
  const at = new Date(2_000_000_000_000 + 1_000 * ++changes);
  await utimes(join(folder, name), at, at);
}

const later = () => {
  time += 2_000;
};

describe('a folder of stored queries', () => {
  it('lists the queries that a package may see, by id', async () => {
    await put('b-2.sql', GOOD);
    await put(
      'A_1.sql',
      '-- title: T\n-- description: on\n--   two lines\n-- grants: elections, results\n\nselect 2;\n',
    );
    const library = open();
    expect((await library.list(caller())).map((query) => query.id)).toEqual(['b-2']);
    expect((await library.list(caller('elections'))).map((query) => query.id)).toEqual(['b-2']);
    expect(await library.list(caller('elections', 'results', 'bulk'))).toEqual([
      expect.objectContaining({
        id: 'A_1',
        title: 'T',
        description: 'on two lines',
        grants: ['elections', 'results'],
        sql: expect.stringMatching(/select 2$/),
      }),
      expect.objectContaining({ id: 'b-2', title: 'A', description: 'B', grants: [] }),
    ]);
    expect(await library.find('A_1', caller('elections'))).toBeUndefined();
    expect(await library.find('A_1', caller('elections', 'results'))).toMatchObject({ title: 'T' });
    expect(await library.find('__proto__', caller())).toBeUndefined();
    expect(problems).toEqual([]);
  });

  it('lists queries with a position first, in its order, then the others by id', async () => {
    await put('a.sql', GOOD);
    await put('b.sql', GOOD);
    await put('y.sql', `-- position: 10\n${GOOD}`);
    await put('z.sql', `-- position: 2\n${GOOD}`);
    await put('none.sql', `-- position: first\n${GOOD}`);
    expect((await open().list(caller())).map((query) => query.id)).toEqual(['z', 'y', 'a', 'b']);
    expect(JSON.stringify(problems)).toContain('it must be a whole number from 1 to 9999');
  });

  it('detects changes of its files', async () => {
    const library = open();
    expect(await library.list(caller())).toEqual([]);
    await put('a.sql', GOOD);
    later();
    const [first] = await library.list(caller());
    expect(first).toMatchObject({ id: 'a', title: 'A' });
    await put('a.sql', GOOD.replace('title: A', 'title: Changed'));
    later();
    const [second] = await library.list(caller());
    expect(second).toMatchObject({ title: 'Changed', digest: expect.not.stringMatching(first?.digest ?? '') });
    await rm(join(folder, 'a.sql'));
    later();
    expect(await library.list(caller())).toEqual([]);
  });

  it.each([
    ['no title', 'x', '-- description: B\nselect 1', /no title/],
    ['no description', 'x', '-- title: B\nselect 1', /no description/],
    ['a blank line before its header', 'x', `\n${GOOD}`, /no title/],
    ['an unknown member in its header', 'x', `-- author: Me\n${GOOD}`, /"author".*title, description, grants/],
    ['a member twice', 'x', `-- title: Me\n${GOOD}`, /"title" twice/],
    ['an unknown grant', 'x', `-- grants: result\n${GOOD}`, /"result"/],
    ['two statements', 'x', `${GOOD}; select 2`, /more than one statement/],
    ['a name with a dot', 'x.y', GOOD, /name/],
    ['a name that is too long', 'x'.repeat(65), GOOD, /name/],
    ['other bytes than UTF-8', 'x', Buffer.concat([Buffer.from(GOOD), Buffer.from([0xff])]), /UTF-8/],
    ['too much', 'x', `${GOOD} -- ${'x'.repeat(100_000)}`, /larger/],
  ])('skips a file with %s, and logs the file and the reason once', async (_, name, text, reason) => {
    await put('good.sql', GOOD);
    await put(`${name}.sql`, text);
    const library = open();
    expect((await library.list(caller())).map((query) => query.id)).toEqual(['good']);
    later();
    await library.list(caller());
    expect(problems).toEqual([{ file: join(folder, `${name}.sql`), problem: expect.stringMatching(reason) }]);
  });

  it('ignores a subfolder with the name of a query', async () => {
    await mkdir(join(folder, 'x.sql'));
    await put('good.sql', GOOD);
    expect((await open().list(caller())).map((query) => query.id)).toEqual(['good']);
    expect(problems).toHaveLength(1);
  });

  it('is empty if it is missing, and keeps its queries if it disappears', async () => {
    const library = open();
    await put('good.sql', GOOD);
    later();
    expect(await library.list(caller())).toHaveLength(1);
    await rm(folder, { recursive: true });
    later();
    expect(await library.list(caller())).toHaveLength(1);
    later();
    await library.list(caller());
    expect(problems).toEqual([{ folder, problem: expect.stringContaining('ENOENT') }]);
    expect(await open().list(caller())).toEqual([]);
  });
});
