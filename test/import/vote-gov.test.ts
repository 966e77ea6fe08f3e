import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ImportSummary, runImport } from '../../src/importers/import.ts';
import { withdrawSource } from '../../src/importers/load/editions/withdraw.ts';
import { useDatabase } from '../support/database.ts';
import { lines } from './feed-stores.ts';
import { counts, fingerprint, folderOf } from './folders.ts';

type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

const IN_PERSON = 'default_ip_deadline';
const ONLINE = 'default_online_deadline';
const POSTMARKED = 'default_mail_postmarked_deadline';
const RECEIVED = 'default_mail_received_deadline';

/** The folder of an edition: the texts of each language by state and column. */
function edition(texts: Readonly<Record<string, Texts>>): string {
  const links = Object.fromEntries(
    Object.keys(texts.en ?? {}).map((code) => [code, { more_info_link: `https://${code}.example/register` }]),
  );
  const labels = { dates__byonline_deadline: 'Inscripción por internet:', dates__inperson_deadline: 'En persona: ' };
  return folderOf({
    'states.json': JSON.stringify(links),
    ...Object.fromEntries(
      Object.entries(texts).flatMap(([language, of]) => [
        [`translations/${language}/state-data.json`, JSON.stringify(of)],
        [`translations/${language}/register.json`, JSON.stringify(labels)],
      ]),
    ),
  });
}

const database = useDatabase();
const importOf = (folder: string, asOf = '2024-07-25'): Promise<ImportSummary> =>
  runImport(database.db, 'vote-gov', [folder], { asOf });
const rules = () =>
  lines(
    database.db,
    `select concat_ws(' | ', d.state, kind, days_before, day_kind, l.url) as line
     from deadlines as l join districts as d on d.id = l.district_id order by 1`,
  );
const told = ({ report }: ImportSummary) => report.map(({ record, reason }) => `${record}: ${reason}`);

beforeAll(async () => {
  await runImport(database.db, 'us-atlas', []);
});
beforeEach(async () => {
  await sql`truncate deadlines, import_editions cascade`.execute(database.db);
  await sql`delete from external_identifiers where kind = 'deadline'`.execute(database.db);
  await sql`delete from record_sources where kind = 'deadline'`.execute(database.db);
});

describe('rules of vote.gov', () => {
  test.each([
    ['15 days before Election Day', ONLINE, ['Register online | 15 | Calendar']],
    ['11 business days before Election Day', IN_PERSON, ['Register in person | 11 | Business']],
    ['Available up to and including on Election Day', IN_PERSON, ['Register in person | 0 | Calendar']],
    ['Must be postmarked 29 days before  Election Day ', POSTMARKED, ['Register by mail, postmarked | 29 | Calendar']],
    ['Must be received 21 days before Election Day', RECEIVED, ['Register by mail, received | 21 | Calendar']],
    ['Must be received 11 business days before Election Day', RECEIVED, ['Register by mail, received | 11 | Business']],
    ['Must be received by or on Election Day', RECEIVED, ['Register by mail, received | 0 | Calendar']],
    [
      'Must be postmarked 15 days before and received 10 days before Election Day',
      RECEIVED,
      ['Register by mail, postmarked | 15 | Calendar', 'Register by mail, received | 10 | Calendar'],
    ],
    ['Same day registration available during early voting period', IN_PERSON, ['Register in person']],
    ['15 days before the primary', ONLINE, ['Register online']],
    ['About 15 days before Election Day', ONLINE, ['Register online']],
  ])('%s', async (phrase, column, expected) => {
    const summary = await importOf(edition({ en: { vt: { [column]: phrase } } }));
    expect(await rules()).toEqual(expected.map((rule) => `VT | ${rule} | https://vt.example/register`));
    expect(told(summary)).toEqual(
      expected[0]?.includes('|')
        ? []
        : [`VT ${expected[0]}: the rule is not understood, and kept as its text: ${phrase}`],
    );
  });

  test.each([
    ['es', '15 días antes', '{"es": {"label": "Inscripción por internet", "phrase": "15 días antes"}}'],
    ['bn', '১৫ দিন আগে', '{"bn": {"label": "Inscripción por internet", "phrase": "১৫ দিন আগে"}}'],
    ['ar', 'قبل ١٥ يومًا', '{"ar": {"label": "Inscripción por internet", "phrase": "قبل ١٥ يومًا"}}'],
    ['tl', '15 araw bago', '{"fil": {"label": "Inscripción por internet", "phrase": "15 araw bago"}}'],
    ['zh', '選舉日前 15 天', '{"zh-Hant": {"label": "Inscripción por internet", "phrase": "選舉日前 15 天"}}'],
    [
      'pt',
      '30 dias antes',
      'VT Register online (pt): the translation has other numbers than the English text: 30 dias antes',
    ],
    [
      'fr',
      'quinze jours avant',
      'VT Register online (fr): the translation has other numbers than the English text: quinze jours avant',
    ],
    [
      'ru',
      '15 дней и 10 дней',
      'VT Register online (ru): the translation has other numbers than the English text: 15 дней и 10 дней',
    ],
    ['vi', '15 days before Election Day', null],
    [
      'nv',
      '15 yi[kaah7',
      'translations/nv/state-data.json: its texts are written for a font of their own, in which digits are letters',
    ],
    ['xx', '15', 'translations/xx/state-data.json: its language is not in languages.csv'],
  ])('in another language: %s %s', async (language, phrase, expected) => {
    const en = { vt: { [ONLINE]: '15 days before Election Day' } };
    const summary = await importOf(edition({ en, [language]: { vt: { [ONLINE]: phrase } } }));
    const [translations] = await lines(database.db, 'select translations::text as line from deadlines');
    if (expected?.startsWith('{')) expect(translations).toBe(expected);
    else {
      expect(translations).toBeNull();
      expect(told(summary)).toEqual(expected === null ? [] : [expected]);
    }
  });

  test('are those of the newer edition, which is never replaced by an older one', async () => {
    const older = edition({
      en: {
        vt: { [ONLINE]: '15 days before Election Day', [IN_PERSON]: '10 days before Election Day' },
        dc: { [ONLINE]: '21 days before Election Day' },
      },
    });
    const newer = edition({ en: { vt: { [ONLINE]: 'The day before' } } });
    await importOf(older);
    const before = await fingerprint(database.db);
    expect(counts(await importOf(older))).toEqual({ 'deadlines.csv': [0, 0, 3, 0] });
    expect(await fingerprint(database.db)).toEqual(before);
    const summary = await importOf(newer, '2025-01-01');
    expect(await rules()).toEqual(['VT | Register online | https://vt.example/register']);
    expect(summary.report.filter(({ kind }) => kind === 'replaced-records')).toHaveLength(2);
    await expect(importOf(older)).rejects.toThrow('is of 2024-07-25; the edition of 2025-01-01 is stored');
    await withdrawSource(database.db, 'vote-gov', {});
    expect(await rules()).toEqual([]);
  });

  test('of a state that is not loaded are reported', async () => {
    const summary = await importOf(edition({ en: { zz: { [ONLINE]: '15 days before Election Day' } } }));
    expect(told(summary)).toEqual(['translations/en/state-data.json zz: is not a state']);
    await expect(runImport(database.db, 'vote-gov', [edition({ en: {} })])).rejects.toThrow('needs --as-of');
    await expect(importOf(edition({ es: {} }))).rejects.toThrow('there is no en/state-data.json');
  });
});

