import { normalName } from '../../base/words/normal-name.ts';
import { type ImportContext, UnusableFileError } from '../exchange/import-rows.ts';
import type { Reason } from '../exchange/report-kinds.ts';
import { choiceOf } from './choices.ts';
import { CityCounties } from './city-counties.ts';
import { keyOf, lastCount, stageOf } from './contest-counts.ts';
import { electionOf, runningMates } from './contest-elections.ts';
import { type ContestOffice, officeOfContest, SENATE_SEAT } from './contest-offices.ts';
import { recordOf, shownIn, votesIn } from './contest-records.ts';
import { contradictionOf } from './contradictions.ts';
import { isCountTitle } from './counted-words.ts';
import {
  countingOf,
  isFarExceeded,
  isRankedChoice,
  knownSeats,
  mayElectSeveral,
  printedNames,
  seatsOf,
  statedSeats,
} from './counting-rules.ts';
import { isCountyFile, joinCountyFiles, type SummedFile } from './county-files.ts';
import type { CandidateFacts, ElectionRows } from './election-rows.ts';
import { HouseMembers } from './house-members.ts';
import { displayName, isNoneOfThese, personName, WITHOUT_CANDIDATE } from './names.ts';
import type { OfficeMap } from './office-map.ts';
import { isMissingCounties, MISSING, missingBallots, unprovenReason } from './outcome-proof.ts';
import { outcomes } from './outcomes.ts';
import { isNamedParty, partyName, partyNames } from './parties.ts';
import type { Place } from './places.ts';
import { outcomeOf, questionOf } from './questions.ts';
import { RaceClaims } from './race-claims.ts';
import { reportReading, reportSpellings } from './report-reading.ts';
import { addTallies, type Contest, contestsOf, type Tally, votesOf } from './result-contests.ts';
import type { ResultSums } from './result-sums.ts';
import { type Retention, retentionBasis, retentionOf, retentionOfUnnamed } from './retentions.ts';
import { senateSeat } from './senate-seats.ts';
import { StateCounties } from './state-counties.ts';
import { VoteLedger } from './vote-ledger.ts';
import { capitalsOf, officeInCapitals, placeInCapitals } from './written-capitals.ts';

const NO_CANDIDATE = 'the source names neither a candidate nor an answer';
const IS_TICKET = 'counts votes for all candidates of a party, which their own contests include';
const IS_PART =
  'the files are of single counties or towns, which may be a part of those that vote: the outcome is unknown';
const REPEATED = 'another file of the county has the contest too';
const SEVERAL_MEMBERS =
  'the district may have several members, and the source has no magnitude: the outcome is unknown';
const SEVERAL_SEATS = 'the contest may elect several members, and the source has no magnitude: the outcome is unknown';
const WITHOUT_COUNT =
  'in precincts with a count of other contests and none of this one, and could turn it: the outcome is unknown';
const NO_MAJORITY = 'no candidate has the majority that the election may require: the outcome is unknown';
const UNNAMED_JUDGE = 'the source does not name the judge: the retention is a ballot measure, without an outcome';
const IS_STATISTIC = 'counts ballots or voters, not votes for a candidate';
const SUMS = 'votes in contests: … stored, … in this report';
const REFUSED: Reason = {
  kind: 'repeated-votes',
  reason:
    'has far more votes than its voters have for an office of one holder: rows repeat votes, or two contests have one text',
};
const IS_NO_OFFICE = 'is a choice of a newspaper for official notices, not an election to an office';
const IS_LABEL = 'is no name of a person, as far as the file shows: it is not stored';

/** Adds the contests of result files to the rows of an import: races, retention elections and ballot measures. */
export class ResultRows {
  readonly #rows: ElectionRows;
  readonly #context: ImportContext;
  readonly #map: OfficeMap;
  readonly #claims: RaceClaims;
  readonly #members: HouseMembers;
  readonly #cities: CityCounties;
  readonly #ledger = new VoteLedger();
  readonly #stateCounties = new StateCounties();
  /** The files of single counties, whose contests may have parts in several of them. */
  readonly #countyFiles: SummedFile[] = [];
  /** The number of races and measures. */
  #stored = 0;

  constructor(rows: ElectionRows, context: ImportContext, map: OfficeMap) {
    this.#rows = rows;
    this.#context = context;
    this.#map = map;
    this.#claims = new RaceClaims(context.report);
    this.#members = new HouseMembers(context.db);
    this.#cities = new CityCounties(context.db);
  }

