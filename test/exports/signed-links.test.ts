import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseSigningKeys, type SigningKeys } from '../../src/base/config/signing-keys.ts';
import { signPath, verifyLink } from '../../src/gateway/exports/signed-links.ts';
import { signingKeysOf } from '../../src/gateway/exports/signing-keys.ts';

const OLD = { id: 'OLDKEY01', secret: 'o'.repeat(32) };
const NEW = { id: 'NEWKEY01', secret: 'n'.repeat(32) };
const PATH = '/files/0b4f8f9e-4a53-4b7c-8d5e-0f8f8f3c2f10/upcoming-elections_2026-07-01.csv';
const NOW = 1_800_000_000;
const sign = (keys: SigningKeys = [NEW], expires = NOW + 300) => signPath(PATH, expires, keys);

describe('a signed link', () => {
  it('has the three parameters of the contract, and is another one each time', () => {
    const links = Array.from({ length: 100 }, () => sign());
    expect(new Set(links).size).toBe(100);
    expect([...new URL(sign(), 'http://x').searchParams.keys()]).toEqual(['AWSAccessKeyId', 'Expires', 'Signature']);
  });

  it('is valid until it expires', () => {
    expect(verifyLink(sign(), NOW, [NEW])).toBe(PATH);
    expect(verifyLink(sign(), NOW + 299.9, [NEW])).toBe(PATH);
    expect(verifyLink(sign(), NOW + 300, [NEW])).toBeUndefined();
  });

  it('is valid as long as its key is configured, in any position', () => {
    const link = sign([OLD]);
    expect(verifyLink(link, NOW, [NEW, OLD])).toBe(PATH);
    expect(verifyLink(sign([NEW, OLD]), NOW, [NEW])).toBe(PATH);
    expect(verifyLink(link, NOW, [NEW])).toBeUndefined();
    expect(verifyLink(link, NOW, [{ ...NEW, id: OLD.id }])).toBeUndefined();
  });

  it('is invalid after a change of any byte', () => {
    const link = sign();
    let accepted = 0;
    for (let at = 0; at < link.length; at++) {
      for (let byte = 0; byte < 256; byte++) {
        const forged = link.slice(0, at) + String.fromCharCode(byte) + link.slice(at + 1);
        if (forged !== link && verifyLink(forged, NOW, [NEW, OLD]) !== undefined) accepted++;
      }
    }
    expect(accepted).toBe(0);
  });

  it.each([
    ['extended', (link: string) => link.replace(/Expires=\d+/, `Expires=${NOW + 3_000}`)],
    ['re-targeted', (link: string) => link.replace('upcoming', 'candidates')],
    ['with the name of another key', (link: string) => link.replace(NEW.id, OLD.id)],
    ['with an empty signature', (link: string) => link.replace(/Signature=.*/, 'Signature=')],
    [
      'with the signature of another link',
      (link: string) => link.replace(/Signature=.*/, sign().slice(sign().indexOf('Signature='))),
    ],
    ['without its signature', (link: string) => link.replace(/&Signature=.*/, '')],
    ['without its expiry', (link: string) => link.replace(/&Expires=\d+/, '')],
    ['with an additional parameter', (link: string) => `${link}&x=1`],
    ['with a repeated parameter', (link: string) => link.replace('&', `&Expires=${NOW + 3_000}&`)],
    ['with its parameters in another order', (link: string) => link.replace(/(Expires=\d+)&(Signature=\w+)/, '$2&$1')],
    ['with a signature in capitals', (link: string) => link.replace(/Signature=.*/, (part) => part.toUpperCase())],
    ['with an encoded letter', (link: string) => link.replace('/files/', '/%66iles/')],
    ['with a byte missing', (link: string) => link.slice(0, -1)],
    ['with an additional byte', (link: string) => `${link}0`],
    ['empty', () => ''],
  ])('is rejected if it is %s', (_, forge) => {
    expect(verifyLink(forge(sign()), NOW, [NEW, OLD])).toBeUndefined();
  });
});

describe('keys', () => {
  it.each([
    ['one', `KEY1:${'s'.repeat(32)}`, ['KEY1']],
    ['two', `KEY1:${'s'.repeat(32)}, KEY2:${'t'.repeat(40)}`, ['KEY1', 'KEY2']],
    ['a short secret', `KEY1:${'s'.repeat(31)}`, undefined],
    ['a lower-case id', `key1:${'s'.repeat(32)}`, undefined],
    ['a good and a bad one', `KEY1:${'s'.repeat(32)},KEY2`, undefined],
    ['one id twice', `KEY1:${'s'.repeat(32)},KEY1:${'t'.repeat(32)}`, undefined],
    ['nothing', '', undefined],
  ])('of a configuration: %s', (_, text, ids) => {
    expect(parseSigningKeys(text)?.map((key) => key.id)).toEqual(ids);
  });

  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ballotgraph-keys-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('are generated once for a folder, for its owner only, for any number of processes', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => signingKeysOf(join(folder, 'new'))()));
    expect(new Set(all.map(([key]) => key.secret)).size).toBe(1);
    const path = join(folder, 'new', '.signing-key');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toBe(`${all[0]?.[0].id}:${all[0]?.[0].secret}`);
  });

  it('that cannot be read cause an error that names the file', async () => {
    await writeFile(join(folder, '.signing-key'), 'broken');
    await expect(signingKeysOf(folder)()).rejects.toThrow(/\.signing-key is not a signing key/);
  });
});
