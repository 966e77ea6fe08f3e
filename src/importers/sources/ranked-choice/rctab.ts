import { z } from 'zod';
import { isCalendarDate } from '../../../base/dates.ts';
import { STATES, stateByPostal } from '../../../base/words/states.ts';
import { ImportError, type OpenedSource } from '../../exchange/import-rows.ts';
import type { Report } from '../../exchange/report.ts';
import { checked, textOf } from '../../read/json-files.ts';
import { parseJson } from '../../read/read-documents.ts';
import { openResults, type ResultOptions, type ResultSource } from '../precinct-results/result-files.ts';
import { primaryStatus, RankedContests, rankedCandidates, rankedElection, rankedOffice } from './ranked-choice.ts';

const RCTAB: ResultSource = {
  name: 'RCTab',
  source: 'https://github.com/BrightSpots/rcv',
  license: null,
  extensions: ['.json'],
};

/** Votes are fractions where the surplus of an elected candidate is transferred. */
const count = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'is not a number of votes')
  .transform(Number);
const summary = z.object({
  config: z.object({
    contest: z.string(),
    date: z.string().refine((text) => text === '' || isCalendarDate(text), 'is not a day'),
    jurisdiction: z.string(),
    office: z.string(),
  }),
  results: z
    .array(
      z.object({
        round: z.int().positive(),
        tally: z.record(z.string(), count),
        tallyResults: z.array(
          z.object({
            elected: z.string().optional(),
            eliminated: z.string().optional(),
            transfers: z.record(z.string(), count).optional(),
          }),
        ),
      }),
    )
    .min(1),
});
type Summary = z.infer<typeof summary>;

export interface RctabOptions extends ResultOptions {
  /** The day of the election for summaries without one. */
  readonly date?: string | undefined;
  /** The postal code of the state for summaries that name only a city. */
  readonly state?: string | undefined;
}

/** Opens summaries of the Ranked Choice Voting Tabulator: its JSON files of contests with one or several winners. */
export async function openRctab(paths: readonly string[], options: RctabOptions): Promise<OpenedSource> {
  if (options.state !== undefined && !stateByPostal(options.state))
    throw new ImportError(`--state ${options.state}: is not the postal code of a state`);
  return openResults(RCTAB, paths, options, (rows, { report }) => {
    const contests = new RankedContests();
    return {
      async read(file) {
        const document = parseJson(file.name, await textOf(file));
        if (isConfiguration(document))
          report.add(file.name, 'unreadable-files', 'is an RCTab configuration without results');
        else addContest(contests, checked(file.name, document, summary), options, file.name, report);
      },
      finish: async () => contests.finish(rows, report),
    };
  });
}

/** Returns whether a file is the configuration of a tabulation, which is stored next to the summary. */
function isConfiguration(document: unknown): boolean {
  return (
    typeof document === 'object' && document !== null && 'tabulatorVersion' in document && !('results' in document)
  );
}

function addContest(
  contests: RankedContests,
  { config, results: given }: Summary,
  options: RctabOptions,
  record: string,
  report: Report,
): void {
  const date = config.date || options.date;
  if (!date) {
    report.add(record, 'left-out', 'has no date; set it with --date');
    return;
  }
  const results = given.toSorted((a, b) => a.round - b.round);
  const { state, city } = jurisdictionOf(config.jurisdiction, options.state);
  const isSpecial = /\bspecial\b/i.test(config.contest);
  const office = state && rankedOffice(state, city, config.office, { date, isSpecial });
  const elected = new Map(
    results.flatMap(({ round, tallyResults }) =>
      tallyResults.flatMap((result) => (result.elected ? [[result.elected, round] as const] : [])),
    ),
  );
  if (!state) {
    report.add(record, 'left-out', `the jurisdiction ${config.jurisdiction} names no state; set it with --state`);
    return;
  }
  if (!office) {
    report.add(record, 'left-out', `no row of offices.csv declares the office ${config.office}`);
    return;
  }
  const names = [...new Set(results.flatMap(({ tally }) => Object.keys(tally)))];
  const rounds = results.map(({ tally }) => new Map(Object.entries(tally)));
  const ranked = results.some(({ round }, index) => round !== index + 1)
    ? 'a round is missing, or there twice'
    : (transferredOtherwise(results) ?? rankedCandidates({ names, rounds, elected }, record, report));
  if (typeof ranked === 'string') {
    report.add(record, 'left-out', ranked);
    return;
  }
  const isPrimary = /\bprimary\b/i.test(config.contest);
  const type = isPrimary ? 'Primary' : isSpecial ? 'Special' : 'General';
  const party = /\b(Democratic|Republican|Libertarian|Green)\b/.exec(config.contest)?.[1];
  contests.add(
    {
      election: rankedElection(state, city, date, type, office.place),
      office,
      type: isSpecial ? 'Special' : 'Regular',
      stage: isPrimary ? 'Primary' : 'General',
      ...(isPrimary && party ? { stageParty: party } : {}),
      seats: elected.size,
      isRankedChoice: true,
    },
    isPrimary ? primaryStatus(ranked) : ranked,
    record,
    report,
  );
}

/** Returns whether votes that the file transfers to a candidate are not those that the next round adds, as a reason. */
function transferredOtherwise(results: Summary['results']): string | undefined {
  for (const [index, { round, tally, tallyResults }] of results.entries()) {
    const next = results[index + 1]?.tally;
    if (!next || tallyResults.some(({ transfers }) => transfers === undefined)) continue;
    const leaving = new Set(tallyResults.flatMap(({ elected, eliminated }) => [elected, eliminated]));
    for (const [name, votes] of Object.entries(tally)) {
      const gained = tallyResults.reduce((sum, { transfers }) => sum + (transfers?.[name] ?? 0), 0);
      if (!leaving.has(name) && Math.abs((next[name] ?? 0) - votes - gained) > 0.001)
        return `the votes that round ${round} transfers to ${name} are not those of the next round`;
    }
  }
  return undefined;
}

/** Returns the state and city of a text such as `Maine`, `Portland, ME` or `St. Paul, Minnesota`. */
function jurisdictionOf(text: string, postalGiven: string | undefined) {
  const [, city, of = ''] = /^(.+), ([A-Z]{2}|[A-Z][a-z][A-Za-z ]+)$/.exec(text) ?? [];
  const ofCity = stateByPostal(of) ?? STATES.find(({ name }) => name === of);
  if (city && (ofCity || of.length === 2)) return { state: ofCity, city };
  const state = STATES.find(({ name }) => name === text);
  if (state || postalGiven === undefined) return { state, city: null };
  return { state: stateByPostal(postalGiven), city: text };
}
