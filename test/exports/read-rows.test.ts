import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../src/gateway/exports/formats.ts';
import { readRows } from '../../src/gateway/exports/read-rows.ts';
import { useDatabase } from '../support/database.ts';
import { ON_A_SERVER, ON_EMBEDDED } from '../support/needs.ts';
import { BACKEND, fileText, LARGEST_BYTES, rawQuery, sourceOf } from './support.ts';

const database = useDatabase();
const file = (query: string, format: (typeof FORMAT_NAMES)[number]) => fileText(sourceOf(database), query, format);
const literal = (text: string | null) => (text === null ? 'null' : `'${text.replaceAll("'", "''")}'`);

const EVERY_TYPE = `select
  1::int as small, 9007199254740991::bigint as exact, 9007199254740993::bigint as exceeding, -5::bigint as negative,
  12.50::numeric as decimal, 12345678901234.5::numeric as long_decimal, 'NaN'::numeric as nan,
  -1.5::float8 as float, 'Infinity'::float8 as infinite,
  true as yes, null::boolean as unknown,
  date '2024-11-05' as day, timestamptz '2024-11-05 10:00:00+02' as moment,
  'Congress'::district_type as type, '{a,b}'::text[] as list, '{"a":
    [1, "=x"]}'::json as json, '{"b": 2}'::jsonb as jsonb,
  ST_SetSRID(ST_MakePoint(-72.5, 44.25), 4326) as place,
  '' as empty, null::text as nothing`;

describe('values', () => {
  it('in json: exact numbers, dates as text, geometry as GeoJSON', async () => {
    const [row] = JSON.parse(await file(EVERY_TYPE, 'json'));
    expect(row).toEqual({
      small: 1,
      exact: 9007199254740991,
      exceeding: '9007199254740993',
      negative: -5,
      decimal: 12.5,
      long_decimal: 12345678901234.5,
      nan: 'NaN',
      float: -1.5,
      infinite: 'Infinity',
      yes: true,
      unknown: null,
      day: '2024-11-05',
      moment: '2024-11-05T08:00:00+00:00',
      type: 'Congress',
      list: ['a', 'b'],
      json: { a: [1, '=x'] },
      jsonb: { b: 2 },
      place: { type: 'Point', coordinates: [-72.5, 44.25] },
      empty: '',
      nothing: null,
    });
    expect(await file('select 1234567890123456.7 as too_long', 'json')).toContain('"1234567890123456.7"');
  });

  it('in csv: as PostgreSQL writes them, geometry as WKT', async () => {
    const [row] = parse(await file(EVERY_TYPE, 'csv'), { columns: true });
    expect(row).toMatchObject({
      exceeding: '9007199254740993',
      negative: '-5',
      decimal: '12.50',
      float: '-1.5',
      yes: 'true',
      unknown: '',
      day: '2024-11-05',
      moment: '2024-11-05 08:00:00+00',
      type: 'Congress',
      list: '{a,b}',
      place: 'POINT(-72.5 44.25)',
    });
  });

  it('of the day of the request', async () => {
    const text = await fileText(sourceOf(database), `select current_setting('ballotgraph.today')::date as day`, 'csv', {
      today: '2031-02-03',
    });
    expect(text).toBe('day\r\n2031-02-03\r\n');
  });
});

