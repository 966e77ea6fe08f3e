import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { ImportError, type ImportOptions, runImport, type SourceName } from '../../src/importers/import.ts';
import { useDatabase } from '../support/database.ts';
import { fingerprint, folderOf } from './folders.ts';

const database = useDatabase();
beforeEach(async () => {
  await sql`truncate districts, persons, sources, record_sources, external_identifiers cascade`.execute(database.db);
});

const VERMONT = 'ocd-division/country:us/state:vt';

function importOf(source: SourceName, path: string, options: ImportOptions = {}) {
  return runImport(database.db, source, [path], options);
}

describe('OCD division ids', () => {
  const files = {
    'counties.csv': `id,name,census_geoid\n${VERMONT}/county:essex,Essex County,place-50009\n${VERMONT}/place:canaan,Canaan town,place-5000911800\n`,
    'schools.csv': `${VERMONT}/county:essex/school_district:canaan,canaan school district\n`,
    'nces.csv': `id,sch_dist_stateid,census_geoid\n${VERMONT}/county:essex/school_district:canaan,T041,5002940\n`,
    'others.csv': `id,name,validThrough\n${VERMONT}/sldu:essex-orleans,Old name,2023-01-03\nocd-division/country:us/state:me/sldl:1,Maine 1,\n${VERMONT}/moon:1,Moon,\nocd-division/country:ca,Canada,\n`,
  };

  test('become districts without a boundary, merged from all files; those without a name are reported', async () => {
    const { report } = await importOf('ocd-division-ids', folderOf(files), { state: 'VT' });
    const { rows } = await sql<{ line: string }>`
      select concat_ws(' | ', type, name, state, replace(ocdid, ${VERMONT}, ''), geo_id, nces_id) as line
      from districts order by type, name`.execute(database.db);
    expect(rows.map(({ line }) => line)).toEqual([
      'State Legislative (Upper) | Vermont State Senate Essex-Orleans District | VT | /sldu:essex-orleans',
      'County | Essex County | VT | /county:essex | 0500000US50009',
      'County subdivision | Canaan town | VT | /place:canaan | 0600000US5000911800',
      'School District | Canaan School District | VT | /county:essex/school_district:canaan | 5002940 | 5002940',
      'Special District | Moon | VT | /moon:1',
    ]);
    expect(report.map(({ record, reason }) => `${record}: ${reason}`)).toEqual([
      'others.csv:5: ocd-division/country:ca is not a division of the United States',
    ]);
    const before = await fingerprint(database.db);
    await importOf('ocd-division-ids', folderOf(files), { state: 'VT' });
    expect(await fingerprint(database.db)).toEqual(before);
  });

  test.each<[what: string, content: string, options: ImportOptions, message: RegExp]>([
    ['a quote that is not closed', 'id,name\n"ocd', {}, /a\.csv(:\d+)?: is not CSV/],
    ['an unknown state', 'id,name\n', { state: 'XX' }, /XX is not a state/],
  ])('%s is rejected', async (_, content, options, message) => {
    const error = await importOf('ocd-division-ids', folderOf({ 'a.csv': content }), options).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ImportError);
    expect((error as ImportError).message).toMatch(message);
  });
});

