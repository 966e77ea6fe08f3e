import { basename } from 'node:path';
import { sql } from 'kysely';
import { isCalendarDate } from '../../base/dates.ts';
import { normalName } from '../../base/words/normal-name.ts';
import { type State, stateByPostal, stateOcdid } from '../../base/words/states.ts';
import type { Database } from '../../store/sql/database.ts';
import { type Edition, type ImportContext, ImportError, UnusableFileError } from '../exchange/import-rows.ts';
import { countiesOf } from '../facts/counties.ts';
import type { NamedFile } from '../read/named-file.ts';
import { candidatesOf, countsNoChoice } from './candidates.ts';
import { countRaces, dayOf, isPartyPrimary, sameNames } from './count-races.ts';
import { type CountedRace, decide, REPEATED_PER_BALLOT, validVotes } from './decide.ts';
import { type Column, type Dialect, isNoPerson, isTotalName } from './dialect.ts';
import type { ElectionRows } from './election-rows.ts';
import { KnownDistricts } from './known-districts.ts';
import { lawOn } from './laws.ts';
import { membersAfter } from './members.store.ts';
import { ContestNames } from './name-contest.ts';
import type { OfficeRows } from './office-rows.ts';
import { storePrecincts } from './precincts.store.ts';
import type { FileCount, FileRace, UnplacedContest } from './races.ts';
import { type Given, readRows } from './read-rows.ts';
import { recordOf, recordQuestion, recordRace, recordRetention } from './record.ts';
import { reportSums, reportUnplaced, visibleContest } from './reports.ts';
import { sumCells } from './sum.ts';
import { storeUnplaced } from './unplaced.store.ts';

/** What the pipeline needs of its source. */
export interface PipelineSource {
  readonly dialect: Dialect;
  readonly rows: OfficeRows;
  /** Whether the votes of precincts are stored too. */
  readonly precincts: boolean;
}

/**
 * Reads tables of results and adds their contests to the rows of an import. Seven steps: the rows of a file are read, added up by unit,
 * named by the rows that declare offices, placed, and counted by race; the races of all files of an election are decided together,
 * and recorded. What no row declares is left as the source wrote it.
 */
export class ResultsPipeline {
  readonly #source: PipelineSource;
  readonly #names: ContestNames;
  readonly #context: ImportContext;
  readonly #out: ElectionRows;
  readonly #known = new KnownDistricts();
  readonly #states = new Set<string>();
  readonly #members = new Map<string, Promise<ReadonlyMap<string, number>>>();
  readonly #keys = new Set<string>();
  readonly #editions = new Map<string, Edition>();
  /** The files of the election that is being read: those of single counties are parts of one. */
  #files: FileCount[] = [];
  #election = '';
  /** The chambers of which the files state several numbers of members. */
  #isStated: ReadonlySet<string> = new Set();
  readonly #left: UnplacedContest[] = [];
  /** The contests that are not placed, after the last election. */
  unplaced: readonly UnplacedContest[] = [];

  constructor(source: PipelineSource, context: ImportContext, out: ElectionRows) {
    this.#source = source;
    this.#names = new ContestNames(source.rows);
    this.#context = context;
    this.#out = out;
  }

