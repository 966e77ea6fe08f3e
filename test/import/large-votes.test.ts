import { expect, it } from 'vitest';
import { readCell } from '../../src/importers/exchange/cells.ts';
import { tableOf } from '../../src/importers/exchange/format.ts';

const column = tableOf('candidates').columns.find(({ name }) => name === 'votes_for_cand');

it.each([
  ['0', 0],
  ['2147483647', 2_147_483_647],
  ['3000000000', 3_000_000_000],
  ['999999999999', 999_999_999_999],
])('reads %s votes', (cell, votes) => {
  expect(column && readCell(column, cell)).toBe(votes);
});

it.each(['1000000000000', '9007199254740993', '-1', '1.5', '1e9'])('rejects %s votes', (cell) => {
  expect(column && readCell(column, cell)).toMatchObject({ reason: expect.stringMatching(/from 0 to 999999999999/) });
});
