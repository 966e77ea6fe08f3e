import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { BACKEND, requestLink, useFolder } from './support.ts';

const SQL = '-- title: Numbers\n-- description: d\nselect g as n from generate_series(1, 3) g';
const OLD = `OLDKEY01:${'o'.repeat(32)}`;
const NEW = `NEWKEY01:${'n'.repeat(32)}`;

const database = useDatabase();
const folder = useFolder();
beforeAll(async () => {
  await mkdir(join(folder.path, 'queries'));
  await writeFile(join(folder.path, 'queries', 'numbers.sql'), SQL);
});

/** The key that a gateway without configured keys has made. */
const generatedKey = () => readFileSync(join(folder.path, 'files', '.signing-key'), 'utf8');

/** Provides a gateway on the files of all of them, with the keys of a step of the rotation. */
const useGateway = (keys?: () => string): TestApp =>
  useApp(
    database,
    {
      get QUERIES_DIR() {
        return join(folder.path, 'queries');
      },
      get FILES_DIR() {
        return join(folder.path, 'files');
      },
      get FILES_SIGNING_KEYS() {
        return keys?.() ?? '';
      },
    },
    BACKEND,
  );
const before = useGateway(() => OLD);
const first = useGateway(() => `${OLD},${NEW}`);
const second = useGateway(() => `${NEW},${OLD}`);
const last = useGateway(() => NEW);

async function linkOf(gateway: TestApp): Promise<string> {
  const link = await requestLink(gateway, gateway.key('full'));
  return new URL(link, 'http://localhost').href.replace(/^https?:\/\/[^/]+/, '');
}

const statusOf = async (gateway: TestApp, url: string) => (await gateway.app.inject({ url })).statusCode;
const signerOf = (link: string) => /AWSAccessKeyId=(\w{8})/.exec(link)?.[1];

describe('the rotation of the keys of download links (docs/operations.md)', () => {
  it('signs with the first key, and accepts links of the old one until it is removed', async () => {
    const links = { before: await linkOf(before), first: await linkOf(first), second: await linkOf(second) };
    expect(Object.values(links).map(signerOf)).toEqual(['OLDKEY01', 'OLDKEY01', 'NEWKEY01']);
    expect(signerOf(await linkOf(last))).toBe('NEWKEY01');
    for (const link of [links.before, links.first])
      expect(await Promise.all([before, first, second, last].map((each) => statusOf(each, link)))).toEqual([
        200, 200, 200, 403,
      ]);
    // The gateways of the first step accept what those of the second one sign: they run side by side.
    expect(await Promise.all([before, first, second, last].map((each) => statusOf(each, links.second)))).toEqual([
      403, 200, 200, 200,
    ]);
  });
});

describe('the rotation of the generated key', () => {
  const generated = useGateway();
  const links: string[] = [];
  beforeAll(async () => {
    links.push(await linkOf(generated));
  });
  const both = useGateway(() => `${NEW},${generatedKey()}`);

  it('continues with the key of its file as the second one', async () => {
    const [link = ''] = links;
    expect(signerOf(link)).toBe(generatedKey().slice(0, 8));
    expect(await Promise.all([generated, both, last].map((each) => statusOf(each, link)))).toEqual([200, 200, 403]);
    expect(signerOf(await linkOf(both))).toBe('NEWKEY01');
  });
});