  /**
   * Reads a file: steps 1 to 5.
   * @throws UnusableFileError if it has no votes.
   */
  async add(file: NamedFile, given: Partial<Record<Column, Given>>): Promise<void> {
    const names = this.#names;
    const read = await readRows(file, this.#source.dialect, given, isPartyPrimary(names));
    const sums = sumCells(read.cells, sameNames(read.cells, names));
    for (const code of new Set(read.cells.contests.map(({ state }) => state))) await this.#readState(code);
    const count = countRaces(file.name, read, sums, names, this.#known, this.#source.precincts);
    reportSums(file.name, read, sums, this.#context.report);
    for (const { record, votes, others } of count.outliers)
      this.#context.report.add(
        this.#context.report.locate(record, file.name),
        'precincts-beyond-voters',
        `has ${votes} votes, and no other contest of the precinct more than ${others}`,
      );
    for (const text of count.noContests)
      this.#context.report.add(
        this.#context.report.locate(`${file.name} | ${text}`, file.name),
        'counts-among-candidates',
        'is no contest: it counts ballots, or votes for all candidates of a party',
      );
    const [first] = read.cells.contests;
    for (const contest of read.cells.contests) {
      const date = dayOf(contest);
      const edition = { state: contest.state, day: date ?? '', file: basename(file.name) };
      if (isCalendarDate(edition.day)) this.#editions.set(JSON.stringify(edition), edition);
    }
    const election = `${first?.state} ${first?.date}`;
    if (election !== this.#election) await this.#finishElection();
    this.#election = election;
    this.#files.push(count);
    if (count.races.length === 0 && count.unplaced.every(({ names }) => names.length === 0))
      throw new UnusableFileError('has no votes in a contest', file.name);
  }

  /** The files that have been read, by states and days. */
  get editions(): readonly Edition[] {
    return [...this.#editions.values()];
  }

  /** Decides and records the races of the last election, and tells what is not placed. */
  async finish(): Promise<void> {
    await this.#finishElection();
    const { report } = this.#context;
    this.unplaced = this.#left.map((contest) => visibleContest(contest, report));
    reportUnplaced(this.unplaced, report);
  }

  /**
   * Counts what the import is about to write, in the last line of the report.
   * @throws ImportError if nothing of the files is stored: neither a race nor a contest that is not placed.
   */
  async verify(db: Database, report: ImportContext['report']): Promise<void> {
    const { rows } = await sql<{ races: number; votes: number }>`/* import.counted */
      select ((select count(*) from stage_races) + (select count(*) from stage_ballot_measures))::integer as races,
        (select coalesce(sum(votes_for_cand), 0) from stage_candidates)::float8
        + (select coalesce(sum(yes_votes_total), 0) + coalesce(sum(no_votes_total), 0) from stage_ballot_measures)::float8 as votes`.execute(
      db,
    );
    const [stored = { races: 0, votes: 0 }] = rows;
    const unplacedVotes = this.unplaced.reduce(
      (sum, { names }) => sum + names.reduce((all, { votes }) => all + votes, 0),
      0,
    );
    if (stored.races === 0 && !this.unplaced.some(({ date }) => isCalendarDate(date))) {
      const [left] = this.unplaced;
      const [told] = report.entries;
      const why = left ? `: ${left.file}: ${left.reason}` : told ? `: ${told.record}: ${told.reason}` : '';
      throw new ImportError(`nothing of the files can be stored${why}`);
    }
    if (this.unplaced.length === 0) return;
    report.add(
      'votes',
      'left-out',
      `${stored.votes + unplacedVotes} votes in contests: ${stored.votes} stored, ${unplacedVotes} in ${this.unplaced.length} contests that are not placed`,
    );
  }

  /** Stores the contests that are not placed, and the votes of precincts. */
  async store(db: Database, sourceId: number): Promise<void> {
    await storeUnplaced(
      db,
      sourceId,
      this.unplaced.filter(({ date }) => isCalendarDate(date)),
      this.editions,
    );
    await storePrecincts(db, sourceId, this.#out.precinctVotes, this.editions);
  }

  async #readState(code: string): Promise<void> {
    const state = stateByPostal(code);
    if (!state || this.#states.has(code)) return;
    this.#states.add(code);
    await this.#known.read(this.#context.db, state);
  }

  /** Steps 6 and 7. */
  async #finishElection(): Promise<void> {
    const files = this.#files;
    this.#files = [];
    const unplaced = files.flatMap((file) => file.unplaced);
    this.#left.push(...unplaced);
    const inFiles = new Map<string, Set<string>>();
    for (const { counties } of files)
      for (const [state, geoids] of counties) inFiles.set(state, (inFiles.get(state) ?? new Set()).union(geoids));
    const races = joinRaces(
      files.flatMap((file) => file.races),
      (race, reason) => this.#leave(race, reason),
    );
    const lower = Map.groupBy(
      races.filter(({ named, isSpecial }) => named.row.scope === 'lower' && !isSpecial),
      ({ state }) => state.postal,
    );
    this.#isStated = new Set(
      races.flatMap(({ state, named, magnitudes }) =>
        [...magnitudes].some((seats) => seats > 1) ? [`${state.postal} ${named.row.scope}`] : [],
      ),
    );
    // A contest of a text that is no county may be a part of one with its office, or with its candidates.
    const unknown = new Set(
      unplaced
        .filter(({ county, isCountyKnown }) => county !== '' && !isCountyKnown && !isTotalName(county))
        .flatMap(({ state, office, reason, names }) => [
          ...(reason ? [`${state} ${office}`] : []),
          ...names.flatMap(({ name }) => (isNoPerson(name) ? [] : `${state} ${normalName(name)}`)),
        ]),
    );
    for (const race of races) {
      const whole = lower.get(race.state.postal)?.length ?? 0;
      await this.#finishRace(
        race,
        await this.#placesOf(race, inFiles.get(race.state.postal) ?? new Set(), whole, unknown),
      );
    }
  }

  async #finishRace(race: FileRace, places: CountedRace['places']): Promise<void> {
    if (this.#keys.has(race.key)) return this.#leave(race, 'another file of the import has the race too');
    if (race.isContradictory)
      return this.#leave(
        race,
        'contests of one office and district have votes in the same precincts: the source contradicts itself',
      );
    const { row } = race.named;
    if (row.isOfWholeState && places === 'counties-missing' && race.counties.size > 0)
      return this.#leave(race, 'may be an office of a city or county: not all counties of the state vote on it');
    const names = candidatesOf(race.names, {
      state: race.state.postal,
      date: race.date,
      scope: race.law.scope,
      units: race.units,
      isLastNameFirst: race.isLastNameFirst,
      isTicket: lawOn('ticket', race.law) !== undefined,
    });
    const counted: CountedRace = {
      row,
      law: race.law,
      isPrimary: race.stage.startsWith('Primary'),
      isRunoff: race.stage.endsWith('Runoff'),
      isRecall: race.isRecall,
      seats: await this.#seatsOf(race),
      hasPosition: race.placed.position !== undefined,
      names,
      places,
      missing: race.missing,
      ballots: race.ballots,
    };
    // The ballots of a party need not have the other contests.
    const isRepeated =
      row.kind === '' &&
      race.party === '' &&
      counted.seats === 1 &&
      lawOn('several-members', race.law) === undefined &&
      race.ballots !== undefined &&
      race.ballots >= FEWEST_BALLOTS &&
      validVotes(names) > race.ballots * REPEATED_PER_BALLOT;
    if (isRepeated)
      return this.#leave(
        race,
        `has ${validVotes(names)} votes, and its voters have ${Math.round(race.ballots)} in any other contest: rows repeat votes`,
        true,
      );
    this.#keys.add(race.key);
    this.#out.ofFiles(recordOf(race), new Set([...(race.files ?? [race.file])].map((file) => basename(file))));
    const step = row.kind === 'question' ? recordQuestion : row.kind === 'retention' ? recordRetention : recordRace;
    const left = await step(race, counted, { context: this.#context, out: this.#out, decision: decide(counted) });
    if (left !== undefined) this.#leave(race, left);
  }

  /** Returns whether all places that vote on a race are in the files. */
  async #placesOf(
    race: FileRace,
    inFiles: ReadonlySet<string>,
    lowerInFiles: number,
    unknown: ReadonlySet<string>,
  ): Promise<CountedRace['places']> {
    const { state, date, named, counties, placed } = race;
    const { scope } = named.row;
    const ofTexts =
      unknown.size > 0 &&
      ([...race.written].some((text) => unknown.has(`${state.postal} ${text.split(' | ')[0]}`)) ||
        race.names.some(({ text }) => !countsNoChoice(text) && unknown.has(`${state.postal} ${normalName(text)}`)));
    if (scope === 'county' || scope === 'county part') return ofTexts ? 'unknown-counties' : 'complete';
    if (scope === 'town') return 'complete';
    if (inFiles.size === 0) {
      const all = this.#known.count(`${stateOcdid(state)}/sldl:`);
      return all > 0 && lowerInFiles === all ? 'complete' : 'counties-missing';
    }
    const all = votingCounties(state, date);
    if (['president', 'senate', 'state'].includes(scope))
      return all.every((each) => counties.has(each)) ? 'complete' : 'counties-missing';
    if (all.every((each) => inFiles.has(each))) return 'complete';
    const own = await this.#known.countiesOf(this.#context.db, placed.place.id.value, date);
    return own?.every((each) => inFiles.has(each)) ? 'complete' : 'counties-missing';
  }

