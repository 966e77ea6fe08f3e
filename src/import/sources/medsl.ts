import { readCsvTable } from '../elections/csv-tables.ts';
import { type CandidateFacts, type ElectionFacts, ElectionRows } from '../elections/election-rows.ts';
import { displayName, NOBODYS, personName } from '../elections/names.ts';
import { outcomes } from '../elections/outcomes.ts';
import { partyName, partyNames } from '../elections/parties.ts';
import { statePlace } from '../elections/places.ts';
import { type Contest, Contests, type Tally, votesOf } from '../elections/tallies.ts';
import { type ImportContext, ImportError, type ImportRow, type OpenedSource } from '../import-rows.ts';
import type { NamedFile } from '../named-file.ts';
import { findFiles, watchFiles } from '../read-files.ts';
import type { Report } from '../report.ts';
import { addMedslRow, MEDSL_COLUMNS, type MedslFacts } from './medsl-contests.ts';
import { questionOf } from './medsl-measures.ts';
import { type Retention, retentionOf, type Sought, soughtOffice } from './medsl-offices.ts';
import { countingOf, isRankedChoice, printedNames, seatsOf } from './medsl-rules.ts';

const NAME = 'MEDSL precinct results';

type MedslContest = Contest<MedslFacts>;

const STAGES: Record<string, [stage: string, election: string]> = {
  GEN: ['General', 'General'],
  PRI: ['Primary', 'Primary'],
  'GEN RUNOFF': ['General Runoff', 'General Runoff'],
  RUNOFF: ['General Runoff', 'General Runoff'],
};

/**
 * Opens precinct results of the MIT Election Data and Science Lab, zipped or not: the contests of a file, summed over
 * precincts and voting modes.
 */
export async function openMedsl(paths: readonly string[]): Promise<OpenedSource> {
  if (paths.length === 0) throw new ImportError('medsl takes files of precinct results: CSV, or zips of it');
  const files = await findFiles(paths, ['.csv']);
  return {
    provenance: { name: NAME, source: 'https://github.com/MEDSL', license: null, asOf: null },
    rows: (context) => rowsOf(files, context),
  };
}

async function* rowsOf(files: readonly NamedFile[], context: ImportContext): AsyncIterable<ImportRow> {
  const rows = new ElectionRows();
  const contests = new Contests<MedslFacts>();
  for (const file of watchFiles(files, context.onRead)) {
    await readCsvTable(file, MEDSL_COLUMNS, (record) => addMedslRow(contests, file.name, record));
  }
  for (const contest of contests.all) addContest(rows, contest, context.report);
  yield* rows.rows(context, NAME);
}

function addContest(rows: ElectionRows, contest: MedslContest, report: Report): void {
  const { facts } = contest;
  const record = recordOf(facts);
  const unusable = !STAGES[facts.stage]
    ? `the stage ${facts.stage} is not known`
    : contest.isContradictory
      ? 'totals differ from the sums of the modes of voting'
      : undefined;
  if (unusable) {
    report.add(record, unusable);
    return;
  }
  addPseudo(contest, report, record);
  if (contest.names.length === 0) return;
  const answers = contest.names.map(({ name }) => /^(?:(.+) - )?(YES|NO)$/.exec(name));
  if (answers.every((answer) => answer !== null)) {
    const judges = [...new Set(answers.map((answer) => answer?.[1] ?? null))];
    for (const judge of judges) addQuestion(rows, contest, judge, report, record);
    return;
  }
  const sought = soughtOffice(facts);
  if (typeof sought === 'string') {
    const votes = contest.names.reduce((sum, tally) => sum + (votesOf(tally) ?? 0), 0);
    report.add(record, `${sought}: ${contest.names.length} names with ${votes} votes`, sought);
    return;
  }
  addRace(rows, contest, sought, report, record);
}

