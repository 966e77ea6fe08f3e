import fc from 'fast-check';

/** A candidate of a random race, with the votes gained in each round of a ranked-choice count. */
export interface RandomCandidate {
  status: string | null;
  votes: number | null;
  isWriteIn: boolean;
  withdrew: boolean;
  rounds: { votes: number; status: string }[];
}

export interface RandomRace {
  readonly kind: string;
  readonly seats: number;
  readonly candidates: readonly RandomCandidate[];
}

const candidate = (status: string | null, votes: number | null): RandomCandidate => ({
  ...{ status, votes, isWriteIn: false, withdrew: false, rounds: [] },
});

/** Some of few different numbers, so that there are ties. */
const votesOf = (least: number) =>
  fc.array(fc.oneof(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 3_000_000 })), {
    minLength: least,
    maxLength: 8,
  });

/** The first `seats` candidates by votes have one status, the others have `Lost`. */
const byVotes = (kind: string, seats: number, status: 'Won' | 'Advanced') =>
  votesOf(1).map((votes) => ({
    kind,
    seats: status === 'Won' ? seats : 1,
    candidates: votes
      .sort((one, other) => other - one)
      .map((count, index) => candidate(index < seats ? status : 'Lost', count)),
  }));

/** Candidates who cannot win, with any number of votes. */
const outsiders = fc.array(
  fc.record({
    status: fc.constantFrom('Withdrew', 'Disqualified', 'Deceased', 'Lost'),
    votes: fc.option(fc.nat(5_000_000)),
  }),
  { minLength: 1, maxLength: 3 },
);

const withOutsiders = (race: fc.Arbitrary<RandomRace>): fc.Arbitrary<RandomRace> =>
  fc.tuple(race, outsiders).map(([{ kind, seats, candidates }, out]) => ({
    kind: `${kind}, some are out`,
    seats,
    candidates: [
      // One who withdrew after the ballot was printed may have lost.
      ...out.map(({ status, votes }) => ({ ...candidate(status, votes), withdrew: status === 'Lost' })),
      ...candidates,
    ],
  }));

/**
 * Counts a single transferable vote: who has the quota is elected, and the surplus is transferred, in fractions as well;
 * otherwise the last candidate is eliminated. Part of the votes has no further choice.
 * @param keepsRows whether elected candidates have a row in every later round, as RCTab writes them.
 */
function countRounds(
  firsts: readonly number[],
  seats: number,
  part: number,
  { transfersSurplus, keepsRows }: { transfersSurplus: boolean; keepsRows: boolean },
): RandomCandidate[] {
  const all = firsts.map((votes) => ({ ...candidate('Lost', votes), held: votes, isIn: true, surplus: 0 }));
  const quota = Math.floor(firsts.reduce((sum, votes) => sum + votes, 0) / (seats + 1)) + 1;
  const elected = () => all.filter(({ status }) => status === 'Won');
  const running = () => all.filter(({ status, isIn }) => isIn && status !== 'Won');
  for (const each of all) each.rounds.push({ votes: each.held, status: 'Advanced' });
  const elect = (each: (typeof all)[number]) => {
    each.status = 'Won';
    each.surplus = transfersSurplus ? Math.max(each.held - quota, 0) : 0;
    const last = each.rounds.at(-1);
    if (last) last.status = 'Won';
  };
  const round = (from: (typeof all)[number], moved: number, isOut: boolean) => {
    const [to] = running()
      .filter((each) => each !== from)
      .sort((one, other) => other.held - one.held);
    const gain = Math.round(moved * part * 10_000) / 10_000;
    for (const each of all.filter(({ isIn }) => isIn)) {
      if (each === from && isOut) {
        const last = each.rounds.at(-1);
        if (last) last.status = 'Lost';
        each.isIn = false;
        continue;
      }
      const votes = each === from ? -moved : each === to ? gain : 0;
      each.held = Math.round((each.held + votes) * 10_000) / 10_000;
      if (each.status !== 'Won' || keepsRows || votes !== 0)
        each.rounds.push({ votes, status: each.status === 'Won' ? 'Won' : 'Advanced' });
    }
  };
  for (;;) {
    for (const each of running()) if (each.held >= quota && elected().length < seats) elect(each);
    if (elected().length < seats && elected().length + running().length <= seats) running().forEach(elect);
    if (elected().length >= Math.min(seats, all.length)) break;
    const rich = all.find(({ surplus }) => surplus > 0);
    const [last] = running().sort((one, other) => one.held - other.held);
    if (rich) {
      round(rich, rich.surplus, false);
      rich.surplus = 0;
    } else if (last) round(last, last.held, true);
  }
  for (const { isIn, status, rounds } of all) {
    const last = rounds.at(-1);
    if (last && isIn && status !== 'Won') last.status = 'Lost';
  }
  return all.map(({ status, held, rounds }) => ({ ...candidate(status, Math.round(held)), rounds }));
}

const ranked = fc
  .record({
    firsts: fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 2, maxLength: 7 }),
    seats: fc.integer({ min: 1, max: 4 }),
    part: fc.constantFrom(0, 0.3333, 0.5, 1),
    transfersSurplus: fc.boolean(),
    keepsRows: fc.boolean(),
  })
  .map(({ firsts, seats, part, ...options }) => ({
    kind: `ranked choice for ${seats}${options.transfersSurplus ? ' with surplus' : ''}`,
    seats,
    candidates: countRounds(firsts, seats, part, options),
  }));

const plurality = byVotes('plurality', 1, 'Won');
const several = fc.integer({ min: 2, max: 5 }).chain((seats) => byVotes('several seats', seats, 'Won'));
const advancing = fc.constantFrom(2, 4).chain((number) => byVotes(`top ${number}`, number, 'Advanced'));

/** Statuses that do not follow from the votes: first choices only, an outcome that is not known yet, any text. */
const anything = fc
  .array(
    fc.record({
      status: fc.constantFrom('Won', 'Lost', 'Advanced', 'On the Ballot', 'Withdrew', 'Concession', null),
      votes: fc.option(fc.nat(1_000)),
    }),
    { maxLength: 6 },
  )
  .map((all) => {
    const candidates = all.map(({ status, votes }) => candidate(status, votes));
    const won = candidates.filter(({ status }) => status === 'Won').length;
    return { kind: 'any statuses', seats: Math.max(won, 1), candidates };
  });

/** The races of every kind; in some of them, some or all candidates are write-ins. */
export const randomRace: fc.Arbitrary<RandomRace> = fc
  .tuple(
    fc.oneof(plurality, several, advancing, ranked, ranked, anything, withOutsiders(plurality), withOutsiders(ranked)),
    fc.constantFrom('none', 'none', 'last', 'all'),
  )
  .map(([race, writeIns]) => ({
    ...race,
    candidates: race.candidates.map((each, index, { length }) => ({
      ...each,
      isWriteIn: writeIns === 'all' || (writeIns === 'last' && index === length - 1),
    })),
  }));