const shared = join(process.env.SHARED_DIR ?? join(import.meta.dirname, '../../../shared'), 'voting-data/vote-gov');
const hasData = existsSync(shared);

describe.skipIf(!hasData)(`all of vote.gov of 2024-07-25${hasData ? '' : ' (skipped: no data folder)'}`, () => {
  test('has 151 texts of nine patterns in 16 further languages, and one rule that is kept as its text', async () => {
    const summary = await importOf(shared);
    expect(await lines(database.db, 'select count(*)::text as line from deadlines')).toEqual(['152']);
    const byRule = `select concat_ws(' | ', kind, case when days_before > 0 then 'n' else days_before::text end, day_kind, count(*)) as line
      from deadlines group by kind, case when days_before > 0 then 'n' else days_before::text end, day_kind order by 1`;
    expect(await lines(database.db, byRule)).toEqual([
      'Register by mail, postmarked | n | Calendar | 39',
      'Register by mail, received | 0 | Calendar | 1',
      'Register by mail, received | n | Business | 1',
      'Register by mail, received | n | Calendar | 12',
      'Register in person | 0 | Calendar | 20',
      'Register in person | 1',
      'Register in person | n | Business | 1',
      'Register in person | n | Calendar | 33',
      'Register online | 0 | Calendar | 2',
      'Register online | n | Business | 1',
      'Register online | n | Calendar | 41',
    ]);
    const reported = told(summary);
    const byLanguage = `select tag || ' ' || count(*) as line
      from deadlines cross join jsonb_object_keys(translations) as tag group by tag order by 1`;
    expect(await lines(database.db, byLanguage)).toEqual([
      ...[
        'ar 152',
        'bn 150',
        'es 151',
        'fil 152',
        'fr 152',
        'hi 151',
        'ht 151',
        'km 151',
        'ko 151',
        'pt 151',
        'ru 151',
      ],
      ...['vi 151', 'ypk 148', 'zh-Hans 151', 'zh-Hant 151'],
    ]);
    const other = (record: string, phrase: string) =>
      `${record}: the translation has other numbers than the English text: ${phrase}`;
    expect(reported).toEqual([
      'nv/state-data.json: its texts are written for a font of their own, in which digits are letters',
      other('CA Register online (bn)', 'নির্বাচনের দিন পর্যন্ত এবং সহ উপলব্ধ'),
      other('HI Register by mail, postmarked (ht)', 'Dwe gen so lapòs 29 jou anvan Jou Eleksyon an'),
      other('HI Register by mail, postmarked (ypk)', 'Tuyumayaghqaguq 30 aghneq Nakmikivigem sivungani.'),
      other('MS Register by mail, postmarked (pt)', 'Deve ser carimbado 15 dias antes do Dia da Eleição'),
      other('NY Register by mail, received (ypk)', 'Kaasimayaghqaguq 10 aghneq Nakmikivigem sivunganeng'),
      'NC Register in person: the rule is not understood, and kept as its text: Same day registration available during early voting period',
      other('NC Register by mail, postmarked (ru)', '15 дней'),
    ]);
  });

  test('has the rules of the sample, which it keeps as they are', async () => {
    await importOf(join(import.meta.dirname, '../../db/sample/vote-gov'));
    const before = await fingerprint(database.db);
    for (const folder of [shared, shared])
      expect(counts(await importOf(folder))).toEqual({ 'deadlines.csv': [0, 0, 152, 0] });
    expect(await fingerprint(database.db)).toEqual(before);
  });
});
