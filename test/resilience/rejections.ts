import { readdir, readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { type CheckedResponse, harmIn } from '../hostile/check.ts';
import {
  BODIES,
  DAY_QUERY,
  DOCUMENTS,
  LATITUDE_QUERY,
  POINTS_QUERY,
  TEXT_QUERIES,
  VARIABLES,
} from '../hostile/graphql-catalogue.ts';
import {
  addressOf,
  incomplete,
  misencoded,
  OTHER_METHODS,
  paths,
  requiredOf,
  SUFFIXES,
  valuesOf,
  withSuffix,
} from '../hostile/rest-catalogue.ts';
import { ENCODINGS, KEYS, VALUES } from '../hostile/values.ts';
import { argument, percentile, report, Tally } from './support/report.ts';
import { type Service, startService } from './support/service.ts';

const TRIES = argument('tries', 5);
const LIMIT_MS = 100;
const BOMB_LIMIT_MS = 50;
const LEAST_CASES = 1_500;

interface Case {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const post = (name: string, payload: unknown, headers: Record<string, string> = {}): Case => ({
  name: `GraphQL, ${name.slice(0, 60)}`,
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof payload === 'string' ? payload : JSON.stringify(payload),
});
const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Case => ({
  name: `${method} ${path.slice(0, 100)}`,
  method,
  path,
  headers,
});

/** Returns the whole catalogue of `test/hostile` as requests. */
function everyCase(): Case[] {
  const accepts = ['application/json', 'application/graphql-response+json'];
  const texts = [...VALUES.lat.bad, ...VALUES.state.bad].map(decodeURIComponent);
  const rest = paths.flatMap(({ path, names }) => [
    ...names.flatMap((name) => valuesOf(name).bad.map((value) => get(addressOf(path, names, { [name]: value })))),
    ...requiredOf(path, names).flatMap((name) => incomplete(path, names, name).map((url) => get(url))),
    ...ENCODINGS.flatMap((encoding) => misencoded(path, names, encoding).map((url) => get(url))),
    ...KEYS.map(([, key]) => get(addressOf(path, names), { 'x-api-key': key })),
    ...OTHER_METHODS.map((method) => get(addressOf(path, names), {}, method)),
    ...SUFFIXES.map((suffix) => get(withSuffix(path, suffix))),
  ]);
  return [
    ...DOCUMENTS.flatMap(([name, query]) => accepts.map((accept) => post(name, { query }, { accept }))),
    ...VALUES.lat.bad.map((l) =>
      post(`latitude ${l}`, { query: LATITUDE_QUERY, variables: { l: decodeURIComponent(l) } }),
    ),
    ...VALUES.date.bad.map((d) => post(`day ${d}`, { query: DAY_QUERY, variables: { d: decodeURIComponent(d) } })),
    ...texts.flatMap((t) => TEXT_QUERIES.map((query) => post(`the text ${t}`, { query, variables: { t } }))),
    ...VARIABLES.map(([name, variables]) => post(`variables that are ${name}`, { query: POINTS_QUERY, variables })),
    ...BODIES.map(([name, body, , headers]) => post(name, body, headers)),
    ...KEYS.map(([name, key]) => post(name, { query: '{ __typename }' }, { 'x-api-key': key })),
    ...rest,
  ];
}

/** Returns a path as every client sends it: non-ASCII characters are percent-encoded. */
function inAscii(path: string): string {
  return path.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}

type Send = (requested: Case) => Promise<CheckedResponse & { readonly ms: number }>;

function senderTo({ hostname, port }: URL, key: string): Send {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const began = performance.now();
      const options = {
        hostname,
        port,
        method,
        path: inAscii(path),
        agent,
        headers: { 'x-api-key': key, ...length, ...headers },
      };
      const sent = request(options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => (text += part));
        response.on('end', () => {
          const { statusCode = 0, headers: given } = response;
          resolve({ statusCode, headers: given, body: text, ms: performance.now() - began });
        });
      });
      sent.on('error', reject).end(body);
    });
}

