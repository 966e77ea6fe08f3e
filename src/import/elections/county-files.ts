import { normalName } from '../matching.ts';
import { splitSeat } from './office-titles.ts';
import { isStatewideName } from './offices.ts';
import { isStateQuestion } from './questions.ts';
import { addTallies, type Contest, type Tally } from './result-contests.ts';

/** Offices of districts that may be in several counties. */
const OF_DISTRICT =
  /^US |^PRESIDENT\b|\b(SENAT|HOUSE|REPRESENTATIVE|ASSEMBLY|DELEGATE)|\bJUDICIAL (DISTRICT|CIRCUIT)|\bCOURT OF APPEALS?\b/;

/** Returns whether a contest in the file of one county is a part of a contest of the state or of a district. */
export function isPartOfContest({ fileOfCounty, isQuestion, office, district, state }: Contest): boolean {
  if (!fileOfCounty) return false;
  if (isQuestion) return isStateQuestion(office);
  return OF_DISTRICT.test(office) || (district === '' && isStatewideName(splitSeat(office).title, state));
}

/** Adds up the parts of contests in the files of several counties; two contests of one file stay apart. */
export function joinParts(parts: readonly Contest[]): Contest[] {
  const groups = Map.groupBy(parts, ({ state, date, stage, party, special, office, district }) =>
    [state.postal, date, stage, party, special, normalName(office), district].join('|'),
  );
  return [...groups.values()].flatMap((same) => {
    const files = new Set(same.map(({ file }) => file));
    return files.size < same.length ? same : [same.reduce(joinTwo)];
  });
}

function joinTwo(one: Contest, other: Contest): Contest {
  return {
    ...one,
    counties: [...one.counties, ...other.counties],
    towns: [...one.towns, ...other.towns],
    statesMagnitude: one.statesMagnitude || other.statesMagnitude,
    magnitudes: [...new Set([...one.magnitudes, ...other.magnitudes])],
    names: joinTallies([...one.names, ...other.names]),
    pseudo: joinTallies([...one.pseudo, ...other.pseudo]),
    precincts: one.precincts + other.precincts,
    ballots: one.ballots === null || other.ballots === null ? null : one.ballots + other.ballots,
    problem: one.problem ?? other.problem,
  };
}

function joinTallies(tallies: readonly Tally[]): Tally[] {
  return [...Map.groupBy(tallies, ({ name }) => normalName(name)).values()].map((same) =>
    same.reduce((one, other) => ({ ...addTallies(one, other), writeIn: one.writeIn && other.writeIn })),
  );
}
