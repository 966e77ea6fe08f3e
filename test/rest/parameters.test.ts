import { beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument, operationsOf } from '../../src/gateway/rest/document.ts';
import { endpoints } from '../../src/gateway/rest/endpoints.ts';
import { failureSchema } from '../../src/gateway/rest/error-responses.ts';
import { DISTRICT_TYPES } from '../../src/graph/districts/district-type.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { get } from '../support/rest.ts';
import { createWorld } from '../support/world.ts';

const database = useDatabase();
const service = useApp(database);
beforeAll(() => createWorld(database.db));

const DISTRICTS = '/data/districts/point';
const OFFICEHOLDERS = '/data/officeholders';

/** Every 400 is an envelope that names the parameter and repeats nothing of the request. */
async function expectRejection(url: string, name: string, message?: RegExp | string): Promise<void> {
  const { status, body } = await get(service, url);
  expect([url, status, body.success]).toEqual([url, 400, false]);
  expect(failureSchema.strict().parse(body)).toEqual(body);
  expect(body.errors.map((problem: { name: string }) => problem.name)).toContain(name);
  if (message !== undefined) expect(body.message).toMatch(message);
}

/** The valid values of parameters are tested in `test/hostile`; this file tests messages and combinations. */
describe('latitude and longitude', () => {
  it('rejects swapped values only if they are out of range', async () => {
    await expectRejection(`${DISTRICTS}?lat=-149&long=61`, 'lat');
    expect((await get(service, `${DISTRICTS}?lat=-72&long=44`)).body.data).toEqual([]);
  });

  it('repeats nothing of what was sent', async () => {
    const { body } = await get(service, `${DISTRICTS}?lat=canary&long=canary&date=canary`);
    expect(JSON.stringify(body)).not.toContain('canary');
    expect(body.errors).toEqual([
      { name: 'lat', reason: 'must be a decimal number of degrees from -90 to 90, for example 44.2601' },
      { name: 'long', reason: 'must be a decimal number of degrees from -180 to 180, for example -72.5754' },
      { name: 'date', reason: 'must be an existing day as YYYY-MM-DD, for example 2024-11-05' },
    ]);
    expect(body.message).toBe(
      body.errors.map(({ name, reason }: Record<string, string>) => `${name} ${reason}.`).join(' '),
    );
  });
});

describe('a parameter that is missing', () => {
  it('is reported with all required parameters', async () => {
    const { body } = await get(service, `${OFFICEHOLDERS}?lat=42`);
    expect(body.message).toBe('Latitude and longitude must be supplied.');
    expect(body.errors).toEqual([{ name: 'long', reason: 'must be supplied' }]);
  });

  it.each(['lng', 'lon', 'longitude', 'Lng'])('is recognised under the name %s', async (name) => {
    await expectRejection(
      `${OFFICEHOLDERS}?lat=42&${name}=-98`,
      'long',
      /supplied\. Use long instead of (lng|lon|longitude)\.$/,
    );
  });

  it('is recognised as latitude', async () => {
    await expectRejection(
      `${OFFICEHOLDERS}?latitude=42&longitude=-98`,
      'lat',
      'Use lat instead of latitude. Use long instead of longitude.',
    );
  });

  it.each(['zip', 'address', 'city'])('is looked up elsewhere, where a client has a %s', async (name) => {
    await expectRejection(`${OFFICEHOLDERS}?${name}=05602`, 'lat', 'must be supplied. /data/geocode finds the point');
  });

  it('is recognised in another letter case', async () => {
    await expectRejection(`${OFFICEHOLDERS}?LAT=42&long=-98`, 'lat', 'The name is lat, in exactly this form.');
  });
});