  /**
   * Adds the contests of a file, except a file of one county, and reports its rows that are subtotals or malformed.
   * @throws UnusableFileError if no contest of the file can be stored.
   */
  async add(file: string, sums: ResultSums): Promise<void> {
    const { report } = this.#context;
    reportReading(file, sums, report);
    if (isCountyFile({ file, sums })) this.#countyFiles.push({ file, sums });
    else {
      const [stored, reported] = [this.#stored, report.entries.length];
      await this.#contests(contestsOf({ sums, name: file, fileOf: () => file }));
      if (this.#stored === stored) throw this.#unusable(file, reported);
    }
  }

  /** Returns the error for files without anything that is stored, with the most frequent reason among the last entries of the report. */
  #unusable(file: string, reported: number): UnusableFileError {
    const reasons = Map.groupBy(this.#context.report.entries.slice(reported), ({ sentence }) => sentence);
    const [most] = [...reasons.values()].toSorted((one, other) => other.length - one.length);
    const why = most ? `${most[0]?.record} ${most[0]?.reason}` : 'it has no contest';
    const more = most && most.length > 1 ? `; ${most.length - 1} others: the same` : '';
    return new UnusableFileError(`${file}: nothing of it can be stored: ${why}${more}`);
  }

  /**
   * Adds the contests of the files of single counties.
   * @throws UnusableFileError if no contest of any file can be stored.
   */
  async finish(): Promise<void> {
    const before = this.#context.report.entries.length;
    for (const results of joinCountyFiles(this.#countyFiles)) {
      for (const { file, office, other } of results.repeated)
        this.#context.report.add(
          this.#context.report.locate(`${file} | ${office}`, file),
          'counties-missing',
          `${other} has the contest too`,
          REPEATED,
        );
      reportSpellings(results.name, results.sums, this.#context.report);
      await this.#contests(contestsOf(results));
    }
    const [first] = this.#countyFiles;
    if (first && this.#stored === 0) throw this.#unusable(first.file, before);
    this.#stateCounties.report(this.#context.report);
    const { votes, stored, reported } = this.#ledger.close();
    if (reported > 0 && stored > 0)
      this.#context.report.add(
        'votes',
        'left-out',
        `${votes} in contests: ${stored} stored, ${reported} in this report`,
        SUMS,
      );
  }

  async #contests(contests: readonly Contest[]): Promise<void> {
    const counts = Map.groupBy(contests, keyOf);
    for (const contest of contests) {
      const all = counts.get(keyOf(contest)) ?? [];
      const isRecounted = all.some(({ stage }) => stage.includes(' RECOUNT'));
      await this.#contest(contest, isRecounted ? lastCount(all) : contest);
    }
  }

  async #contest(contest: Contest, last: Contest | undefined): Promise<void> {
    const { report } = this.#context;
    const record = recordOf(contest);
    const stage = stageOf(contest);
    this.#ledger.open(contest, record);
    report.locate(record, contest.file, contest.line);
    for (const { name, line } of [...contest.names, ...contest.labels])
      report.locate(`${record}: ${name}`, contest.file, line);
    const other =
      stage === undefined
        ? `the stage ${contest.stage} is not known`
        : 'is not the last count of all votes of the contest';
    if (contest.problem || stage === undefined || last !== contest) {
      this.#leaveOut(contest, record, contest.problem ?? { kind: 'left-out', reason: other }, [
        ...contest.names,
        ...contest.pseudo,
        ...contest.labels,
      ]);
      return;
    }
    this.#pseudo(contest, record);
    if (contest.names.length === 0) {
      if (contest.pseudo.every(({ name }) => !/write|other|scatter/i.test(name)))
        report.add(record, 'labels-in-place-of-names', IS_STATISTIC);
      return;
    }
    const noContest = isNoContest(contest);
    if (noContest) {
      this.#leaveOut(contest, record, noContest);
      return;
    }
    if (contest.isQuestion) {
      const subjects = [...new Set(contest.names.map(({ name }) => choiceOf(name)?.subject ?? null))];
      for (const subject of subjects) await this.#question(contest, stage, subject, record);
      return;
    }
    const found = this.#map.officeOf(contest) ?? officeOfContest(contest);
    const of = found === SENATE_SEAT ? await this.#senate(contest) : found;
    if (typeof of === 'string') this.#leaveOut(contest, record, { kind: 'left-out', reason: of });
    else if ('reason' in of) this.#leaveOut(contest, record, of);
    else {
      const isPart = mayBePart(contest, of.office.place) || (await this.#cities.hasOthers(contest, of.office.place));
      this.#race(contest, stage, of, await this.#members.seatsOf(contest, of), isPart, record);
    }
  }

