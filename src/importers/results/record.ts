import { normalName } from '../../base/words/normal-name.ts';
import type { ImportContext } from '../exchange/import-rows.ts';
import type { ReportKind } from '../exchange/report-kinds.ts';
import { choiceOf } from '../facts/choices.ts';
import { displayName, isPartyAsName, WITHOUT_CANDIDATE } from '../facts/names.ts';
import { type Office, office } from '../facts/offices.ts';
import { titleCase } from '../facts/title-case.ts';
import { type Candidate, isAnswer } from './candidates.ts';
import { electionOf } from './contest-elections.ts';
import { type CountedRace, type Decision, decideQuestion, validVotes, type Withheld } from './decide.ts';
import type { CandidateFacts, ElectionRows, RaceFacts } from './election-rows.ts';
import { lawOn } from './laws.ts';
import { isNamedParty, partyName } from './parties.ts';
import type { FileRace } from './races.ts';
import { senateSeat } from './senate-seats.ts';

/** Where a race is recorded. */
export interface Recording {
  readonly context: ImportContext;
  readonly out: ElectionRows;
  readonly decision: Decision;
}

const WITHHELD: Readonly<Record<Withheld, readonly [ReportKind, string]>> = {
  electors: ['undecided-contests', 'a state chooses electors: its votes alone do not elect the president'],
  recall: ['undecided-contests', 'the replacements are elected only if the recall passes: the outcome is unknown'],
  'counties-missing': [
    'counties-missing',
    'counties that vote on it are missing, or nothing shows that none is: the outcome is unknown',
  ],
  'unknown-counties': [
    'counties-missing',
    'rows of a place that is no county of the state may be of its county: the outcome is unknown',
  ],
  'seats-unknown': ['undecided-contests', 'nothing states how many are elected: the outcome is unknown'],
  'no-majority': [
    'undecided-contests',
    'no candidate has the majority that the election may require: the outcome is unknown',
  ],
  'ranked-choice': [
    'undecided-contests',
    'further choices are counted, because no candidate has a majority: the outcome is unknown',
  ],
  'more-votes-than-ballots': [
    'more-votes-than-ballots',
    'has more votes or candidates than the election allows: the outcome is unknown',
  ],
  'votes-may-be-missing': [
    'undecided-contests',
    'votes that are missing, hidden or contradictory could turn it: the outcome is unknown',
  ],
  'unnamed-votes': ['undecided-contests', 'votes without a name may decide it: the outcome is unknown'],
  'mark-on-winner': [
    'undecided-contests',
    'the one with the most votes withdrew, died or was disqualified: the outcome is unknown',
  ],
  'no-person-leads': ['undecided-contests', 'a choice that is no person has the most votes: the outcome is unknown'],
};

/** Returns what identifies a race in the report. */
export function recordOf({ file, written, party, isSpecial }: FileRace): string {
  return [file, [...written][0], party, isSpecial ? 'special' : ''].filter(Boolean).join(' | ');
}

/** Records a race with its candidates. Returns why it is left out; undefined for a race. */
export async function recordRace(
  race: FileRace,
  counted: CountedRace,
  { context, out, decision }: Recording,
): Promise<string | undefined> {
  const { report } = context;
  const record = recordOf(race);
  const { candidates, unnamed } = counted.names;
  const areAnswers =
    candidates.length > 0
      ? candidates.every(({ name }) => choiceOf(name) !== undefined)
      : counted.names.labels.some(({ text }) => isAnswer(text));
  if (areAnswers) return 'has answers in place of candidates: the row of a question has the kind question';
  if (candidates.every(({ isPerson }) => !isPerson) && unnamed === 0) return 'the source names no candidate';
  const found = await officeOf(race, candidates, context);
  report.locate(record, race.file, race.line);
  reportNames(race, counted, record, context);
  if (decision.withheld) report.add(record, ...WITHHELD[decision.withheld]);
  const stated = Math.max(...race.magnitudes);
  if (counted.seats === null && counted.row.seats !== undefined && stated > 1)
    report.add(
      record,
      'more-votes-than-ballots',
      `the source states ${stated} seats, and the row of the office ${counted.row.seats}`,
    );
  const isPrimary = race.stage.startsWith('Primary');
  const kept = keptCandidates(counted);
  if (kept.length === 0) return 'the source names no candidate';
  const left = candidates.filter((each) => !kept.includes(each));
  if (left.length > 0)
    report.add(
      record,
      'counts-among-candidates',
      `${left.length} written-in names with ${left.reduce((sum, { shown }) => sum + shown, 0)} votes are not candidates`,
    );
  const facts: RaceFacts = {
    election: electionOf(race, found.place),
    office: found,
    type: race.isSpecial ? 'Special' : 'Regular',
    stage: race.stage,
    ...(isPrimary && race.party ? { stageParty: partyName(race.party, race.state.postal) } : {}),
    seats: counted.seats,
    ...(race.placed.position ? { position: race.placed.position } : {}),
    ...(lawOn('ranked-choice', race.law) !== undefined && !isPrimary ? { isRankedChoice: true } : {}),
    basis: race.placed.basis,
    leftOut: race.strays,
  };
  if (race.strays > 0)
    report.add(
      record,
      'left-out',
      `${race.strays} votes without a name in its precincts have no district of the chamber`,
    );
  const rows = kept.map((candidate): CandidateFacts => {
    const { name, runningMate, parties, isWriteIn, votes, mark } = candidate;
    const status = decision.outcomes[candidates.indexOf(candidate)];
    const marked = mark === 'withdrew' ? 'Withdrew' : mark === 'disqualified' ? 'Disqualified' : undefined;
    return {
      name,
      parties,
      ...(runningMate ? { runningMate } : {}),
      isWriteIn,
      votes,
      ...((status ?? marked) ? { status: status ?? marked } : {}),
      precincts: candidate.precincts,
    };
  });
  out.race(facts, rows, record);
  return undefined;
}

