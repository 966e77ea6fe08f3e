import { describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { GOOD_SOURCES, type GoodSource, type GoodSourceName, useGoodSources } from './good-sources.ts';

// Text files that are broken, through the importers of every kind of source.

const database = useDatabase();
const { importOf, rejectionOf, expectUnchanged } = useGoodSources(database);

test('valid files change nothing when loaded again', async () => {
  for (const good of Object.values<GoodSource>(GOOD_SOURCES)) await importOf(good);
  await expectUnchanged();
}, 120_000);

const TEXTS = Object.entries<GoodSource>(GOOD_SOURCES).flatMap(([name, { content, ...good }]) =>
  typeof content === 'string' ? [{ name: name as GoodSourceName, ...good, content }] : [],
);
type Text = (typeof TEXTS)[number];

interface Spoiling {
  readonly spoil: (content: string) => string | Buffer;
  readonly problem: RegExp;
  /** The sources that accept the file: they are published in this form, or cannot detect the defect. */
  readonly harmless?: readonly GoodSourceName[];
}

const ENDS_TAKEN = TEXTS.map(({ name }) => name).filter(
  (name) => name.startsWith('districts-topo') || !/districts-geojson|vip|civics|ocd|candidates/.test(name),
);
const SPOILT: Record<string, Spoiling> = {
  'cut off': {
    spoil: (content) => content.slice(0, Math.floor(content.length * 0.3)),
    problem: /cut off|cells; the header has/,
    // The remaining file is complete.
    harmless: ['ocd-division-ids'],
  },
  'followed by garbage': { spoil: (content) => `${content}\n"}}]<x: [`, problem: /is not/ },
  'with a byte order mark': {
    spoil: (content) => `\uFEFF${content}`,
    problem: /none/,
    harmless: TEXTS.map(({ name }) => name),
  },
  'in UTF-16': { spoil: (content) => Buffer.from(`\uFEFF${content}`, 'utf16le'), problem: /is UTF-16/ },
  'in Latin-1': {
    spoil: (content) => Buffer.from(content.replace(/[a-z]{4}(?![\s\S]*[a-z]{4})/, 'caf\xe9'), 'latin1'),
    problem: /is not UTF-8/,
  },
  'with a NUL': { spoil: (content) => content.replace(/\n(?=[^\n]*\n?$)/, '\n\0'), problem: /NUL/ },
  'with line ends of two kinds': {
    spoil: (content) => content.replace('\n', '\r\n'),
    problem: /LF|cells|is not CSV/,
    harmless: ENDS_TAKEN,
  },
};

describe.each(Object.entries(SPOILT))('a file %s', (_, { spoil, problem, harmless = [] }) => {
  test.each(TEXTS.filter(({ name }) => !harmless.includes(name)).map((text) => [text.name, text] as const))(
    'of %s is rejected with file and line',
    async (_, good: Text) => {
      const message = await rejectionOf(importOf(good, { [good.file]: spoil(good.content) }));
      expect(message).toMatch(new RegExp(`^${RegExp.escape(good.file)}:\\d+: `));
      expect(message).toMatch(problem);
    },
  );

  if (harmless.length > 0)
    test.each(TEXTS.filter(({ name }) => harmless.includes(name)).map((text) => [text.name, text] as const))(
      'of %s does no harm',
      async (_, good: Text) => {
        await importOf(good, { [good.file]: spoil(good.content) });
        await expectUnchanged();
      },
    );
});

describe('votes and references', () => {
  const { medsl, openelections, vip } = GOOD_SOURCES;
  test.each<[what: string, good: GoodSource, from: string | RegExp, to: string, message: RegExp]>([
    ['negative', medsl, ',30,', ',-30,', /^line 5: votes: "-30" is not a number of votes/],
    ['beyond the largest number', medsl, ',30,', ',1000000000000,', /^line 5: votes: "1000000000000" is not/],
    ['with a fraction', medsl, ',30,', ',30.5,', /^line 5: votes: "30\.5" is not/],
    ['in words', openelections, ',3\n', ',many\n', /^line \d: votes: "many" is not/],
  ])('votes %s are an unknown count, reported with the line', async (_, good, from, to, message) => {
    const changed = String(good.content).replace(from, to);
    const { report } = await importOf(good, { [good.file]: changed }, { dryRun: true });
    expect(report.map(({ reason }) => reason).filter((reason) => message.test(reason))).toHaveLength(1);
    await expectUnchanged();
  });

  test.each<[what: string, good: GoodSource, from: string | RegExp, to: string, message: RegExp]>([
    ['an unknown version', vip, 'schemaVersion="5.2"', 'schemaVersion="3.0"', /^vip\.xml:2: /],
    [
      'an entity of its own',
      vip,
      '<VipObject',
      '<!DOCTYPE x [<!ENTITY a "b">]><VipObject',
      /^vip\.xml:2: has a DOCTYPE/,
    ],
    [
      'elements without end',
      vip,
      '<Party id="par1">',
      `<Party id="par1">${'<a>'.repeat(20_000)}`,
      /^vip\.xml:\d+: is nested deeper than 32/,
    ],
  ])('%s are rejected with file and line', async (_, good, from, to, message) => {
    const changed = String(good.content).replace(from, to);
    expect(changed).not.toBe(good.content);
    expect(await rejectionOf(importOf(good, { [good.file]: changed }))).toMatch(message);
  });
});

test('a sum of votes over the largest number is skipped and reported', async () => {
  const { medsl } = GOOD_SOURCES;
  const content = medsl.content.replace(/,(10|5|7),YORK/g, ',999999999999,YORK');
  const { report } = await importOf(medsl, { [medsl.file]: content }, { dryRun: true });
  expect(report.map(({ reason }) => reason).join()).toContain('votes_for_cand: "2999999999997" is not a whole number');
  await expectUnchanged();
});