describe('the start and end of a file', () => {
  const two = `select * from (values (1, 'a'), (2, 'b')) as v(id, name)`;

  it.each([
    ['json', '[{"id":1,"name":"a"}\n,{"id":2,"name":"b"}\n]\n', '[]\n'],
    ['csv', 'id,name\r\n1,a\r\n2,b\r\n', 'id,name\r\n'],
    ['ndjson', '{"id":1,"name":"a"}\n{"id":2,"name":"b"}\n', ''],
  ] as const)('%s', async (format, full, empty) => {
    expect(await file(two, format)).toBe(full);
    expect(await file(`${two} where false`, format)).toBe(empty);
  });

  it('geojson: features of the first geometry, the rest as properties', async () => {
    const query = `select 1 as id, ST_MakePoint(1, 2) as place, 'a' as name, ST_MakePoint(3, 4) as other
      union all select 2, null, null, null`;
    expect(JSON.parse(await file(query, 'geojson'))).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [1, 2] },
          properties: { id: 1, name: 'a', other: { type: 'Point', coordinates: [3, 4] } },
        },
        { type: 'Feature', geometry: null, properties: { id: 2, name: null, other: null } },
      ],
    });
    expect(JSON.parse(await file('select ST_MakePoint(1, 2) as place', 'geojson'))).toMatchObject({
      features: [{ properties: {} }],
    });
    expect(JSON.parse(await file('select ST_MakePoint(1, 2) as place where false', 'geojson'))).toMatchObject({
      features: [],
    });
    await expect(file('select 1 as id', 'geojson')).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
  });

  it('preserves the order of the rows over several fetches', async () => {
    const text = await file('select g from generate_series(1, 25000) g order by g desc', 'ndjson');
    const rows = text.trim().split('\n');
    expect(rows).toHaveLength(25_000);
    expect(rows.map((row) => JSON.parse(row).g)).toEqual(Array.from({ length: 25_000 }, (_, index) => 25_000 - index));
  });

  it.each([
    ['quotes and commas', '"a"",b"'],
    ['a keyword', '"select"'],
    ['names that the export itself uses', 'row_, 2 as source_, 3 as line_, 4 as text_, 5 as p'],
    ['no name', '"?column?"'],
  ])('accepts any column names: %s', async (_, name) => {
    const query = `select 1 as ${name}`;
    const [row] = JSON.parse(await file(query, 'json'));
    const [header, cells] = parse(await file(query, 'csv'));
    expect(Object.keys(row)).toEqual(header);
    expect(Object.values(row).map(String)).toEqual(cells);
    const feature = JSON.parse(await file(`${query}, ST_MakePoint(1, 2) as place`, 'geojson')).features[0];
    expect(feature.properties).toEqual(row);
  });

  it('rejects two columns with the same name', async () => {
    await expect(file('select 1 as a, 2 as a', 'json')).rejects.toThrow(/two of its columns have the name "a"/);
  });

  it('accepts a query that ends with a comment', async () => {
    for (const format of FORMAT_NAMES) {
      await expect(file('select ST_MakePoint(1, 2) as place -- the end', format)).resolves.toContain('1');
    }
  });
});