/** Written-in names that each have a row are candidates from these shares of all votes on. */
const [CANDIDATE_SHARE, PARTY_SHARE] = [0.05, 0.01];

/** Returns the candidates, without the written-in names of a publisher that lists all of them. */
function keptCandidates({ names, law, seats }: CountedRace): readonly Candidate[] {
  if (lawOn('writes-all-names', law) === undefined) return names.candidates;
  const all = validVotes(names);
  const order = names.candidates.toSorted((a, b) => b.shown - a.shown);
  const isCandidate = ({ shown, parties }: Candidate) =>
    shown >= all * CANDIDATE_SHARE || (parties.length > 0 && shown >= all * PARTY_SHARE);
  // A name with more votes than one of them is a candidate too, whatever the source says.
  const last = order.findLastIndex(isCandidate);
  return order.slice(0, last < 0 ? (seats ?? 1) : last + 1);
}

/** Returns the office of a race. Only its candidates show which seat of the Senate a special election fills. */
async function officeOf(
  { placed, state, date, isSpecial }: FileRace,
  candidates: readonly Candidate[],
  { db }: ImportContext,
): Promise<Office> {
  if (placed.office) return placed.office;
  const names = candidates.filter(({ isWriteIn }) => !isWriteIn).map(({ name }) => name);
  const seat = await senateSeat(db, { state, date, special: isSpecial }, names);
  return seat ?? office(placed.place, 'U.S. Senate, class not stated', 'Federal', 'Legislative', { partisan: true });
}

function reportNames(race: FileRace, { names }: CountedRace, record: string, { report }: ImportContext): void {
  for (const { name, line } of names.candidates) report.locate(`${record}: ${name}`, race.file, line);
  for (const { name, votes, shown, bad, several } of names.candidates) {
    if (several.length > 0)
      report.add(
        `${record}: ${name}`,
        'undecided-contests',
        'has rows in one precinct that differ by a mark or spelling: they may be two persons',
        several.join(', '),
      );
    if (votes !== null || several.length > 0) continue;
    report.add(
      `${record}: ${name}`,
      'counts-that-are-no-numbers',
      bad ? `${bad} is not a number of votes` : `counts are hidden or blank; those that are shown add up to ${shown}`,
    );
  }
  if (names.labels.length > 0)
    report.add(
      record,
      'counts-among-candidates',
      WITHOUT_CANDIDATE,
      names.labels.map(({ text, votes, hidden }) => `${text || '(no name)'} ${hidden > 0 ? '*' : votes}`).join(', '),
    );
  for (const { name, parties } of names.contradictions)
    report.add(
      `${record}: ${name}`,
      'parties-by-precinct',
      'has another party in some of its rows',
      parties.join(', '),
    );
  for (const { text, votes } of names.labels.filter((each) => isAnswer(each.text)))
    report.add(`${record}: ${text}`, 'labels-in-place-of-names', `is an answer, not a candidate: ${votes} votes`);
  const ofParties = names.labels.filter(({ text }) => isPartyAsName(text));
  for (const { text, votes } of ofParties)
    report.add(
      `${record}: ${text}`,
      'labels-in-place-of-names',
      `is the name of a party, not of a candidate: ${votes} votes`,
    );
  for (const { name, into, votes } of names.joined)
    report.add(
      `${record}: ${name}`,
      'names-in-several-spellings',
      `is another spelling of …: its ${votes} votes are added`,
      into,
    );
  for (const party of new Set(race.names.map((each) => each.party)))
    if (!isNamedParty(party, race.state.postal))
      report.add(record, 'left-out', 'the party code … is not known; the party is as written', party);
}

