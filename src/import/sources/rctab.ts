import { z } from 'zod';
import { isCalendarDate } from '../../dates.ts';
import { ElectionRows } from '../elections/election-rows.ts';
import { jsonOf } from '../elections/json-files.ts';
import { type ImportContext, ImportError, type ImportRow, type OpenedSource } from '../import-rows.ts';
import type { NamedFile } from '../named-file.ts';
import { findFiles, watchFiles } from '../read-files.ts';
import type { Report } from '../report.ts';
import { STATES, stateByPostal } from '../states.ts';
import { primaryStatus, rankedCandidates, rankedElection, rankedOffice } from './ranked-choice.ts';

const NAME = 'RCTab';

const count = z.string().regex(/^\d+$/, 'is not a whole number of votes').transform(Number);
const summary = z.object({
  config: z.object({
    contest: z.string(),
    date: z.string().refine(isCalendarDate, 'is not a day'),
    jurisdiction: z.string(),
    office: z.string(),
  }),
  results: z
    .array(
      z.object({
        round: z.int().positive(),
        tally: z.record(z.string(), count),
        tallyResults: z.array(z.object({ elected: z.string().optional(), eliminated: z.string().optional() })),
      }),
    )
    .min(1),
});
type Summary = z.infer<typeof summary>;

/** Opens summaries of the Ranked Choice Voting Tabulator: its JSON files of contests with one winner. */
export async function openRctab(paths: readonly string[]): Promise<OpenedSource> {
  if (paths.length === 0) throw new ImportError('rctab takes summary files (JSON) of RCTab');
  const files = await findFiles(paths, ['.json']);
  return {
    provenance: { name: NAME, source: 'https://github.com/BrightSpots/rcv', license: null, asOf: null },
    rows: (context) => rowsOf(files, context),
  };
}

async function* rowsOf(files: readonly NamedFile[], context: ImportContext): AsyncIterable<ImportRow> {
  const rows = new ElectionRows();
  for (const file of watchFiles(files, context.onRead)) {
    addContest(rows, await jsonOf(file, summary), file.name, context.report);
  }
  yield* rows.rows(context, NAME);
}

function addContest(rows: ElectionRows, { config, results }: Summary, record: string, report: Report): void {
  const { state, city } = jurisdictionOf(config.jurisdiction);
  const office = state && rankedOffice(state, city, config.office);
  const elected = new Set(
    results.flatMap(({ tallyResults }) => tallyResults.flatMap((result) => result.elected ?? [])),
  );
  if (!state || !office) {
    report.add(record, `the office ${config.office} of ${config.jurisdiction} is not known`);
    return;
  }
  if (elected.size !== 1) {
    report.add(record, `${elected.size} are elected: only rounds of contests with one winner can be stored`);
    return;
  }
  const names = [...new Set(results.flatMap(({ tally }) => Object.keys(tally)))];
  const ranked = rankedCandidates(
    names.map((name) => ({
      name,
      votes: results.flatMap(({ tally }) => tally[name] ?? []),
      isWinner: elected.has(name),
    })),
  );
  if (!ranked) {
    report.add(record, 'a candidate loses votes while still in: the rounds cannot be stored as gains');
    return;
  }
  const isPrimary = /\bprimary\b/i.test(config.contest);
  const party = /\b(Democratic|Republican|Libertarian|Green)\b/.exec(config.contest)?.[1];
  rows.race(
    {
      election: rankedElection(state, city, config.date, isPrimary ? 'Primary' : 'General', office.place),
      office,
      type: 'Regular',
      stage: isPrimary ? 'Primary' : 'General',
      ...(isPrimary && party ? { stageParty: party } : {}),
      seats: 1,
      isRankedChoice: true,
    },
    isPrimary ? primaryStatus(ranked) : ranked,
    record,
  );
}

/** Returns the state and city of a text such as `Maine` or `Portland, ME`. */
function jurisdictionOf(text: string) {
  const [, city, postal = ''] = /^(.+), ([A-Z]{2})$/.exec(text) ?? [];
  if (city) return { state: stateByPostal(postal), city };
  return { state: STATES.find(({ name }) => name === text), city: null };
}