/** A valid value of each parameter that is no list. */
const VALID: Readonly<Record<string, string>> = {
  ...{ lat: '42', long: '-98', election_date: '2024-11-05', date: '2024-11-05', state: 'VT', year: '2024' },
  ...{ text: 'Montpelier', page: '1', first: '5' },
};
/** Every parameter of every path with two valid values, as the OpenAPI document describes it. */
const PARAMETERS = operationsOf(openApiDocument())
  .filter(({ path, method }) => method === 'GET' && path.startsWith('/data/'))
  .flatMap(({ path, operation: { parameters = [] } }) => {
    const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
    return parameters.map(({ name, schema }) => {
      const { type, items } = schema as { type: string; items?: { enum: string[] } };
      const values = items?.enum.slice(-2) ?? [VALID[name] ?? '', VALID[name] ?? ''];
      const others = required.filter((other) => other !== name).map((other) => `${other}=${VALID[other]}&`);
      return { path, name, values, isList: type === 'array', rest: others.join('') };
    });
  });

describe('a parameter that is repeated', () => {
  const lists = PARAMETERS.filter(({ isList }) => isList);
  const others = PARAMETERS.filter(({ isList }) => !isList);

  it.each(lists)('is one list: $name of $path', async ({ path, name, values: [one, other = one], rest }) => {
    const joined = await get(service, `${path}?${rest}${name}=${one},${other}`);
    expect(joined.status).toBe(200);
    for (const query of [
      `${name}=${one}&${name}=${other}`,
      `${name}=${other}&${name}=&${name}=${one}&${name}=${one}`,
      `${name}=${one},${other}&${name}=${other}`,
    ]) {
      const repeated = await get(service, `${path}?${rest}${query}`);
      expect([repeated.status, repeated.body]).toEqual([200, joined.body]);
    }
    expect(await get(service, `${path}?${rest}${name}=&${name}=`)).toMatchObject({ status: 200 });
    await expectRejection(`${path}?${rest}${name}=${one}&${name}=nothing`, name, 'separated by commas');
    await expectRejection(
      `${path}?${rest}${Array.from({ length: 33 }, () => `${name}=${one}`).join('&')}`,
      name,
      'takes at most 32 values',
    );
  });

  it.each(others)('is rejected if it is no list: $name of $path', async ({ path, name, values: [value], rest }) => {
    for (const query of [`${name}=${value}&${name}=${value}`, `${name}=${value}&${name}=`, `${name}=&${name}=`]) {
      const message = `${name} must be given once: send one request for each value.`;
      await expectRejection(`${path}?${rest}${query}`, name, message);
    }
  });

  it.each(PARAMETERS)(
    'is rejected with brackets: $name of $path',
    async ({ path, name, isList, values: [value], rest }) => {
      const message = isList
        ? `${name} must be given without brackets: several values are separated by commas.`
        : `${name} must be given once, without brackets.`;
      const arrays = isList ? [] : [`${name}[]=${value}`, `${name}%5B%5D=${value}`];
      for (const query of [...arrays, `${name}[a]=${value}`, `${name}=${value}&${name}[0]=${value}`]) {
        await expectRejection(`${path}?${rest}${query}`, name, message);
      }
    },
  );
});

it.each(PARAMETERS.filter(({ isList }) => isList))(
  'the list $name of $path is read in brackets as in several parameters and with commas',
  async ({ path, name, values: [one, two = one], rest }) => {
    const expected = await get(service, `${path}?${rest}${name}=${one},${two}`);
    expect(expected.status).toBe(200);
    for (const query of [
      `${name}[]=${one}&${name}[]=${two}`,
      `${name}%5B%5D=${one}&${name}%5B%5D=${two}`,
      `${name}=${one}&${name}[]=${two}`,
      `${name}[]=${one},${two}`,
    ]) {
      const { status, body } = await get(service, `${path}?${rest}${query}`);
      expect({ status, body }).toEqual({ status: 200, body: expected.body });
    }
  },
);

describe('a parameter that is unknown', () => {
  it.each(['api=1', 'utm=1&utm=2', '__proto__=1', 'constructor=1', 'x-api-key=1', 'a[b]=c', 'lat.x=1', '&&=&'])(
    'is ignored: %s',
    async (query) => {
      expect((await get(service, `${DISTRICTS}?lat=42&long=-98&${query}`)).status).toBe(200);
    },
  );
});

