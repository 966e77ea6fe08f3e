import { required, type Source } from './source.ts';

/** The votes that a candidate gained in a round, and the resulting status. */
export interface Round {
  round: number;
  votesFor: number;
  status: 'Advanced' | 'Lost' | 'Won';
}

/** A candidate of a ranked-choice contest with all rounds in which the candidate took part. */
export interface RankedCandidate {
  name: string;
  rounds: Round[];
}

interface Report {
  candidates: { name: string; candidate_type: string }[];
  rounds: { allocations: { allocatee: number | 'X'; votes: number }[] }[];
  winner: number;
}

/**
 * Reads the candidates of a ranked-choice report. Eliminated candidates retain the votes of their last round, although
 * these are transferred to others: so the gains of the rounds add up to the votes of that round. Write-in votes, which
 * the report counts as one candidate, belong to no candidate.
 */
export function readRankedChoice(source: Source, path: string): RankedCandidate[] {
  const { candidates, rounds, winner } = source.json<Report>(path);
  const votesIn = (round: number, candidate: number): number | undefined =>
    rounds[round]?.allocations.find(({ allocatee }) => allocatee === candidate)?.votes;
  return candidates.flatMap(({ name, candidate_type: type }, candidate) => {
    if (type === 'WriteIn') return [];
    const present = rounds.flatMap((_, index) => votesIn(index, candidate) ?? []);
    if (present.length === 0 || present.some((_, index) => votesIn(index, candidate) === undefined)) {
      throw new Error(`${path}: ${name} is not in a row of rounds`);
    }
    return [{ name: uninverted(name), rounds: present.map((votes, index) => roundOf(votes, index)) }];

    function roundOf(votes: number, index: number): Round {
      const isLast = index === present.length - 1;
      const status = !isLast ? 'Advanced' : candidate === winner ? 'Won' : 'Lost';
      return {
        round: index + 1,
        votesFor: votes - (index === 0 ? 0 : required(present[index - 1], 'a round')),
        status,
      };
    }
  });
}

/** Returns `Peltola, Mary S.` in the usual order. */
const uninverted = (name: string): string => name.split(', ').reverse().join(' ');