const rounded = (ms: number) => Math.round(ms * 10) / 10;

/**
 * Returns the milliseconds for which all threads of a process have run (Linux), independent of other load on the
 * machine.
 */
async function processorTime(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const read = (thread: string) => readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0');
  const nanoseconds = (await Promise.all(threads.map(read))).map((text) => Number(text.split(' ')[0]));
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

interface Rejection {
  /** Duration of the fastest try: other programs may delay some of them. */
  readonly fastestMs: number;
  readonly firstMs: number;
  /** Processor time of the gateway in the most expensive try. */
  readonly processorMs: number;
}

/** Sends every case several times, one after the other, and measures how long rejections take. */
async function refuse(service: Service): Promise<void> {
  const key = await service.key('full');
  const send = senderTo(new URL(service.gateway.url), key);
  await send(post('first', { query: '{ __typename }' }));
  const cases = everyCase();
  const harm = new Tally();
  const rejections = new Map<string, Rejection>();
  for (const each of cases) {
    const times: number[] = [];
    let processorMs = 0;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const before = await processorTime(service.gateway.pid);
      const response = await send(each);
      for (const found of harmIn(response, { key, ms: response.ms })) harm.add(`${each.name}: ${found}`);
      if (response.statusCode < 400 && !response.body.includes('"errors"')) continue;
      processorMs = Math.max(processorMs, (await processorTime(service.gateway.pid)) - before);
      times.push(response.ms);
    }
    const [firstMs] = times;
    const id = `${each.name} ${rejections.size}`;
    if (firstMs !== undefined) rejections.set(id, { fastestMs: Math.min(...times), firstMs, processorMs });
  }
  const figure = (of: keyof Rejection) => {
    const values = [...rejections.values()].map((each) => each[of]);
    return {
      p50: rounded(percentile(values, 50)),
      p99: rounded(percentile(values, 99)),
      most: rounded(Math.max(...values)),
    };
  };
  const ofBombs = [...rejections]
    .filter(([name]) => name.includes('fragment bomb'))
    .map(([, each]) => each.processorMs);
  const slowest = [...rejections].toSorted(([, one], [, other]) => other.processorMs - one.processorMs).slice(0, 5);
  const figures = { fastestMs: figure('fastestMs'), firstMs: figure('firstMs'), processorMs: figure('processorMs') };
  const bombMs = rounded(Math.max(...ofBombs));
  const isAlive = service.gateway.child.exitCode === null;
  const exitCode = await service.stop();
  report(
    `rejections, ${service.kind}`,
    {
      cases: cases.length,
      rejected: rejections.size,
      tries: TRIES,
      ...figures,
      fragmentBombProcessorMs: bombMs,
      slowest: Object.fromEntries(slowest.map(([name, { processorMs }]) => [name, rounded(processorMs)])),
      harm,
    },
    {
      [`at least ${LEAST_CASES} cases`]: cases.length >= LEAST_CASES,
      'no harm': Object.keys(harm.toJSON()).length === 0,
      [`each rejected within ${LIMIT_MS} ms`]: figures.fastestMs.most <= LIMIT_MS,
      [`each attempt rejected with ${LIMIT_MS} ms of the processor`]: figures.processorMs.most <= LIMIT_MS,
      [`a fragment bomb with ${BOMB_LIMIT_MS} ms of the processor`]: ofBombs.length > 0 && bombMs <= BOMB_LIMIT_MS,
      'the gateway stays alive, and exits with 0': isAlive && exitCode === 0,
    },
  );
}

const ENVIRONMENT = { MAX_FAILED_KEYS_PER_SECOND: '1000000', LOG_LEVEL: 'error' };
for (const kind of ['server', 'embedded'] as const) await refuse(await startService(kind, ENVIRONMENT));
