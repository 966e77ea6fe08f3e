import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Execute, Operation } from '../../../src/gateway/graphql/execution/execute.ts';
import { fairExecute } from '../../../src/gateway/graphql/execution/fair-execute.ts';

let time: number;
let begun: number[];
let ends: (() => void)[];
let run: Execute;

beforeEach(() => {
  time = 0;
  begun = [];
  ends = [];
  run = fairExecute(
    (operation) => {
      begun.push(keyOf(operation));
      return new Promise((resolve) => ends.push(() => resolve({ data: {} })));
    },
    () => time,
  );
});

function keyOf({ contextValue }: Operation): number {
  return (contextValue as { caller: { keyId: number } }).caller.keyId;
}

function operationOf(keyId: number, abortSignal?: AbortSignal, cost = 5_000): Operation {
  return { contextValue: { caller: { keyId }, abortSignal }, prepared: { cost } } as unknown as Operation;
}

describe('expensive operations', () => {
  it('of a single active key all run concurrently', () => {
    for (let n = 0; n < 8; n++) void run(operationOf(1));
    expect(begun).toHaveLength(8);
  });

  it('of a key run one at a time while another key also has operations, but concurrently with those of the other key', async () => {
    void run(operationOf(2));
    for (let n = 0; n < 8; n++) void run(operationOf(1));
    void run(operationOf(2));
    expect(begun).toEqual([2, 1]);
    ends[1]?.();
    await turn();
    expect(begun).toEqual([2, 1, 1]);
    ends[0]?.();
    await turn();
    expect(begun).toEqual([2, 1, 1, 2]);
  });

  it('of a key run concurrently again when the other key has had none for ten seconds', async () => {
    void run(operationOf(2));
    for (let n = 0; n < 5; n++) void run(operationOf(1));
    expect(begun).toEqual([2, 1]);
    time = 10_000;
    void run(operationOf(1));
    expect(begun).toEqual([2, 1, 1]);
    ends[1]?.();
    await turn();
    expect(begun).toHaveLength(7);
  });

  it('that wait are dropped when their request is aborted', async () => {
    void run(operationOf(2));
    void run(operationOf(1));
    const leaving = new AbortController();
    const dropped = run(operationOf(1, leaving.signal));
    leaving.abort(new Error('gone'));
    await expect(dropped).rejects.toThrow('gone');
    for (const end of ends) end();
    await turn();
    expect(begun).toEqual([2, 1]);
  });
});

it('other operations of a key all run concurrently', () => {
  void run(operationOf(2));
  for (let n = 0; n < 8; n++) void run(operationOf(1, undefined, 4_999));
  expect(begun).toHaveLength(9);
});
