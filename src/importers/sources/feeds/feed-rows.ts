import { basename } from 'node:path';
import { dictionary } from '../../../base/dictionary.ts';
import { normalName } from '../../../base/words/normal-name.ts';
import { type State, stateOfOcdid } from '../../../base/words/states.ts';
import type { ExternalId, ImportContext, ImportRow } from '../../exchange/import-rows.ts';
import { countiesOf } from '../../facts/counties.ts';
import { KnownDistricts } from '../../results/known-districts.ts';
import { lackedBy, leftOutRow, racesOfOthers } from '../../results/known-races.ts';
import { identifierOf, referencesOf, textOf } from './elements.ts';
import type { Feed, FeedContest, FeedElection } from './feed.ts';
import type { FeedCandidate } from './feed-candidates.ts';
import { countryPlace } from './feed-districts.ts';
import { type FeedHolder, holderContacts, holderRow, holdersOf, tenureOf } from './feed-holders.ts';
import { measureRow } from './feed-measures.ts';
import { FeedOffices } from './feed-office-list.ts';
import { officeRow } from './feed-offices.ts';
import { partyRow, partyRows } from './feed-parties.ts';
import { FeedPeople } from './feed-people.ts';
import { FeedPlaces } from './feed-places.ts';
import { candidateRow, commonIds, type FeedRace, feedRace } from './feed-races.ts';
import { electionOffices, FeedVoting } from './feed-voting.ts';
import type { XmlElement } from './xml-file.ts';

/** How a kind of feed represents its data. */
export interface FeedDialect {
  selectionsOf(feed: Feed, contest: XmlElement): XmlElement[];
}

/** Contest types that the exchange format does not support. */
const SKIPPED_ELEMENTS: Readonly<Record<string, string>> = dictionary({
  PartyContest: 'voters choose a party; a race needs candidates',
  Contest: 'has neither a ballot measure nor candidates',
});

/** Yields the rows of a feed, table by table. */
export async function* feedRows(
  feed: Feed,
  home: State | undefined,
  dialect: FeedDialect,
  context: ImportContext,
): AsyncIterable<ImportRow> {
  const known = new KnownDistricts();
  for (const state of statesOf(feed, home)) await known.read(context.db, state);
  const places = new FeedPlaces(feed, home, known);
  const elections = new Map(feed.elections.map((each) => [each.element, electionRow(feed, each, places)]));
  const contests = feed.contests.flatMap((contest) => {
    const { type, election } = contest;
    const reason = SKIPPED_ELEMENTS[type] ?? (elections.get(election.element) ? undefined : 'its election was skipped');
    if (reason) feed.countSkipped(type, reason);
    return reason ? [] : [{ ...contest, ...extentOf(feed, contest, places) }];
  });
  const offices = new FeedOffices(feed, places);
  offices.gather(contests);

  const all: FeedRace[] = [];
  const measures: ImportRow[] = [];
  for (const contest of contests) {
    const election = elections.get(contest.election.element);
    const held = { id: idOf(election), district: districtOf(election) };
    const selections = dialect.selectionsOf(feed, contest.element);
    const editions = [{ state: home?.postal ?? null, day: contest.election.date, file: basename(feed.file) }];
    if (contest.type === 'BallotMeasureContest') {
      const district = places.find(textOf(contest.element, 'ElectoralDistrictId') ?? '', contest.element);
      const ids = district && { election: held.id, district: district.place.id };
      if (ids) measures.push({ ...measureRow(feed, contest, selections, ids), editions });
      continue;
    }
    const office = offices.ofContest(contest);
    const race = office && feedRace(feed, contest, office, held, selections);
    if (race) all.push({ ...race, row: { ...race.row, editions } });
  }
  const races = withoutContradictions(feed, all);
  const holders = holdersIn(feed, offices);
  const { byRace, leftOut } = await candidatesOf(feed, races, context);
  const people = new FeedPeople(feed);
  for (const [race, candidates] of byRace) people.addCandidates(race, candidates);
  for (const holder of holders) people.addHolder(holder);

  const [vote] = feed.elections;
  const electionId = vote && elections.get(vote.element)?.ids?.[0];
  const edition = { state: home?.postal ?? null, day: vote?.date ?? null, file: basename(feed.file) };
  const voting =
    home && vote && electionId ? new FeedVoting(feed, { state: home, election: vote, electionId, edition }) : undefined;
  if (!voting) feed.countSkipped('PollingLocation', 'its election was skipped', [...feed.all('place')].length);
  yield* places.rows(false);
  yield* voting?.districts() ?? [];
  if (offices.haveCountry && !places.haveCountry) yield { ...countryPlace.row, record: `${feed.file}: the country` };
  yield* partyRows(feed);
  for (const [, candidates] of byRace) yield* labelRows(feed, candidates);
  yield* places.rows(true);
  for (const [office, ...others] of Map.groupBy(offices.all(), ({ common, id }) => (common ?? id).value).values()) {
    if (!office) continue;
    const row = officeRow(office);
    yield { ...row, ids: [...(row.ids ?? []), ...others.map(({ id }) => id)] };
  }
  yield* people.rows();
  for (const holder of holders) yield holderRow(feed, holder, people.idOf(holder.person));
  for (const holder of holders) yield* holderContacts(feed, holder);
  yield* people.contacts();
  for (const row of elections.values()) if (row) yield row;
  for (const { row } of races) yield row;
  for (const [race, candidates] of byRace) {
    for (const each of candidates) yield candidateRow(feed, race, each, people.idOf(each.person ?? each.element));
  }
  yield* leftOut;
  yield* measures;
  yield* voting?.places() ?? [];
  yield* electionOffices(feed, places);
  people.leaveOthers();
  feed.reportSkipped();
}