  /** Returns the number of seats that a race fills: by law, as the file states it, or by the row; null if nothing says it. */
  async #seatsOf({ state, date, law, named, magnitudes, placed, isSpecial, party }: FileRace): Promise<number | null> {
    const ofLaw = lawOn('seats', law);
    if (ofLaw !== undefined) return Number(ofLaw);
    if (placed.position !== undefined) return 1;
    if (lawOn('numbered-seats', law) !== undefined) return null;
    const [stated, another] = magnitudes;
    if (another !== undefined) return null;
    const { seats: inText = undefined, row } = named;
    if (lawOn('several-members', law) !== undefined && !isSpecial) {
      // A file that states one member for every district of such a chamber does not know their numbers.
      if (stated !== undefined && this.#isStated.has(`${state.postal} ${law.scope}`)) return stated;
      if (law.scope !== 'lower' || party !== '') return inText ?? null;
      const key = `${state.postal} ${date}`;
      const members = this.#members.get(key) ?? membersAfter(this.#context.db, state.postal, date);
      this.#members.set(key, members);
      return (await members).get(placed.place.id.value) ?? inText ?? null;
    }
    if (inText !== undefined) return inText;
    if (OF_ONE.has(law.scope)) return stated !== undefined && stated > 1 ? stated : 1;
    if (row.seats !== undefined) return stated !== undefined && stated > 1 ? null : row.seats;
    // Where the row does not know the number, 1 may stand for one that the publisher does not know.
    return stated !== undefined && stated > 1 ? stated : null;
  }