  /** Reports the names of a contest that is not stored, with their votes. */
  #leaveOut(
    contest: Contest,
    record: string,
    { kind, reason }: Reason,
    tallies: readonly Tally[] = contest.names,
  ): void {
    this.#context.report.add(record, kind, `${reason}: ${votesIn(contest)}`, reason);
    this.#ledger.report(contest, shownIn(tallies));
  }

  async #senate(contest: Contest): Promise<ContestOffice | string> {
    const names = contest.names.filter(({ writeIn }) => !writeIn).map(({ name }) => name);
    const seat = await senateSeat(this.#context.db, contest, names);
    const contradiction = contradictionOf(contest);
    return seat
      ? { office: seat, basis: 'Law', ...(contradiction && { contradiction }) }
      : 'neither the source nor the database states the class of the seat';
  }

  /**
   * @param members the seats of a district of a lower house, if its members show them.
   * @param isPart true if the contest may have votes in other counties.
   */
  #race(
    contest: Contest,
    stage: string,
    of: ContestOffice,
    members: number | 'unknown' | undefined,
    isPart: boolean,
    record: string,
  ): void {
    const { report } = this.#context;
    const capitals = capitalsOf(contest.written);
    const office = officeInCapitals(of.office, capitals);
    const position = of.position === undefined ? undefined : capitals(of.position);
    const ofLaw = statedSeats(contest, office.place.id.value);
    const stated = ofLaw === 1 && typeof members === 'number' ? members : ofLaw;
    const { seats, isExceeded } = seatsOf(contest, of, stated, report, record);
    if (isExceeded && isFarExceeded(contest)) {
      this.#leaveOut(contest, record, REFUSED);
      return;
    }
    const named = printedNames(contest, seats, report, record);
    this.#ledger.report(contest, shownIn(contest.names) - shownIn(named));
    if (named.length === 0) return;
    const votes = named.map(votesOf);
    for (const [index, tally] of named.entries()) {
      if (votes[index] === null) {
        if (tally.bad)
          report.add(
            `${record}: ${tally.name}`,
            'counts-that-are-no-numbers',
            tally.bad,
            'votes: is not a number of votes',
          );
        const why = 'counts are hidden; those that are shown add up to';
        report.add(`${record}: ${tally.name}`, 'counts-that-are-no-numbers', `${tally.hidden} ${why} ${tally.shown}`);
      }
    }
    if (of.contradiction) report.add(record, 'weak-scopes', of.contradiction);
    if (['State', 'Country'].includes(String(office.place.row.values.type)) && !isMissingCounties(contest))
      this.#stateCounties.add(contest, record);
    if (isPart) report.add(record, 'counties-missing', IS_PART);
    if (members === 'unknown') report.add(record, 'undecided-contests', SEVERAL_MEMBERS);
    const unproven = isPart ? undefined : unprovenReason(contest, of, named, seats);
    if (unproven) report.add(record, unproven.kind, unproven.reason);
    const missing = missingBallots(contest, office.place, seats);
    const known = knownSeats(contest, of, { seats, stated, members });
    const counting = countingOf(contest, named, { seats, known, missing }, of);
    const isUnknown = isPart || isExceeded || members === 'unknown' || unproven !== undefined;
    const shown = named.map((tally) => tally.shown);
    const won = isUnknown ? undefined : outcomes(shown, counting);
    const isMissing = missing > 0 && !won && !isUnknown;
    if (isMissing && outcomes(shown, countingOf(contest, named, { seats, known, missing: 0 }, of)))
      report.add(record, 'undecided-contests', `${missing} ballots may be ${WITHOUT_COUNT}`, WITHOUT_COUNT);
    else if (!won && !isUnknown && !contest.statesMagnitude && mayElectSeveral(contest, named, known))
      report.add(record, 'undecided-contests', SEVERAL_SEATS);
    else if (!won && !isUnknown && outcomes(shown, { ...counting, needsMajority: false }))
      report.add(record, 'undecided-contests', NO_MAJORITY);
    const isPrimary = stage.startsWith('Primary');
    const all = named.map((tally, index): CandidateFacts => {
      const [first = tally.name, mate] = runningMates(contest, tally.name);
      report.locate(`${record}: ${personName(first)}`, contest.file, tally.line);
      return {
        name: personName(first),
        parties: this.#parties(tally, contest.state.postal, record),
        ...(mate ? { runningMate: personName(mate) } : {}),
        // Vermont's file also marks printed names as write-ins.
        ...(tally.writeIn && contest.state.postal === 'VT' ? {} : { isWriteIn: tally.writeIn }),
        votes: votes[index] ?? null,
        ...(won && !isPrimary ? { status: won[index] } : {}),
      };
    });
    const candidates = [...Map.groupBy(all, ({ name }) => normalName(name)).values()].map(asOneCandidate);
    const race = {
      election: electionOf(contest, stage, office.place),
      office,
      type: contest.special ? ('Special' as const) : ('Regular' as const),
      stage,
      ...(isPrimary && contest.party ? { stageParty: partyName(contest.party, contest.state.postal) } : {}),
      seats: known,
      ...(isRankedChoice(contest) ? { isRankedChoice: true } : {}),
      basis: of.basis,
    };
    const place = this.#claims.claim(
      contest,
      [office.id.value, contest.state.postal, contest.date, race.type, stage, contest.party],
      position,
      record,
      office.alone,
    );
    const hidden = shownIn(named.filter((tally) => votesOf(tally) === null));
    this.#ledger.store(contest, place ? shownIn(named) - hidden : 0);
    this.#ledger.report(contest, place ? hidden : shownIn(named));
    if (!place) return;
    this.#stored++;
    this.#rows.race({ ...race, ...place }, candidates, record);
  }

  /** Adds a contest whose choices are yes and no: a retention election or a ballot measure. */
  async #question(contest: Contest, stage: string, subject: string | null, record: string): Promise<void> {
    const { report } = this.#context;
    const tallyOf = (answer: string) =>
      contest.names
        .filter(({ name }) => {
          const choice = choiceOf(name);
          return choice?.answer === answer && choice.subject === subject;
        })
        .reduce<Tally | undefined>((sum, tally) => (sum ? addTallies(sum, tally) : tally), undefined);
    const [yes, no] = [tallyOf('yes'), tallyOf('no')];
    for (const tally of [yes, no])
      if (tally?.bad)
        report.add(
          `${record}: ${tally.name}`,
          'counts-that-are-no-numbers',
          tally.bad,
          'votes: is not a number of votes',
        );
    const [yesVotes, noVotes] = [yes ? votesOf(yes) : null, no ? votesOf(no) : null];
    const named = subject ? report.locate(`${record}: ${subject}`, contest.file, contest.line) : record;
    const all = [yes, no].filter((tally) => tally !== undefined);
    const account = (stored: readonly (Tally | undefined)[]) => {
      const votes = stored.reduce((sum, tally) => sum + (tally ? (votesOf(tally) ?? 0) : 0), 0);
      this.#ledger.store(contest, votes);
      this.#ledger.report(contest, shownIn(all) - votes);
    };
    const retention = retentionOf(contest, subject);
    if (typeof retention === 'string') {
      report.add(named, 'left-out', `${retention}: yes ${yesVotes}, no ${noVotes}`, retention);
      account([]);
      return;
    }
    if (retention) {
      account(this.#retention(contest, stage, retention, yesVotes, named) ? [yes] : []);
      report.add(named, 'left-out', `${noVotes ?? 'hidden'} votes against retaining the judge have no column`);
      return;
    }
    const unnamed = subject ? undefined : retentionOfUnnamed(contest);
    const question = this.#map.placeOf(contest) ?? unnamed ?? questionOf(contest);
    if (typeof question === 'string') {
      report.add(record, 'left-out', `${question}: yes ${yesVotes}, no ${noVotes}`, question);
      account([]);
      return;
    }
    if (question === unnamed) report.add(record, 'left-out', UNNAMED_JUDGE);
    const { type, title, required } = question;
    const capitals = capitalsOf(contest.written);
    const [place, name] = [placeInCapitals(question.place, capitals), capitals(question.name)];
    const missing = missingBallots(contest, question.place, 1);
    const { hidden } = countingOf(contest, all, { seats: 1, missing });
    const isPart = mayBePart(contest, question.place) || (await this.#cities.hasOthers(contest, question.place));
    const isMissing = place.row.values.type === 'State' && isMissingCounties(contest);
    if (isPart) report.add(record, 'counties-missing', IS_PART);
    else if (isMissing) report.add(record, MISSING.kind, MISSING.reason);
    const status =
      isPart || isMissing || !required || yesVotes === null || noVotes === null
        ? undefined
        : outcomeOf(yesVotes, noVotes, { yes: hidden(0), no: hidden(1) }, required);
    const isUncertain = status === undefined && !isPart && !isMissing && required && missing > 0;
    if (isUncertain)
      report.add(record, 'undecided-contests', `${missing} ballots may be ${WITHOUT_COUNT}`, WITHOUT_COUNT);
    const values = { name, type, status, official_title: title, yes_votes_total: yesVotes, no_votes_total: noVotes };
    const id = [place.id.value, contest.date, stage, title];
    // Two questions of one text are one measure: the votes of the second one would replace those of the first.
    const isStored = this.#claims.claim(contest, id, undefined, record, true) !== undefined;
    account(isStored ? all : []);
    if (!isStored) return;
    this.#stored++;
    this.#rows.measure(electionOf(contest, stage, place), place, values, [], record);
  }

  #retention(
    contest: Contest,
    stage: string,
    { office, judge, position }: Retention,
    votes: number | null,
    record: string,
  ): boolean {
    const race = {
      election: electionOf(contest, stage, office.place),
      office,
      type: 'Retention' as const,
      stage,
      seats: 1,
      basis: retentionBasis(contest, office),
    };
    const place = this.#claims.claim(
      contest,
      [office.id.value, contest.date, 'Retention', stage, contest.party],
      position,
      record,
    );
    if (!place) return false;
    this.#stored++;
    this.#rows.race({ ...race, ...place }, [{ name: displayName(judge), votes }], record);
    return true;
  }

  /** Returns the parties of a candidate. A code without a known name is reported, and is the party as written. */
  #parties({ name, party }: Tally, postal: string, record: string): string[] {
    if (!isNamedParty(party, postal))
      this.#context.report.add(
        `${record}: ${name}`,
        'left-out',
        `the party code ${party} is not known; the party is as written`,
        'the party code is not known',
      );
    return partyNames(party, postal);
  }

  #pseudo(contest: Contest, record: string): void {
    const { pseudo, labels } = contest;
    this.#ledger.report(contest, shownIn([...pseudo, ...labels]));
    const counts = pseudo.map((tally: Tally) => `${tally.name || '(no name)'} ${votesOf(tally) ?? '*'}`);
    if (counts.length > 0)
      this.#context.report.add(
        record,
        'counts-among-candidates',
        `${WITHOUT_CANDIDATE}: ${counts.join(', ')}`,
        WITHOUT_CANDIDATE,
      );
    for (const tally of labels)
      this.#context.report.add(
        `${record}: ${tally.name}`,
        'labels-in-place-of-names',
        `${IS_LABEL}; votes: ${votesOf(tally) ?? '*'}`,
        IS_LABEL,
      );
  }
}