/** Returns the states of the districts of a feed. */
function statesOf(feed: Feed, home: State | undefined): Set<State> {
  const ocdids = [...feed.all('district')].map((district) => identifierOf(district, 'ocd-id') ?? '');
  return new Set([home, ...ocdids.map((ocdid) => stateOfOcdid(ocdid))].filter((state) => state !== undefined));
}

/** The types of districts that the report of a county is a part of. */
const BEYOND_COUNTIES = new Set([
  'Country',
  'State',
  'Congress',
  'State Legislative (Upper)',
  'State Legislative (Lower)',
]);

/** Returns how much of its district a contest of a feed is of. */
function extentOf(
  feed: Feed,
  { element, election }: FeedContest,
  places: FeedPlaces,
): Pick<FeedContest, 'isOfPart' | 'counties'> {
  const [own, scope] = [textOf(element, 'ElectoralDistrictId') ?? '', election.district].map((id) => {
    const district = feed.peek('district', id);
    return district && places.of(district);
  });
  if (!own || !scope) return {};
  const isOfPart = BEYOND_COUNTIES.has(own.type) && !(BEYOND_COUNTIES.has(scope.type) && own.type !== 'State');
  const counties = own.type === 'State' && own.state ? countiesOf(own.state.postal, election.date).length : undefined;
  return { isOfPart: isOfPart && scope.id.value !== own.id.value && scope.type !== 'Country', counties };
}

/**
 * Returns the races of a feed. Contests of one office and stage are distinguished by their names, and none of them has an outcome; those of
 * one name contradict each other, and are left out. A candidate of several contests has an outcome in none.
 */
function withoutContradictions(feed: Feed, races: readonly FeedRace[]): FeedRace[] {
  const uses = Map.groupBy(
    races.flatMap((race) => race.candidates.map(({ element, status }) => ({ race, element, status }))),
    ({ element }) => element,
  );
  const doubted = new Map<FeedRace, string>();
  for (const of of uses.values())
    if (of.length > 1 && of.some(({ status }) => status))
      for (const { race } of of) doubted.set(race, 'a candidate of it is one of another contest too');
  return [...Map.groupBy(races, ({ key }) => key).values()].flatMap((group) => {
    const names = new Set(group.map(({ title }) => normalName(title)));
    const isTold = group.length === 1 || (names.size === group.length && !names.has(''));
    return group.flatMap((race) => {
      const reason = group.length > 1 ? 'another contest of the feed is for the same office' : doubted.get(race);
      if (!isTold) feed.report.add(race.row.record, 'left-out', `${reason}, and has the same name: neither is stored`);
      if (!isTold || !reason) return isTold ? [race] : [];
      feed.report.add(race.row.record, 'undecided-contests', `${reason}: the outcome is unknown`);
      return [withoutOutcome(race, group.length > 1)];
    });
  });
}