  /** Leaves a race out, with its votes as the source wrote them. */
  #leave(race: FileRace, reason: string, isRepeated = false): void {
    const [written = ''] = race.written;
    const [office = '', district = ''] = written.split(' | ');
    this.#context.report.add(
      this.#context.report.locate(`${race.file} | ${written}`, race.file, race.line),
      isRepeated ? 'repeated-votes' : 'left-out',
      reason,
    );
    this.#left.push({
      file: race.file,
      state: race.state.postal,
      date: race.date,
      stage: race.stage,
      isSpecial: race.isSpecial,
      party: race.party,
      office,
      district,
      county: '',
      isCountyKnown: true,
      names: race.names.flatMap(({ text, party, votes }) => (countsNoChoice(text) ? [] : { name: text, party, votes })),
      reason,
      kind: isRepeated ? 'repeated-votes' : 'left-out',
      line: race.line,
    });
  }
}

/** Scopes whose districts elect one at a time, unless a law says several. */
const OF_ONE = new Set(['president', 'senate', 'congress', 'upper', 'lower']);
const FEWEST_BALLOTS = 200;

/** Returns the GEOIDs of the counties of a state that have elections of their own. */
function votingCounties(state: State, date: string): readonly string[] {
  return countiesOf(state.postal, date)
    .map(({ geoid }) => geoid)
    .filter(
      (geoid) => lawOn('no-elections', { state: state.postal, date, scope: 'county', code: geoid }) === undefined,
    );
}

/** The least share of the votes of a count that a recount has which replaces it. */
const RECOUNTED_SHARE = 0.9;

/** Joins the parts of races of several files; a recount of all votes takes the place of the count. */
function joinRaces(parts: readonly FileRace[], leave: (race: FileRace, reason: string) => void): FileRace[] {
  return [...Map.groupBy(parts, ({ key, named }) => `${key} ${named.row.isOfWholeState}`).values()].map((group) => {
    const counts = [...Map.groupBy(group, ({ recount }) => recount)].toSorted(([a], [b]) => a - b);
    return counts
      .map(([, own]) => joinParts(own, leave))
      .reduce((count, recount) => {
        const isWhole = votesIn(recount) >= votesIn(count) * RECOUNTED_SHARE;
        leave(isWhole ? count : recount, 'is not the last count of all votes of the contest');
        return isWhole ? recount : count;
      });
  });
}

function joinParts(group: readonly FileRace[], leave: (race: FileRace, reason: string) => void): FileRace {
  const [first, ...others] = group.toSorted((a, b) => votesIn(b) - votesIn(a)) as [FileRace, ...FileRace[]];
  if (others.length === 0) return first;
  const counties = new Set(first.counties);
  const parts = [first];
  let missing = 0;
  for (const part of others) {
    if (part.counties.size > 0 && counties.isDisjointFrom(part.counties)) {
      for (const county of part.counties) counties.add(county);
      parts.push(part);
    } else {
      leave(part, 'another file has the contest too, in the same counties');
      if (votesIn(part) !== votesIn(first)) missing += votesIn(part);
    }
  }
  const all = <T>(of: (part: FileRace) => Iterable<T>) => new Set(parts.flatMap((part) => [...of(part)]));
  const ballots = parts.map((part) => part.ballots);
  return {
    ...first,
    files: new Set(parts.map(({ file }) => file)),
    names: parts.flatMap(({ names }) => names),
    counties,
    magnitudes: all((part) => part.magnitudes),
    written: all((part) => part.written),
    units: parts.reduce((sum, { units }) => sum + units, 0),
    missing: parts.reduce((sum, part) => sum + part.missing, missing),
    strays: parts.reduce((sum, part) => sum + part.strays, 0),
    ballots: ballots.reduce((sum, own) => (sum === undefined || own === undefined ? undefined : sum + own), 0),
    isContradictory: parts.some(({ isContradictory }) => isContradictory),
  };
}

function votesIn({ names }: FileRace): number {
  return names.reduce((sum, { votes }) => sum + votes, 0);
}