/** Texts that a spreadsheet may treat as a formula, by Unicode class. */
const FORMULA =
  /^(?=[\t\r\n]|[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}"'`‘’“”«»＂＇]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;

describe('formulas', () => {
  const STARTS = ['=1+1', '+1 555', '-2', '@x', '\tx', '\rx', '\nx', '＝1', '＋1', '－1', '＠x'];
  const query = `select * from (values ${STARTS.map((text) => `(${literal(text)})`).join(', ')}) as v(text)`;

  it('are text in csv', async () => {
    const rows: string[][] = parse(await file(query, 'csv'), { from: 2 });
    expect(rows.flat()).toEqual(STARTS.map((text) => `'${text}`));
  });

  const HIDDEN = [
    ...[' ', '   ', '\t', '\u00a0', '\u2003', '\u3000', '\ufeff', '\u200b', '\u200e', '\u2060', '\u00ad', '\u0001'],
    ...['\u180e', '\u202e', '\u2066', '\u{e0020}', '"', "'", '“', '‘', '`', ' "', "\ufeff'", '\u200b \u00a0'],
  ];

  it.each(['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹫'])(
    'are found behind invisible characters: %s',
    async (sign) => {
      const texts = HIDDEN.map((hidden) => `${hidden}${sign}1+1`);
      const rows = `select * from (values ${texts.map((text) => `(${literal(text)})`).join(', ')}) as v(text)`;
      const found: string[][] = parse(await file(rows, 'csv'), { from: 2 });
      expect(found.flat()).toEqual(texts.map((text) => `'${text}`));
    },
  );

  it('are not found where there are none', async () => {
    const texts = [
      '',
      ' ',
      'a=b',
      ' a -b',
      '1-2',
      '"quoted"',
      "O'Hare",
      '\ufeffname',
      '(802) 555-0100',
      '’tis',
      'x@example.org',
    ];
    const rows = `select * from (values ${texts.map((text) => `(${literal(text)})`).join(', ')}) as v(text)`;
    const found: string[][] = parse(await file(rows, 'csv'), { from: 2 });
    expect(found.flat()).toEqual(texts);
  });

  it('are unchanged in the other formats', async () => {
    expect(JSON.parse(await file(query, 'json')).map((row: { text: string }) => row.text)).toEqual(STARTS);
  });

  it('are searched in text of every type, and in nothing else', async () => {
    const types = `select '-1'::varchar as a, '=b'::char(3) as b, '-5'::json as c, '"=x"'::jsonb as d, '-a'::name as e,
      -1 as f, -1.5::numeric as g, -1::float8 as h, '-1 day'::interval as i, '-infinity'::date as j, '=x'::bytea as k,
      ST_MakePoint(-1, -2) as l`;
    const [row] = parse(await file(types, 'csv'), { columns: true }) as Record<string, string>[];
    expect(row).toEqual({
      ...{ a: `'-1`, b: `'=b`, c: `'-5`, d: `'"=x"`, e: `'-a` },
      ...{ f: '-1', g: '-1.5', h: '-1', i: 'P-1D', j: '-infinity', k: '\\x3d78', l: 'POINT(-1 -2)' },
    });
  });
});

describe('csv and json', () => {
  beforeAll(async () => {
    await sql`create table cells (id int, a text, b text)`.execute(database.db);
    await sql`grant select on cells to ballotgraph_export`.execute(database.db);
    return async () => {
      await sql`drop table cells`.execute(database.db);
    };
  });

  /** Any text that PostgreSQL can store, more often characters that are special in CSV. */
  const text = fc.oneof(
    fc.string({
      unit: fc.constantFrom('"', ',', '\r', '\n', "'", '\\', '.', 'a', ' ', '=', '\u0001', '\u0002', '\u2028', '😀'),
    }),
    fc.string({ unit: 'binary' }).map((any) => any.replaceAll('\0', '').toWellFormed()),
    fc.constantFrom('', '\\.', '""', '\\N', '\ufeff'),
  );

  it('contain the same values, read by an independent parser', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.option(text), fc.option(text)), { maxLength: 20 }), async (pairs) => {
        await sql`truncate cells`.execute(database.db);
        await sql`insert into cells select * from unnest(${pairs.map((_, index) => index)}::int[],
          ${pairs.map(([a]) => a)}::text[], ${pairs.map(([, b]) => b)}::text[])`.execute(database.db);
        const query = 'select a, b from cells order by id';
        const json: { a: string | null; b: string | null }[] = JSON.parse(await file(query, 'json'));
        expect(json.map(({ a, b }) => [a, b])).toEqual(pairs);
        const rows = parse(await file(query, 'csv'), {
          from: 2,
          record_delimiter: '\r\n',
          bom: false,
          cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
        });
        expect(rows).toEqual(pairs.map((pair) => pair.map((cell) => cell?.replace(FORMULA, "'") ?? null)));
      }),
      { numRuns: BACKEND === 'server' ? 100 : 30 },
    );
  }, 60_000);

  it('distinguish an empty text from null in a single column', async () => {
    const query = `select a from (values (1, ''), (2, null), (3, '\\.')) as v(id, a) order by id`;
    expect(await file(query, 'csv')).toBe('a\r\n""\r\n\r\n"\\."\r\n');
  });

  it('accept a cell of a megabyte', async () => {
    const query = `select repeat('x"', 500000) as a`;
    expect(JSON.parse(await file(query, 'json'))[0].a).toHaveLength(1_000_000);
    expect(parse(await file(query, 'csv'), { from: 2 }).flat()[0]).toHaveLength(1_000_000);
  });
});

