import { z } from 'zod';
import { isCalendarDate } from '../../../base/dates.ts';
import { stateByPostal } from '../../../base/words/states.ts';
import type { OpenedSource } from '../../exchange/import-rows.ts';
import type { Report } from '../../exchange/report.ts';
import { pseudoCandidate } from '../../facts/names.ts';
import { jsonOf } from '../../read/json-files.ts';
import { partyName } from '../../results/parties.ts';
import { openResults, type ResultOptions, type ResultSource } from '../precinct-results/result-files.ts';
import { primaryStatus, RankedContests, rankedCandidates, rankedElection, rankedOffice } from './ranked-choice.ts';

const RANKED_VOTE: ResultSource = {
  name: 'ranked-vote',
  source: 'https://github.com/ranked-vote/reports',
  license: null,
  extensions: ['report.json'],
};

const reportFile = z.object({
  info: z.object({
    date: z.string().refine(isCalendarDate, 'is not a day'),
    jurisdictionPath: z.string(),
    jurisdictionName: z.string(),
    officeName: z.string(),
    electionName: z.string(),
  }),
  candidates: z.array(z.object({ name: z.string(), candidate_type: z.string() })).min(1),
  rounds: z
    .array(
      z.object({
        allocations: z.array(
          z.object({ allocatee: z.union([z.int().nonnegative(), z.literal('X')]), votes: z.int().nonnegative() }),
        ),
      }),
    )
    .min(1),
  winner: z.int().nonnegative(),
});
type RankedVoteReport = z.infer<typeof reportFile>;

/** Opens reports of ranked-vote: files `report.json`, or folders that contain them at any depth. */
export async function openRankedVote(paths: readonly string[], options: ResultOptions): Promise<OpenedSource> {
  return openResults(RANKED_VOTE, paths, options, (rows, { report }) => {
    const contests = new RankedContests();
    return {
      async read(file) {
        addContest(contests, await jsonOf(file, reportFile), file.name, report);
      },
      finish: async () => contests.finish(rows, report),
    };
  });
}

function addContest(contests: RankedContests, file: RankedVoteReport, record: string, report: Report): void {
  const { info, candidates, rounds, winner } = file;
  // `us/wy-dem` is the party of Wyoming that holds a caucus.
  const [country, holder = '', city] = info.jurisdictionPath.split('/');
  const [postal = '', ofHolder] = holder.split('-');
  const state = country === 'us' ? stateByPostal(postal) : undefined;
  // `Governor (Dem)`, `State Senate - District 11 - Democrat`
  const [, title = info.officeName, code] =
    /^(.*?) (?:- (?=Dem|Rep|Green|Lib)|\((?=[A-Za-z]+\)$))([A-Za-z]+)\)?$/.exec(info.officeName) ?? [];
  const name = title.replace(/ Nominee$/, '');
  const party = code ?? ofHolder;
  const isSpecial = /special/i.test(info.electionName);
  const place = city === undefined ? null : info.jurisdictionName;
  const office = state && rankedOffice(state, place, name, { date: info.date, isSpecial });
  if (!state || !office) {
    report.add(record, 'left-out', `the office ${info.officeName} of ${info.jurisdictionName} is not known`);
    return;
  }
  const names = candidates.map(({ name: candidate, candidate_type: type }) =>
    type === 'WriteIn' && pseudoCandidate(candidate) === null ? 'Write-ins' : candidate,
  );
  const allocated = rounds.map(({ allocations }) => allocations.filter(({ allocatee }) => allocatee !== 'X'));
  const isOdd = allocated.some(
    (round) =>
      new Set(round.map(({ allocatee }) => allocatee)).size < round.length ||
      round.some(({ allocatee }) => names[Number(allocatee)] === undefined),
  );
  const byRound = allocated.map(
    (round) => new Map(round.map(({ allocatee, votes }) => [names[Number(allocatee)] ?? '', votes])),
  );
  const elected = new Map([[names[winner] ?? `candidate ${winner}`, rounds.length]]);
  const ranked = isOdd
    ? 'a round has votes of no candidate, or twice of one'
    : rankedCandidates({ names, rounds: byRound, elected }, record, report);
  if (typeof ranked === 'string') {
    report.add(record, 'left-out', ranked);
    return;
  }
  // A city decides a nonpartisan contest by ranked choice, even on the day of a primary.
  const isPrimary = party !== undefined || (place === null && /primary|caucus/i.test(info.electionName));
  const type = isPrimary ? 'Primary' : isSpecial ? 'Special' : 'General';
  contests.add(
    {
      election: rankedElection(state, place, info.date, type, office.place),
      office,
      type: isSpecial ? 'Special' : 'Regular',
      stage: isPrimary ? 'Primary' : 'General',
      ...(isPrimary && party ? { stageParty: partyName(party, state.postal) } : {}),
      seats: 1,
      isRankedChoice: true,
    },
    isPrimary ? primaryStatus(ranked) : ranked,
    record,
    report,
  );
}
