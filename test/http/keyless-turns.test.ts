import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createKeylessTurns } from '../../src/gateway/http/keyless-turns.ts';

describe('requests without a valid key', () => {
  it('begin one in each turn of the event loop, and addresses take turns', async () => {
    const takeTurn = createKeylessTurns();
    const begun: string[] = [];
    let turn = 0;
    const count = () => {
      turn++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const { signal } = new AbortController();
    const begin = async (ip: string) => {
      await takeTurn({ ip, abortSignal: signal } as FastifyRequest);
      begun.push(`${ip} ${turn}`);
    };
    await Promise.all(['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2', '2001:db8::1'].map(begin));
    clearImmediate(counting);
    const order = begun.map((each) => each.split(' ')[0]);
    expect(order).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1', '192.0.2.1', '192.0.2.1']);
    expect(new Set(begun.map((each) => each.split(' ')[1])).size).toBe(begun.length);
  });
});
