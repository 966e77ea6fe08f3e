import { describe, expect, it } from 'vitest';
import { resultNote } from '../../src/graph/ballots/result-note.ts';
import { tallyOf } from '../../src/graph/ballots/tally.ts';

type Counted = Parameters<typeof tallyOf>[0][number];
type Result = readonly [status: string | null, votes: number | null, rounds?: Counted['rounds']];

/** Candidates with the ids 1, 2, 3 …. */
const race = (...results: Result[]): Counted[] =>
  results.map(([cand_status, votes_for_cand, rounds = []], index) => ({
    id: index + 1,
    cand_status,
    votes_for_cand,
    withdrew_still_on_ballot: null,
    rounds,
  }));

const rounds = (...gains: [votes: number, status: string | null][]) =>
  gains.map(([, status], index) => ({
    round: index + 1,
    running_total: gains.slice(0, index + 1).reduce((sum, [votes]) => sum + votes, 0),
    status,
  }));

function summary(candidates: Counted[], seats = 1) {
  const { totalVotes, margin, shares, winners } = tallyOf(candidates, seats);
  return {
    totalVotes,
    margin,
    shares: candidates.map(({ id }) => shares.get(id) ?? null),
    winners: candidates.map(({ id }) => winners.get(id)),
  };
}

const FACTS = { scope_basis: 'Law', is_ranked_choice: false, left_out: null } as const;

describe('the tally of a race', () => {
  it('has shares, margin and winner', () => {
    expect(summary(race(['Won', 600], ['Lost', 300], ['Lost', 100]))).toEqual({
      totalVotes: 1000,
      margin: 300,
      shares: [0.6, 0.3, 0.1],
      winners: [true, false, false],
    });
  });

  it('uses the last of several winners', () => {
    expect(summary(race(['Won', 500], ['Won', 400], ['Lost', 350], ['Lost', 10]))).toMatchObject({
      margin: 50,
      winners: [true, true, false, false],
    });
  });

  it('has a margin for advancing candidates, and no winner', () => {
    expect(summary(race(['Advanced', 50], ['Advanced', 40], ['Lost', 30]))).toMatchObject({
      margin: 10,
      winners: [false, false, false],
    });
  });

  it.each([
    ['not ranked', false, [], 300],
    ['ranked, rounds not known', true, [], null],
    ['ranked, decided in the first round', true, [[600, 'Won']], 300],
  ] as const)('has no margin of first choices: %s', (_, isRanked, known, margin) => {
    const [first, ...others] = race(['Won', 600, known.length > 0 ? rounds([600, 'Won']) : []], ['Lost', 300]);
    expect(tallyOf([first as Counted, ...others], 1, isRanked)).toMatchObject({
      margin,
      totalVotes: isRanked && known.length > 0 ? 600 : 900,
    });
  });

  it('has neither shares nor a margin if the votes of a candidate are not known, and says so', () => {
    const candidates = race(['Won', 600], ['Lost', 300], ['Lost', null]);
    expect(summary(candidates)).toMatchObject({ totalVotes: 900, margin: null, shares: [null, null, null] });
    expect(resultNote(FACTS, candidates, tallyOf(candidates, 1))).toBe(
      'The votes of a candidate are not known, so that there are no shares.',
    );
  });

  it.each([
    ['and an outcome', 'Won', '.'],
    ['and no outcome', null, ', and no winner is shown.'],
  ] as const)('has neither shares nor a margin if a source has more candidates %s, and says so', (_, status, end) => {
    const candidates = race([status, 600], ['Lost', 300]);
    const tally = tallyOf(candidates, 1, false, false);
    expect(tally).toMatchObject({ totalVotes: 900, margin: null });
    expect([...tally.shares.values()]).toEqual([null, null]);
    expect(resultNote({ ...FACTS, left_out: { 'State returns': 450 } }, candidates, tally)).toBe(
      `Candidates or votes of this race that State returns has are not in the data, so that there are no shares${end}`,
    );
  });

  it('has a margin of 0 if a tie was decided by lot', () => {
    expect(summary(race(['Won', 7], ['Lost', 7])).margin).toBe(0);
  });

  it.each([
    ['without opponents', race(['Won', 9])],
    ['before the result', race(['On the Ballot', 9], ['On the Ballot', 5])],
    ['without the votes of a winner', race(['Won', null], ['Won', 9], ['Lost', 5])],
    ['without the votes of all others', race(['Won', 9], ['Lost', null])],
    ['without candidates', []],
  ])('has no margin %s', (_, candidates) => {
    expect(summary(candidates).margin).toBeNull();
  });

  it('ignores candidates without votes', () => {
    expect(summary(race(['Won', 8], ['Lost', 2], ['Withdrew', null]))).toEqual({
      totalVotes: 10,
      margin: 6,
      shares: [0.8, 0.2, null],
      winners: [true, false, false],
    });
  });

  it('is null without votes', () => {
    expect(summary(race(['On the Ballot', null], [null, null]))).toEqual({
      totalVotes: null,
      margin: null,
      shares: [null, null],
      winners: [null, null],
    });
    expect(summary(race(['Lost', 0], ['Won', 0]))).toMatchObject({ totalVotes: 0, shares: [null, null] });
  });

  it('counts the last round of a ranked-choice count', () => {
    // Maine, second Congress district, 2018.
    const candidates = race(
      ['Won', 142440, rounds([132013, 'Advanced'], [10427, 'Won'])],
      ['Lost', 138931, rounds([134184, 'Advanced'], [4747, 'Lost'])],
      ['Lost', 16552, rounds([16552, 'Lost'])],
      // Some sources list an eliminated candidate without votes in later rounds.
      ['Lost', 6875, rounds([6875, 'Lost'], [0, null])],
    );
    expect(summary(candidates)).toEqual({
      totalVotes: 281371,
      margin: 3509,
      shares: [142440 / 281371, 138931 / 281371, null, null],
      winners: [true, false, false, false],
    });
  });

  it('counts all candidates if the first round decides', () => {
    const candidates = race(
      ['Won', 6, rounds([6, 'Won'])],
      ['Lost', 3, rounds([3, 'Lost'])],
      ['Lost', 1, rounds([1, 'Lost'])],
    );
    expect(summary(candidates)).toMatchObject({ totalVotes: 10, shares: [0.6, 0.3, 0.1] });
  });
});