describe('Open States people', () => {
  const person = (id: string, name: string, roles: string[], more = '') => `id: ocd-person/${id}
name: ${name}
party: [{name: Democratic/Progressive}]
roles:
${roles.map((role) => `- {jurisdiction: 'ocd-jurisdiction/country:us/state:vt/government', ${role}}`).join('\n')}
${more}`;
  const older = {
    'a.yml': person('a', 'Ada Able', ['type: lower, district: Essex-1'], 'email: ada@example.org'),
    'b.yml': person('b', 'Ben Baker', ['type: lower, district: Essex-1']),
    'c.yml': person('c', 'Cleo Charlie', ['type: lower, district: Orange-1']),
  };
  const newer = {
    'a.yml': person('a', 'Ada Able', ['type: lower, district: Essex-1, start_date: 2019-01-09']),
    'c.yml': person('c', 'Cleo Charlie', [
      'type: upper, district: Chittenden North, start_date: 2023-01-04',
      'type: lower, district: Orange-1, end_date: 2023-01-04',
      'type: upper, district: Orange, start_date: 2019-01-09, end_date: 2023-01-04',
    ]),
    'd.yml': person('d', 'Dan Dog', ['type: lower, district: Essex-1, start_date: 2023-01-04']),
    'e.yml': person('e', 'Eve Elm', ['type: lower, district: Orange-1, start_date: 2019-01-09']),
    // The older edition has others in these seats on its day.
    'g.yml': person('g', 'Gil Gull', ['type: lower, district: Essex-1, start_date: 2017-01-04, end_date: 2023-01-03']),
    'h.yml': person('h', 'Hal Hay', ['type: lower, district: Essex-1, start_date: 2021-01-06, end_date: 2025-01-08']),
  };
  const path = (day: string, files: Record<string, string>) =>
    join(folderOf(Object.fromEntries(Object.entries(files).map(([name, text]) => [`${day}/${name}`, text]))), day);
  const terms = async () => {
    const { rows } = await sql<{ term: string }>`
      select concat_ws(' | ', d.name, p.name, h.status, coalesce(h.start_date::text, '?'), coalesce(h.end_date::text, '?'), y.name,
        (select min(contact) from contacts as c where c.officeholder_id = h.id)) as term
      from officeholders as h join offices as o on o.id = h.office_id join districts as d on d.id = o.district_id
      join persons as p on p.id = h.person_id left join parties as y on y.id = h.partisan_affiliation`.execute(
      database.db,
    );
    return rows.map(({ term }) => term).sort();
  };

  const expected = [
    'Vermont House of Representatives Essex-1 District | Ada Able | Current | 2019-01-09 | ? | Democratic | ada@example.org',
    'Vermont House of Representatives Essex-1 District | Ben Baker | Former | ? | 2023-01-04 | Democratic',
    'Vermont House of Representatives Essex-1 District | Dan Dog | Current | 2023-01-04 | ? | Democratic',
    'Vermont House of Representatives Essex-1 District | Hal Hay | Former | 2023-01-04 | 2025-01-08',
    'Vermont House of Representatives Orange-1 District | Cleo Charlie | Former | ? | 2023-01-04 | Democratic',
    'Vermont House of Representatives Orange-1 District | Eve Elm | Current | 2023-01-04 | ? | Democratic',
    'Vermont State Senate Chittenden-North District | Cleo Charlie | Current | 2023-01-04 | ? | Democratic',
  ];

  test.each([
    ['the older edition first', ['2022-06-01', '2026-08-05']],
    ['the newer edition first', ['2026-08-05', '2022-06-01']],
  ])('each edition applies to its day: %s', async (_, days) => {
    const editions: Record<string, string> = {
      '2022-06-01': path('2022-06-01', older),
      '2026-08-05': path('2026-08-05', newer),
    };
    for (const day of days) await importOf('openstates-people', editions[day] ?? '');
    expect(await terms()).toEqual(expected);
    const last = days.at(-1) ?? '';
    const before = await fingerprint(database.db);
    await importOf('openstates-people', editions[last] ?? '');
    expect(await fingerprint(database.db)).toEqual(before);
  });

  test('an office that the rules do not know becomes an office of the state or the place', async () => {
    const of = (jurisdiction: string, type: string, district = '') =>
      `{jurisdiction: 'ocd-jurisdiction/country:us/${jurisdiction}/government', type: ${type}${district && `, district: ${district}`}}`;
    const roles = [
      of('state:vt', 'chief election officer'),
      of('state:vt', 'lt_governor'),
      of('state:vt/place:barre', 'city clerk'),
      of('state:vt/county:essex', 'sheriff'),
      of('district:dc', 'governor'),
      of('district:dc', 'legislature', 'Ward 4'),
      of('district:dc', 'legislature', 'At-Large'),
      of('district:dc', 'legislature', 'Chairman'),
      of('territory:pr', 'upper', 'At-Large'),
      of('territory:pr', 'lower', 'At-Large'),
      of('state:me', 'lower', 'Passamaquoddy Tribe'),
    ];
    const files = Object.fromEntries(
      roles.map((role, n) => [`${n}.yml`, `id: ocd-person/${n}\nname: P${n} Q\nroles: [${role}]\n`]),
    );
    const { report } = await importOf('openstates-people', path('2026-08-05', files));
    const { rows } = await sql<{ line: string }>`
      select concat_ws(' | ', d.name, o.name, o.type, o.level, o.branch, o.chamber) as line
      from offices as o join districts as d on d.id = o.district_id`.execute(database.db);
    expect(rows.map(({ line }) => line).sort()).toEqual([
      'Barre | City Clerk | Local | Executive',
      'District of Columbia Council Ward 4 | District of Columbia Council Ward 4 | Council Member | State | Legislative | Upper',
      'District of Columbia | At-Large Member of the Council of the District of Columbia | At-Large Member of the Council of the District of Columbia | State | Legislative',
      'District of Columbia | Chairman of the Council of the District of Columbia | Chairman of the Council of the District of Columbia | State | Legislative',
      'District of Columbia | Mayor of the District of Columbia | Mayor of the District of Columbia | State | Executive',
      'Puerto Rico | Puerto Rico House of Representatives At-Large | Representative | State | Legislative | Lower',
      'Puerto Rico | Puerto Rico Senate At-Large | Senator | State | Legislative | Upper',
      'Vermont | Lieutenant Governor of Vermont | Lieutenant Governor | State | Executive',
      'Vermont | Vermont Chief Election Officer | Chief Election Officer | State | Executive',
    ]);
    expect(report.map(({ record, reason }) => `${record}: ${reason}`)).toEqual(
      expect.arrayContaining([
        '3.yml (P3 Q): sheriff: ocd-division/country:us/state:vt/county:essex is neither a state nor a place',
        '10.yml (P10 Q): lower Passamaquoddy Tribe: the seat has no district',
      ]),
    );
  });

  test('ambiguous records are reported', async () => {
    const { report } = await importOf('openstates-people', path('2026-08-05', newer));
    expect(report.map(({ record, reason }) => `${record}: ${reason}`)).toEqual(
      expect.arrayContaining([
        'c.yml (Cleo Charlie): lower Orange-1 to 2023-01-04: overlaps another seat; the source does not state which one is correct',
        'c.yml (Cleo Charlie): upper Orange 2019-01-09 to 2023-01-04: overlaps another seat; the source does not state which one is correct',
        'VT State Legislative (Lower): the database has no map of these districts, so point lookups do not find their 3 members',
      ]),
    );
  });

  test.each([
    ['YAML that is cut off', 'id: {', /x\.yml:1: is not YAML, or is cut off/],
    ['another shape', 'id: ocd-person/x', /x\.yml: name: /],
    [
      'a day that does not exist',
      person('x', 'X', ['type: lower, district: A, start_date: 2023-02-30']),
      /x\.yml: roles\.0\.start_date/,
    ],
  ])('%s is rejected', async (_, content, message) => {
    const error = await importOf('openstates-people', folderOf({ 'x.yml': content })).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ImportError);
    expect((error as ImportError).message).toMatch(message);
  });
});