/** Returns a race without its outcome, and with the name of its contest as position if several are for the office. */
function withoutOutcome(race: FeedRace, isOneOfSeveral: boolean): FeedRace {
  const candidates = race.candidates.map((each) => ({ ...each, status: undefined }));
  if (!isOneOfSeveral) return { ...race, candidates };
  const common = race.common && { scheme: 'race', value: `${race.common.value} ${normalName(race.title)}` };
  const row = {
    ...race.row,
    ids: common ? [race.id, common] : [race.id],
    values: { ...race.row.values, office_position: race.title },
  };
  return { ...race, candidates, common, row };
}

function electionRow(feed: Feed, election: FeedElection, places: FeedPlaces): ImportRow | undefined {
  const district = places.find(election.district, election.element);
  if (!district) return undefined;
  const { date, type, description, status } = election;
  const common = { scheme: 'election', value: `${district.place.id.value} ${date} ${type}` };
  return {
    table: 'elections',
    record: feed.record(election.element),
    ids: [feed.externalId(election.element), common],
    refs: { district_id: district.place.id },
    // No feed states that it has every candidate.
    values: { date, type, description, status, candidate_lists_complete: false },
    match: { by: 'election' },
  };
}

/** Returns the officeholders, from the offices and from tenures. */
function holdersIn(feed: Feed, offices: FeedOffices): FeedHolder[] {
  const holders: FeedHolder[] = [];
  for (const element of feed.all('office')) {
    if (referencesOf(element, 'OfficeHolderPersonIds').length === 0) continue;
    const office = offices.ofElement(element);
    if (office) holders.push(...holdersOf(feed, element, office));
  }
  for (const tenure of feed.all('tenure')) {
    const office = offices.ofTenure(tenure);
    const holder = office && tenureOf(feed, tenure, office);
    if (holder) holders.push(holder);
  }
  return holders;
}

/**
 * Returns the candidates of each race. In a race whose candidates another source supplied, an unknown name is most
 * likely a different spelling of one of them, so it is left out, and the race says so if it is none.
 */
async function candidatesOf(feed: Feed, races: readonly FeedRace[], context: ImportContext) {
  const known = await racesOfOthers(
    context,
    feed.scheme,
    races.flatMap(({ common }) => common?.value ?? []),
  );
  const leftOut: ImportRow[] = [];
  const byRace = races.map((race): [FeedRace, FeedCandidate[]] => {
    const others = known.get(race.common?.value ?? '');
    const namesOf = (candidate: FeedCandidate) => [
      normalName(candidate.name),
      ...commonIds(race, candidate).map(({ value }) => value),
    ];
    const isLacking = others && lackedBy(others, new Set(race.candidates.flatMap(namesOf)));
    const candidates = race.candidates.filter((candidate) => {
      if (!others || candidate.isWriteIn || namesOf(candidate).some((name) => others.has(name))) return true;
      const { name, votes } = candidate;
      const record = feed.record(candidate.element);
      feed.report.add(record, 'left-out', `${name} is not among the candidates of another source for the race`);
      if (isLacking?.(candidate)) leftOut.push(leftOutRow(race.id, 'other', record, votes));
      return false;
    });
    return [race, candidates];
  });
  return { byRace, leftOut };
}

/** Yields the rows of parties that candidates name and the feed does not list. */
function* labelRows(feed: Feed, candidates: readonly FeedCandidate[]): Iterable<ImportRow> {
  for (const { element, label } of candidates) if (label) yield partyRow(label, feed.record(element));
}

function idOf(row: ImportRow | undefined): ExternalId {
  return row?.ids?.[0] ?? { scheme: '', value: '' };
}

/** Returns the district that holds an election. */
function districtOf(row: ImportRow | undefined): ExternalId | undefined {
  const district = row?.refs?.district_id;
  return district && 'scheme' in district ? district : undefined;
}