/** The answers of a question, added up; with a subject, those about it. */
function answersOf(race: FileRace, about?: string) {
  const sums = {
    yes: { votes: 0, least: 0, most: 0, hidden: 0, rows: 0 },
    no: { votes: 0, least: 0, most: 0, hidden: 0, rows: 0 },
  };
  const subjects = new Set<string>();
  for (const { text, votes, least, most, hidden, isPartHidden } of race.names) {
    const choice = choiceOf(text);
    if (!choice) continue;
    if (choice.subject) subjects.add(choice.subject);
    if (about !== undefined && choice.subject !== about) continue;
    const of = sums[choice.answer];
    of.votes += votes;
    of.least += least;
    of.most += most;
    of.hidden += hidden + Number(isPartHidden);
    of.rows++;
  }
  return { ...sums, subjects: [...subjects] };
}

/** Records a question with its answers. Returns why it is left out; undefined for a measure. */
export async function recordQuestion(
  race: FileRace,
  counted: CountedRace,
  { context, out }: Recording,
): Promise<string | undefined> {
  const { yes, no, subjects } = answersOf(race);
  if (yes.rows + no.rows === 0) return 'has no answers: a question has yes and no, or for and against';
  if (subjects.length > 1) return 'has answers to several questions';
  const { report } = context;
  const record = recordOf(race);
  report.locate(record, race.file, race.line);
  const [written = ''] = race.written;
  const text = written.replace(' | ', ', ').trim();
  const plain = normalName(text);
  const about = plain.includes('amendment') ? 'amendment' : plain.includes('bond') ? 'bond' : 'question';
  // The source does not say what a question of a county needs, other than bonds.
  const isKnown = race.law.scope === 'state' || about === 'bond';
  const share = isKnown
    ? (lawOn('share', { ...race.law, scope: about }) ?? lawOn('share', { ...race.law, scope: 'question' }))
    : undefined;
  const isHidden = (of: typeof yes) => of.hidden > 0 || of.rows === 0;
  const status =
    counted.places !== 'complete' || share === undefined || isHidden(yes) || isHidden(no)
      ? undefined
      : decideQuestion(yes, no, race.missing, share);
  if (counted.places !== 'complete') report.add(record, ...WITHHELD[counted.places]);
  else if (!status) report.add(record, 'undecided-contests', 'the votes and the rows of law do not show its outcome');
  const type = TYPES.find(([words]) => words.some((word) => plain.includes(word)))?.[1];
  out.measure(
    electionOf(race, race.placed.place),
    race.placed.place,
    {
      name: text.length > 120 ? text : titleCase(text),
      type,
      status,
      official_title: text.toUpperCase(),
      yes_votes_total: isHidden(yes) ? null : yes.votes,
      no_votes_total: isHidden(no) ? null : no.votes,
    },
    [],
    record,
  );
  return undefined;
}

const TYPES: readonly (readonly [words: readonly string[], type: string])[] = [
  [['bond'], 'Bond issue'],
  [['constitutional amendment'], 'Constitutional amendment'],
  [['advisory'], 'Advisory question'],
  [['initiative'], 'Citizen initiative'],
  [['referendum'], 'Referendum'],
  [['levy', 'levies'], 'Levy'],
];

/** Records the retention of a judge, or of each whom the answers name: the votes for it. Returns why it is left out; undefined for a race. */
export async function recordRetention(
  race: FileRace,
  _: CountedRace,
  { context, out }: Recording,
): Promise<string | undefined> {
  const { placed } = race;
  const { subjects } = answersOf(race);
  const { judge } = race.named.values;
  if (!judge && subjects.length === 0) return 'the source does not name the judge';
  if (!placed.office) return 'the row does not name the office';
  const record = recordOf(race);
  context.report.locate(record, race.file, race.line);
  const election = electionOf(race, placed.place);
  for (const each of judge ? [judge] : subjects) {
    const { yes, no } = answersOf(race, judge ? undefined : each);
    if (yes.rows + no.rows === 0) return 'has no answers: a retention has yes and no';
    const name = displayName(each.toUpperCase());
    out.race(
      {
        election,
        office: placed.office,
        type: 'Retention',
        stage: race.stage,
        seats: 1,
        position: `Retention of ${name}`,
        basis: placed.basis,
      },
      [{ name, votes: yes.hidden > 0 || yes.rows === 0 ? null : yes.votes }],
      record,
    );
    context.report.add(
      record,
      'left-out',
      `${no.hidden > 0 ? 'hidden' : no.votes} votes against retaining the judge have no column`,
    );
  }
  return undefined;
}