describe('the note of a result', () => {
  const FIRST = 'First choices only.';
  it.each([
    ['decided', false, null, race(['Won', 600], ['Lost', 300]), null],
    ['without votes', true, null, race([null, null]), null],
    [
      'a tie',
      false,
      null,
      race([null, 300], [null, 300]),
      'The two leading candidates have the same number of votes. The data do not tell who took office.',
    ],
    [
      'first choices, majority',
      true,
      null,
      race(['Won', 600], ['Lost', 300]),
      `${FIRST} One candidate has more than half of them.`,
    ],
    [
      'first choices, winner known',
      true,
      null,
      race(['Won', 437], ['Lost', 433], ['Lost', 130]),
      `${FIRST} No candidate has more than half of them, and the later rounds of this count are not in the data.`,
    ],
    [
      'first choices, no winner',
      true,
      null,
      race([null, 437], [null, 433], [null, 130]),
      `${FIRST} No candidate has more than half of them, and the later rounds of this count are not in the data, so no winner is shown.`,
    ],
    [
      'the county',
      false,
      'County',
      race([null, 600], [null, 300]),
      'The results do not say which voters vote on this race: it is listed in the county where the votes were counted, without a winner.',
    ],
  ] as const)('%s', (_, is_ranked_choice, scope_basis, candidates, expected) => {
    expect(
      resultNote({ ...FACTS, is_ranked_choice, scope_basis }, candidates, tallyOf(candidates, 1, is_ranked_choice)),
    ).toBe(expected);
  });
});