describe('a list', () => {
  const many = (count: number) => Array.from({ length: count }, () => 'social').join(',');
  const asks = (text: string) => `${OFFICEHOLDERS}?lat=42&long=-98&collections=${encodeURIComponent(text)}`;

  it('is rejected with more than 32 values', async () => {
    expect((await get(service, asks(many(32)))).status).toBe(200);
    await expectRejection(asks(many(33)), 'collections', 'collections takes at most 32 values.');
    await expectRejection(asks(many(500)), 'collections', 'collections takes at most 32 values.');
  });

  it('that is rejected lists the values', async () => {
    await expectRejection(
      `${OFFICEHOLDERS}?lat=42&long=-98&collections=phone`,
      'collections',
      'collections takes one or more of these, separated by commas: social, contact.',
    );
  });
});

describe('the parameters of elections', () => {
  const list = (query: string) => `/data/election_dates/list?${query}`;
  const byState = (query: string) => `/data/elections_by_state?state=VT&election_date=2024-11-05&${query}`;

  it('page is rejected with a description of valid values', async () => {
    for (const url of [list, byState]) {
      await expectRejection(url('page=last'), 'page', 'page must be a whole number from 1 to 1000000.');
    }
  });

  it('the last possible page costs no more than another', async () => {
    const start = performance.now();
    for (let time = 0; time < 10; time += 1) await get(service, list('page=1000000'));
    expect((performance.now() - start) / 10).toBeLessThan(50);
  });

  it('state is rejected with a description of valid values', async () => {
    const message = 'state must be the two-letter abbreviation of a state, for example VT.';
    await expectRejection(list('state=Vermont'), 'state', message);
    await expectRejection('/data/elections_by_state?election_date=2024-11-05&state=Vermont', 'state', message);
  });

  it.each([
    ['type', list('type=General,Bogus'), 'General, Primary, Special, Recall'],
    ['type', list('type=General,,Primary'), 'General, Primary, Special, Recall'],
    ['office_level', byState('office_level=Federal,Bogus'), 'Federal, State, Local'],
    ['office_level', byState('office_level=Federal,,Local'), 'Federal, State, Local'],
    ['office_branch', byState('office_branch=,'), 'Legislative, Executive, Judicial'],
    ['district_type', byState('district_type=Ward'), 'Country, Congress, State, State Legislative (Upper)'],
    ['collections', byState('collections=results'), 'social, contact'],
  ])('%s lists its values when it is rejected: %s', async (name, url, values) => {
    const { body } = await get(service, url);
    expect(body.errors).toEqual([{ name, reason: expect.stringContaining(`: ${values}`) }]);
  });

  it('every district type of the specification is accepted in any letter case', async () => {
    for (const [, type] of DISTRICT_TYPES) {
      for (const text of [type, type.toLowerCase(), type.toUpperCase()]) {
        expect((await get(service, byState(`district_type=${encodeURIComponent(text)}`))).status).toBe(200);
      }
    }
  });

  it.each([
    ['date', 'Use election_date instead of date.'],
    ['electionDate', 'Use election_date instead of electiondate|The name is election_date'],
    ['election-date', 'The name is election_date, in exactly this form.'],
  ])('election_date is recognised under the name %s', async (name, hint) => {
    await expectRejection(
      `/data/elections_by_point?lat=42&long=-98&${name}=2024-11-05`,
      'election_date',
      new RegExp(hint),
    );
  });

  it('several errors are reported together', async () => {
    const { body } = await get(service, '/data/elections_by_point?lat=91&lng=1&collections=x');
    expect(body.message).toBe(
      'Latitude, longitude and election date must be supplied. Use long instead of lng. lat must be a decimal number of degrees from -90 to 90, for example 44.2601. collections takes one or more of these, separated by commas: social, contact.',
    );
    expect(body.errors.map(({ name }: { name: string }) => name)).toEqual([
      'long',
      'election_date',
      'lat',
      'collections',
    ]);
  });
});

