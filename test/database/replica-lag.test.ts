import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createClock } from '../../src/base/clock.ts';
import { readConfig } from '../../src/base/config/config.ts';
import { createApiKey } from '../../src/gateway/access/access.store.ts';
import { buildApp } from '../../src/gateway/app.ts';
import { createLagMeter, type ReplicaPosition, replicaPosition } from '../../src/store/replica-lag.ts';
import { BACKEND } from '../exports/support.ts';
import { useDatabase } from '../support/database.ts';
import { createWorld } from '../support/world.ts';

const SECOND = 1_000;
/** Far from zero, as the clock of a process that has run for a while. */
const START = 1e7;

/** Returns the lag after the given positions of a standby, which are received one per second. */
function lagsOf(positions: readonly Partial<ReplicaPosition>[]): number[] {
  const measure = createLagMeter();
  const usual = { isStandby: true, received: 100n, replayed: 100n, isStreaming: true, lastCommitAgoMs: 3_600_000 };
  return positions.map((position, index) => measure({ ...usual, ...position }, START + index * SECOND) / SECOND);
}

describe('the lag of a standby', () => {
  it('is 0 for a primary, and while its primary is idle', () => {
    expect(lagsOf([{ isStandby: false, received: null, replayed: null, isStreaming: false }])).toEqual([0]);
    expect(lagsOf([{}, {}, {}])).toEqual([0, 0, 0]);
  });

  it('is 0 while replay is paused and nothing was received', () => {
    expect(lagsOf([{}, { received: 100n, replayed: 100n }, {}])).toEqual([0, 0, 0]);
  });

  it('is the time since it had replayed what it received', () => {
    const paused = { received: 200n, replayed: 100n };
    expect(lagsOf([{}, paused, { ...paused, received: 300n }, { ...paused, received: 400n }])).toEqual([0, 1, 2, 3]);
    const slow = [
      {},
      paused,
      { received: 300n, replayed: 100n },
      { received: 400n, replayed: 200n },
      { received: 400n, replayed: 400n },
    ];
    expect(lagsOf(slow)).toEqual([0, 1, 2, 2, 0]);
  });

  it('is small while it always receives more than it has replayed', () => {
    const busy = Array.from({ length: 60 }, (_, second) => ({
      received: BigInt(200 + second * 100),
      replayed: BigInt(150 + second * 100),
    }));
    expect(Math.max(...lagsOf([{}, ...busy]))).toBe(1);
  });

  it('is between the true lag and twice as much while it replays what it received ten seconds before', () => {
    const late = Array.from({ length: 60 }, (_, second) => ({
      received: BigInt(200 + second * 100),
      replayed: BigInt(Math.max(100, 200 + (second - 10) * 100)),
    }));
    const lags = lagsOf([{}, ...late]).slice(15);
    expect(Math.min(...lags)).toBeGreaterThanOrEqual(10);
    expect(Math.max(...lags)).toBeLessThanOrEqual(20);
  });

  it('is initially computed from the last replayed transaction', () => {
    const behind = { received: 200n, replayed: 100n, lastCommitAgoMs: 40_000 };
    expect(lagsOf([behind, { ...behind, lastCommitAgoMs: 41_000 }, { received: 200n, replayed: 200n }])).toEqual([
      40, 41, 0,
    ]);
  });

  it('rises while it is disconnected, although it has replayed all it received', () => {
    const alone = { isStreaming: false };
    expect(lagsOf([{}, alone, alone, alone, {}])).toEqual([0, 1, 2, 3, 0]);
    expect(lagsOf([{ ...alone, lastCommitAgoMs: 50_000 }])).toEqual([50]);
  });

  it('is the age of the last transaction for a standby that reads an archive', () => {
    const archive = { received: null, isStreaming: false };
    expect(
      lagsOf([
        { ...archive, lastCommitAgoMs: 5_000 },
        { ...archive, lastCommitAgoMs: 6_000 },
      ]),
    ).toEqual([5, 6]);
  });

  it('ends with its promotion', () => {
    const paused = { received: 200n, replayed: 100n, lastCommitAgoMs: 60_000 };
    expect(lagsOf([paused, { isStandby: false, received: null, replayed: null, isStreaming: false }])).toEqual([60, 0]);
  });
});

describe('a gateway', () => {
  const database = useDatabase();
  let key = '';
  let app: Awaited<ReturnType<typeof buildApp>> | undefined;
  beforeAll(async () => {
    await createWorld(database.db);
    key = await createApiKey(database.db, 'full');
  });
  afterEach(() => app?.close());

  it('reads the position of its database', async () => {
    expect(await replicaPosition(database.db)).toMatchObject({ isStandby: false, received: null });
  });

  it('rejects every request with 503 and Retry-After while its data is out of date', async () => {
    let problem: string | undefined;
    const config = readConfig({ GRAPHIQL: 'false', MAX_EVENT_LOOP_DELAY_MS: '0' });
    const ready = async () => ({ ready: true }) as const;
    const lag = { problem: () => problem, close: () => undefined };
    const opened = {
      kind: BACKEND,
      db: database.db,
      pool: database.pool,
      lag,
      ready,
      close: async () => undefined,
    } as const;
    const logger = pino({ level: 'silent' });
    const running = await buildApp({ config, backend: opened, logger, clock: createClock(config.clock) });
    app = running;
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const requests = [
      { method: 'POST', url: '/graphql', headers, payload: '{"query":"{ district(databaseId: 1) { name } }"}' },
      { method: 'GET', url: '/data/districts/point?lat=42&long=-98', headers },
      { method: 'GET', url: '/data/election_dates/list?state=VT', headers },
      { method: 'GET', url: '/getQueryList', headers },
      { method: 'POST', url: '/getQueryResults', headers, payload: '{"id":"districts","format":"csv"}' },
    ] as const;
    for (const wanted of [200, 503, 200]) {
      problem = wanted === 503 ? 'too far behind' : undefined;
      for (const request of requests) {
        const { statusCode, headers: completed, body } = await running.inject(request);
        expect([request.url, statusCode]).toEqual([request.url, wanted]);
        if (wanted !== 503) continue;
        expect(Number(completed['retry-after'])).toBeGreaterThan(0);
        expect(body).toContain('out of date');
      }
    }
  });
});