describe('a reader that stops', () => {
  const endless = 'select g, md5(g::text) as text from generate_series(1, 200000) g';
  const backends = async () => {
    const found = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and query like '%exports.copy%' and pid <> pg_backend_pid()`.execute(
      database.db,
    );
    return found.rows[0]?.n;
  };
  const cursors = async () => {
    // A prepared statement is a cursor of its own while it runs.
    const statement = sql<{
      n: number;
    }>`select count(*)::int as n from pg_cursors where statement not like '%pg_cursors%'`;
    return (await statement.execute(database.db)).rows[0]?.n;
  };
  const options = (signal: AbortSignal) => ({
    timeoutMs: 60_000,
    largestBytes: LARGEST_BYTES,
    today: '2026-07-01',
    signal,
  });

  it('after the first block ends the query', async () => {
    for await (const _ of readRows(sourceOf(database), rawQuery(endless), 'csv', options(new AbortController().signal)))
      break;
    await expect.poll(backends, { timeout: 1_000 }).toBe(0);
    expect(await cursors()).toBe(0);
  });

  it('by its signal ends the query, with the reason of the signal', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const read = async () => {
      for await (const block of readRows(sourceOf(database), rawQuery(endless), 'csv', options(controller.signal))) {
        if (block.length > 100) controller.abort(reason);
      }
    };
    await expect(read()).rejects.toBe(reason);
    await expect.poll(backends, { timeout: 1_000 }).toBe(0);
    expect(await cursors()).toBe(0);
  });

  it.runIf(BACKEND === 'server')(`by its signal ends a query that has no row yet${ON_A_SERVER}`, async () => {
    const controller = new AbortController();
    const slow = 'select count(*) from generate_series(1, 1e10)';
    const read = async () => {
      for await (const _ of readRows(sourceOf(database), rawQuery(slow), 'csv', options(controller.signal)));
    };
    const reading = expect(read()).rejects.toThrow('enough');
    await expect.poll(backends).toBe(1);
    controller.abort(new Error('enough'));
    await reading;
    await expect.poll(backends, { timeout: 2_000 }).toBe(0);
  });

  it.runIf(BACKEND === 'embedded')(
    `uses the session of the requests only until its rows are buffered${ON_EMBEDDED}`,
    async () => {
      let isTaken = false;
      const source = {
        ...sourceOf(database),
        session: {
          limitMs: 60_000,
          take: async () => {
            isTaken = true;
            return () => {
              isTaken = false;
            };
          },
        },
      };
      const rows = readRows(source, rawQuery(endless), 'csv', options(new AbortController().signal));
      await rows.next();
      expect(isTaken).toBe(true);
      await rows.next();
      expect(isTaken).toBe(false);
      await rows.return(undefined);

      const failing = readRows(source, rawQuery('select 1 / 0 as a'), 'csv', options(new AbortController().signal));
      await expect(failing.next().then(() => failing.next())).rejects.toThrow('division by zero');
      expect(isTaken).toBe(false);
    },
  );

  it.runIf(BACKEND === 'embedded')(`does not block other clients${ON_EMBEDDED}`, async () => {
    const rows = readRows(sourceOf(database), rawQuery(endless), 'csv', options(new AbortController().signal));
    await rows.next();
    await rows.next();
    const began = performance.now();
    await sql`select 1`.execute(database.db);
    expect(performance.now() - began).toBeLessThan(1_000);
    await rows.return(undefined);
  });
});