describe('an address', () => {
  it.each(['%E0%A4%A', '%zz', '%ff', '%00', '4%002', '%C0%80', '%'])('is rejected with lat=%s', async (text) => {
    const { status, body } = await get(service, `${DISTRICTS}?lat=${text}&long=-98`);
    expect(status).toBe(400);
    expect(failureSchema.strict().parse(body)).toEqual(body);
  });

  it('is rejected above 8 KiB', async () => {
    expect((await get(service, `${DISTRICTS}?lat=42&long=-98&x=${'x'.repeat(8200)}`)).status).toBe(414);
  });

  it.each(['//evil.example/data/districts/point', '/data', '/data/x', '/data/x/'])('is not found: %s', async (url) => {
    expect((await get(service, url)).status).toBe(404);
  });
});

const paths = endpoints.flatMap((endpoint) => endpoint.paths);

describe.each(endpoints.flatMap(({ paths, grant }) => paths.map((path) => [path, grant] as const)))(
  '%s',
  (path, grant) => {
    const url = `${path}?lat=42&long=-98&election_date=2024-11-05&state=VT&text=Dover`;
    const key = () => service.key('full');

    it('answers the same with a slash at the end of the path, and with blanks around values', async () => {
      const same = await get(service, url);
      expect(same.status).toBe(200);
      const withSlash = { url: url.replace('?', '/?'), headers: { 'x-api-key': key() } };
      expect((await service.app.inject(withSlash)).json()).toEqual(same.body);
      const copied = `${path}?lat=%2042.&long=-98.0000000000000000%20&election_date=%202024-11-05&state=VT%20&text=Dover`;
      expect((await get(service, copied)).body).toEqual(same.body);
    });

    it('supports GET and HEAD, with any Accept and Content-Type', async () => {
      for (const headers of [
        {},
        { accept: 'text/html' },
        { accept: 'image/png', 'content-type': 'text/plain' },
        { 'content-type': 'application/json' },
      ]) {
        const got = await service.app.inject({ url, headers: { 'X-API-Key': key(), ...headers } });
        const head = await service.app.inject({ method: 'HEAD', url, headers: { 'x-api-key': key(), ...headers } });
        expect([got.statusCode, head.statusCode, head.body]).toEqual([200, 200, '']);
        expect(head.headers['content-length']).toBe(got.headers['content-length']);
      }
    });

    it('supports no other method', async () => {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'] as const) {
        const response = await service.app.inject({ method, url, headers: { 'x-api-key': key() } });
        expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
        expect(failureSchema.strict().parse(response.json())).toEqual(response.json());
      }
    });

    it('checks the key first, before other errors, and returns the same body without it', async () => {
      const bodies = [];
      for (const value of [
        undefined,
        '',
        'x',
        `${key()}, ${key()}`,
        'bg_unknown0_'.padEnd(55, 'x'),
        'x'.repeat(5000),
      ]) {
        const headers = value === undefined ? {} : { 'x-api-key': value };
        // Each path gets another client address, because failures are counted per address.
        const remoteAddress = `192.0.2.${1 + paths.indexOf(path)}`;
        const url = `${path}?lat=abc&x-api-key=${key()}`;
        const response = await service.app.inject({ url, headers, remoteAddress });
        expect([response.statusCode, response.headers['www-authenticate']]).toEqual([401, 'ApiKey']);
        bodies.push({ ...response.json(), request_id: '' });
      }
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
      expect(failureSchema.strict().parse(bodies[0])).toEqual(bodies[0]);
    });

    it('checks the package before the parameters', async () => {
      const { status, body } = await get(service, path, 'lookup');
      if (grant === undefined) return expect(status).toBe(200);
      const isIncluded = ['districts', 'officeholders'].includes(grant);
      expect([status, body.success, body.data]).toEqual([isIncluded ? 400 : 403, false, {}]);
      if (!isIncluded) expect(body.message).toBe(`The ${grant} endpoint is not available in your package.`);
    });
  },
);