function addRace(
  rows: ElectionRows,
  contest: MedslContest,
  { office, position }: Sought,
  report: Report,
  record: string,
): void {
  const { facts } = contest;
  const [stage] = STAGES[facts.stage] ?? [facts.stage];
  const seats = seatsOf(contest, office.place.id.value, report, record);
  const named = printedNames(contest, seats, report, record);
  if (named.length === 0) return;
  const votes = named.map(votesOf);
  for (const [index, tally] of named.entries()) {
    if (votes[index] === null) {
      const shown = tally.byMode + tally.totals;
      report.add(
        `${record}: ${tally.name}`,
        `${tally.hidden} counts are hidden; those that are shown add up to ${shown}`,
      );
    }
  }
  const won = outcomes(votes, countingOf(contest, named, seats));
  const isRanked = isRankedChoice(facts);
  const candidates = named.map((tally, index): CandidateFacts => {
    const [first = tally.name, mate] = facts.office === 'GOVERNOR' ? tally.name.split(' AND ') : [tally.name];
    return {
      name: personName(first),
      parties: partyNames(tally.party),
      ...(mate ? { runningMate: personName(mate) } : {}),
      // Vermont's file marks printed names as write-ins, too.
      ...(tally.writeIn && facts.state.postal === 'VT' ? {} : { isWriteIn: tally.writeIn }),
      votes: votes[index] ?? null,
      ...(won && facts.stage !== 'PRI' ? { status: won[index] } : {}),
    };
  });
  rows.race(
    {
      election: electionOf(facts, office.place),
      office,
      type: facts.special ? 'Special' : 'Regular',
      stage,
      ...(facts.stage === 'PRI' && facts.party ? { stageParty: partyName(facts.party) } : {}),
      seats,
      ...(position ? { position } : {}),
      ...(isRanked ? { isRankedChoice: true } : {}),
    },
    candidates,
    record,
  );
}

/** Adds a contest with the answers yes and no: a retention election or a ballot measure. */
function addQuestion(
  rows: ElectionRows,
  contest: MedslContest,
  judge: string | null,
  report: Report,
  record: string,
): void {
  const { facts } = contest;
  const tallyOf = (answer: string) =>
    contest.names.find(({ name }) => name === (judge ? `${judge} - ${answer}` : answer));
  const yes = tallyOf('YES');
  const no = tallyOf('NO');
  const [yesVotes, noVotes] = [yes ? votesOf(yes) : null, no ? votesOf(no) : null];
  const named = judge ? `${record}: ${judge}` : record;
  const retention = retentionOf(facts, judge);
  if (typeof retention === 'string') {
    report.add(named, retention);
    return;
  }
  const doubt = countingOf(
    contest,
    [yes, no].filter((tally) => tally !== undefined),
    1,
  ).hidden;
  if (retention) {
    addRetention(rows, facts, retention, yesVotes, named);
    report.add(named, `${noVotes ?? 'hidden'} votes against keeping the judge have no column`);
    return;
  }
  const question = questionOf(facts);
  if (typeof question === 'string') {
    report.add(record, `${question}: yes ${yesVotes}, no ${noVotes}`, question);
    return;
  }
  const { place, name, type, title, isMajority } = question;
  const isKnown = isMajority && yesVotes !== null && noVotes !== null;
  const status = !isKnown
    ? undefined
    : yesVotes > noVotes + doubt(1)
      ? 'Approved'
      : noVotes > yesVotes + doubt(0)
        ? 'Defeated'
        : undefined;
  const values = { name, type, status, official_title: title, yes_votes_total: yesVotes, no_votes_total: noVotes };
  rows.measure(electionOf(facts, place), place, values, [], record);
}

function addRetention(
  rows: ElectionRows,
  facts: MedslFacts,
  { office, judge, position }: Retention,
  votes: number | null,
  record: string,
): void {
  const race = {
    election: electionOf(facts, office.place),
    office,
    type: 'Retention' as const,
    stage: 'General',
    seats: 1,
  };
  rows.race({ ...race, ...(position ? { position } : {}) }, [{ name: displayName(judge), votes }], record);
}

/**
 * Returns the election of a contest. The state holds it, except a special election of a single district on a separate
 * day, which the district holds.
 */
function electionOf({ state, date, stage, special }: MedslFacts, place: Sought['office']['place']): ElectionFacts {
  const [, type = stage] = STAGES[stage] ?? [];
  if (special && !isGeneralElectionDay(date)) return { place, date, type: 'Special' };
  return { place: statePlace(state), date, type };
}

/** Returns whether a day is the Tuesday after the first Monday of November of an even year (2 U.S.C. § 7). */
function isGeneralElectionDay(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  const isTuesday = day.getUTCDay() === 2 && day.getUTCDate() >= 2 && day.getUTCDate() <= 8;
  return isTuesday && day.getUTCMonth() === 10 && day.getUTCFullYear() % 2 === 0;
}

function addPseudo(contest: MedslContest, report: Report, record: string): void {
  const counts = contest.pseudo.map((tally: Tally) => `${tally.name} ${votesOf(tally) ?? '*'}`);
  if (counts.length > 0) report.add(record, `${NOBODYS}: ${counts.join(', ')}`, NOBODYS);
}

function recordOf({ file, office, district, county, special }: MedslFacts): string {
  const shown = office.length > 120 ? `${office.slice(0, 120)}…` : office;
  return [file, shown, county?.name, district, special ? 'special' : ''].filter(Boolean).join(' | ');
}