/** Returns the candidate of several texts, which differ in their running mates. */
function asOneCandidate([first, ...others]: readonly CandidateFacts[]): CandidateFacts {
  if (!first) throw new Error('A candidate needs a name');
  if (others.length === 0) return first;
  const { status: _, ...facts } = first;
  const votes = others.reduce<number | null>(
    (sum, each) => (sum === null || each.votes == null ? null : sum + each.votes),
    first.votes ?? null,
  );
  return { ...facts, votes };
}

/** Returns why the rows of a contest are no contest; undefined for a contest. */
function isNoContest({ office, names }: Contest): Reason | undefined {
  if (isCountTitle(office)) return { kind: 'labels-in-place-of-names', reason: IS_STATISTIC };
  if (/\bNEWSPAPER\b/.test(office)) return { kind: 'labels-in-place-of-names', reason: IS_NO_OFFICE };
  if (/^STRAIGHT[- ]?(TICKET|PARTY)\b/.test(office)) return { kind: 'left-out', reason: IS_TICKET };
  return names.every(({ name }) => isNoneOfThese(name))
    ? { kind: 'labels-in-place-of-names', reason: NO_CANDIDATE }
    : undefined;
}

/** The types of districts that are a county or, as 94 % of the cities, in one county. */
const IN_ONE_COUNTY = ['County', 'County subdivision', 'City-town', 'City-town subdivision'];

/** Returns whether a contest in the files of some counties may have votes in other counties. */
function mayBePart({ isPartial, isPartOfCounty }: Contest, { row }: Place): boolean {
  return isPartOfCounty || (isPartial && !IN_ONE_COUNTY.includes(String(row.values.type)));
}
