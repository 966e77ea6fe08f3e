import { sql } from 'kysely';
import type { Database } from '../../src/store/sql/database.ts';
import { addDays } from './days.ts';
import type { Expected, Question } from './rules.ts';

interface ElectionFact {
  readonly id: number;
  readonly date: string;
  readonly district_id: number;
  readonly status: string | null;
  readonly voting: string | null;
}

interface PlaceFact {
  readonly id: number;
  readonly election_id: number;
  readonly kind: string;
  readonly name: string;
  readonly longitude: number | null;
  readonly hours: string | null;
  readonly open_intervals: readonly string[] | null;
  readonly status: string | null;
  readonly moved_to: string | null;
  readonly district_ids: readonly number[] | null;
}

interface DeadlineFact {
  readonly district_id: number;
  readonly election_id: number | null;
  readonly kind: string;
  readonly phrase: string | null;
  readonly language: string | null;
  readonly translations: Readonly<Record<string, { readonly label?: string; readonly phrase?: string }>> | null;
  readonly days_before: number | null;
  readonly day_kind: string | null;
  readonly weekday: string | null;
  readonly day: string | null;
  readonly time: string | null;
  readonly as_of: string | null;
}

interface PrecinctFact {
  readonly race_id: number;
  readonly county: string;
  readonly town: string;
  readonly precinct: string;
  readonly district_id: number | null;
  readonly candidate_ids: readonly number[];
  readonly votes: readonly (number | null)[];
}

/** The rows of the tables on voting, as they are stored. */
export interface Facts {
  /** The global IDs of elections by their numbers. */
  readonly electionIds: Readonly<Record<string, string>>;
  readonly elections: readonly ElectionFact[];
  readonly places: readonly PlaceFact[];
  readonly deadlines: readonly DeadlineFact[];
  readonly precincts: readonly PrecinctFact[];
  readonly candidates: readonly { id: number; race_id: number; votes_for_cand: number | null }[];
  readonly districts: readonly { id: number; type: string; state: string | null; name: string }[];
  readonly offices: readonly { state: string; name: string; website: string }[];
}

export async function factsOf(db: Database): Promise<Facts> {
  const tables = {
    ...{ elections: 'elections', places: 'voting_places', deadlines: 'deadlines', precincts: 'precinct_results' },
    ...{ candidates: 'candidates', offices: 'election_offices' },
  };
  const lists = Object.entries(tables).map(
    ([name, table]) => sql`${sql.lit(name)}, (select coalesce(json_agg(row), '[]') from ${sql.table(table)} as row)`,
  );
  const districts = sql`'districts', (select json_agg(json_build_object(
    'id', id, 'type', type, 'state', state, 'name', name)) from districts)`;
  const ids = sql`'electionIds', (select json_object_agg(id, translate(
    encode(convert_to('Election:' || election_key(id), 'utf8'), 'base64'), E'+/=\\n', '-_')) from elections)`;
  const { rows } = await sql<{ facts: Facts }>`
    select json_build_object(${sql.join([...lists, districts, ids])}) as facts`.execute(db);
  return (rows[0] as { facts: Facts }).facts;
}

export interface ExpectedDeadline {
  readonly kind: string;
  readonly day: string | null;
  readonly time: string | null;
  readonly basis: string;
  readonly asOf: string | null;
  readonly older: boolean | null;
  readonly label: LocalText;
  readonly phrase: LocalText | null;
  /** GraphQL only. */
  readonly district: number;
}

interface LocalText {
  readonly text: string;
  readonly language: string | null;
}

export interface ExpectedPlace {
  readonly id: number;
  readonly kind: string;
  readonly distance: number | null;
  readonly hours: string | null;
  readonly open: readonly (readonly string[])[];
  readonly status: string | null;
  readonly movedTo: string | null;
}

export interface ExpectedVoting {
  readonly date: string;
  /** GraphQL only. */
  readonly election: number;
  readonly state: string;
  readonly notKnown: string | null;
  readonly precinct: number | null;
  readonly office: string | null;
  readonly places: readonly ExpectedPlace[];
  readonly deadlines: readonly ExpectedDeadline[];
}

/** `Register by mail, received` as REGISTER_BY_MAIL_RECEIVED. */
const constant = (text: string) => text.toUpperCase().replace(/[^A-Z]+/g, '_');

const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);

/** Sorts by the values of some functions, one after the other. */
export function by<Item>(...keys: readonly ((item: Item) => string | number)[]): (a: Item, b: Item) => number {
  return (a, b) => keys.map((key) => compare(key(a), key(b))).find((order) => order !== 0) ?? 0;
}

/** The order that the service promises: days, unknown ones last. Equal days are in any order. */
export const sortedDeadlines = (deadlines: readonly ExpectedDeadline[]) =>
  deadlines.toSorted(
    by(
      ({ day }) => day ?? '9999-12-31',
      (each) => JSON.stringify(Object.entries(each).sort()),
    ),
  );

const isoWeekday = (day: string) => ((new Date(day).getUTCDay() + 6) % 7) + 1;

/** The nth such weekday of a month, from its end if n is below 0. */
function nthWeekday(year: number, month: number, weekday: number, n: number): string {
  const days = Array.from({ length: 31 }, (_, index) => new Date(Date.UTC(year, month - 1, index + 1)))
    .filter((date) => date.getUTCMonth() === month - 1)
    .map((date) => date.toISOString().slice(0, 10))
    .filter((day) => isoWeekday(day) === weekday);
  return days.at(n < 0 ? n : n - 1) as string;
}

/** The legal public holidays of 5 U.S.C. 6103 in a year, with the days on which they are observed if they are on a weekend. */
function holidaysOf(year: number): string[] {
  const dated = ['01-01', '07-04', '11-11', '12-25', ...(year > 2020 ? ['06-19'] : [])].map((day) => `${year}-${day}`);
  return [
    ...dated.flatMap((day) => [day, ...({ 6: [addDays(day, -1)], 7: [addDays(day, 1)] }[isoWeekday(day)] ?? [])]),
    ...[nthWeekday(year, 1, 1, 3), nthWeekday(year, 2, 1, 3), nthWeekday(year, 5, 1, -1), nthWeekday(year, 9, 1, 1)],
    ...[nthWeekday(year, 10, 1, 2), nthWeekday(year, 11, 4, 4)],
  ];
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The day that a rule gives for an election; null if it counts business days and a federal holiday is among the days counted. */
function dayByRule(election: string, rule: DeadlineFact): string | null {
  if (rule.days_before === null) return null;
  const year = Number(election.slice(0, 4));
  const holidays = new Set([year - 1, year, year + 1].flatMap(holidaysOf));
  let day = election;
  for (let left = rule.days_before; left > 0; ) {
    day = addDays(day, -1);
    if (rule.day_kind === 'Business' && holidays.has(day)) return null;
    if (rule.day_kind !== 'Business' || isoWeekday(day) < 6) left--;
  }
  while (rule.weekday !== null && WEEKDAYS[isoWeekday(day) - 1] !== rule.weekday) day = addDays(day, -1);
  return day;
}

/** The deadlines of an election in all districts: rules where no day is stated for the same district. */
function deadlinesOf({ districts, deadlines }: Facts, election: ElectionFact, language: string) {
  const holder = districts.find(({ id }) => id === election.district_id);
  const stated = deadlines.filter(({ election_id }) => election_id === election.id);
  const isStated = ({ kind, district_id }: DeadlineFact) =>
    stated.some((each) => each.kind === kind && each.district_id === district_id);
  const rules = deadlines.filter(
    (rule) => rule.election_id === null && ['State', 'Country'].includes(holder?.type ?? '') && !isStated(rule),
  );
  return [...stated, ...rules].map((row): ExpectedDeadline & { readonly isStated: boolean } => {
    const translated = row.translations?.[language];
    const textOf = (text: string | undefined, otherwise: LocalText) =>
      text === undefined ? otherwise : { text, language };
    return {
      kind: constant(row.kind),
      day: row.day ?? dayByRule(election.date, row),
      ...{ time: row.time, basis: row.day === null ? 'RULE' : 'STATED', asOf: row.as_of },
      older: row.as_of === null ? null : row.as_of < election.date,
      label: textOf(translated?.label, { text: row.kind, language: 'en' }),
      phrase:
        row.phrase === null && translated?.phrase === undefined
          ? null
          : textOf(translated?.phrase, { text: row.phrase ?? '', language: row.language }),
      ...{ district: row.district_id, isStated: stated.includes(row) },
    };
  });
}

const withoutMark = ({ isStated: _, ...deadline }: ExpectedDeadline & { readonly isStated: boolean }) => deadline;

/** The deadlines of an election: what is stated for it, and the rules of a state, by default that which holds it. */
export function electionDeadlines(
  facts: Facts,
  electionId: number,
  language: string,
  state?: string,
): ExpectedDeadline[] {
  const election = facts.elections.find(({ id }) => id === electionId) as ElectionFact;
  const of = (district: number) => facts.districts.find(({ id }) => id === district);
  const rulesOf = state ?? of(election.district_id)?.state;
  return sortedDeadlines(
    deadlinesOf(facts, election, language)
      .filter(
        ({ isStated, district }) =>
          isStated || (of(district)?.type === 'State' && of(district)?.state === rulesOf && rulesOf !== null),
      )
      .map(withoutMark),
  );
}

const SENTENCES: Readonly<Record<string, string>> = {
  NOT_IN_DATA: 'The places to vote of this election are not in the data.',
  NOT_YET_PUBLISHED: 'The places to vote of this election are not published yet.',
  BY_MAIL_ONLY: 'This election is held by mail.',
};

const placeOf = (place: PlaceFact, distances: Expected['distances']): ExpectedPlace => ({
  ...{ id: place.id, kind: constant(place.kind), distance: distances[place.id] ?? null, hours: place.hours },
  open: (place.open_intervals ?? []).map((interval) => interval.split('/')),
  ...{ status: place.status && constant(place.status), movedTo: place.moved_to },
});

/**
 * Voting at a point in elections of one day, of which the first one gives the deadlines; null without any.
 * @param here what is expected at the point on that day.
 */
export function votingOf(
  facts: Facts,
  here: Expected,
  elections: readonly ElectionFact[],
  language: string,
): ExpectedVoting | null {
  const [first] = elections;
  if (!first) return null;
  const districts = here.districts.map(({ id }) => id);
  const ofType = (wanted: string) => here.districts.find(({ type }) => type === wanted)?.id ?? null;
  const places = facts.places
    .filter(({ election_id }) => elections.some(({ id }) => id === election_id))
    .filter(({ district_ids }) => district_ids?.some((id) => districts.includes(id)));
  // A closed place, or one that has moved nobody says where, is not where one votes.
  const isKnown = places.some(
    ({ kind, status, moved_to }) =>
      ['Election day', 'Vote center'].includes(kind) && (status === null || (status === 'Moved' && moved_to !== null)),
  );
  const everyStates = (text: string) => elections.every(({ voting }) => voting === text);
  const state = isKnown
    ? 'KNOWN'
    : everyStates('By mail only')
      ? 'BY_MAIL_ONLY'
      : everyStates('Places not published')
        ? 'NOT_YET_PUBLISHED'
        : 'NOT_IN_DATA';
  const stateDistrict = facts.districts.find(({ id }) => id === ofType('State'));
  const office = facts.offices.find((each) => each.state === stateDistrict?.state);
  const sentence = [SENTENCES[state], ...(office ? [`Ask ${office.name}: ${office.website}`] : [])].join(' ');
  return {
    ...{ date: first.date, election: first.id, state, notKnown: state === 'KNOWN' ? null : sentence },
    ...{ precinct: ofType('Precinct'), office: office?.website ?? null },
    places: places
      .toSorted(
        by(
          ({ kind }) => kind,
          ({ name }) => name,
          ({ id }) => id,
        ),
      )
      .map((place) => placeOf(place, here.distances)),
    deadlines: sortedDeadlines(
      deadlinesOf(facts, first, language)
        .filter(({ district }) => districts.includes(district))
        .map(withoutMark),
    ),
  };
}

/** The elections of a point on a day, sorted by id. */
export function electionsOn(facts: Facts, applying: readonly number[], day: string): ElectionFact[] {
  return applying.flatMap((id) => facts.elections.filter((each) => each.id === id && each.date === day));
}

/** The next elections of a point that are held, those of one day. */
export function nextElections(facts: Facts, applying: readonly number[], today: string): ElectionFact[] {
  const held = applying
    .flatMap((id) => facts.elections.filter((each) => each.id === id))
    .filter(({ date, status }) => date >= today && !['Postponed', 'Cancelled'].includes(status ?? ''));
  return held.filter(({ date }) => date === held[0]?.date);
}

/** The places of an election, nearest first if a point is given, those without a point last; then by name. */
export function electionPlaces(
  { places }: Facts,
  electionId: number,
  distances: Expected['distances'],
  { within, kinds }: { readonly within?: number; readonly kinds?: readonly string[] },
): { readonly id: number; readonly distance: number | null }[] {
  return places
    .filter(({ election_id, kind }) => election_id === electionId && (kinds?.includes(constant(kind)) ?? true))
    .map(({ id, name }) => ({ id, name, distance: distances[id] ?? null }))
    .filter(({ distance }) => within === undefined || (distance !== null && distance <= within))
    .toSorted(
      by(
        ({ distance }) => distance ?? Number.POSITIVE_INFINITY,
        ({ name }) => name,
        ({ id }) => id,
      ),
    )
    .map(({ id, distance }) => ({ id, distance }));
}

export interface ExpectedPrecincts {
  readonly precincts: readonly unknown[];
  readonly differences: readonly (readonly [candidate: number, votes: number | null])[];
}

/** The votes of a race by precinct, and what they are short of the votes of the race. */
export function precinctsOf({ precincts, candidates }: Facts, raceId: number): ExpectedPrecincts {
  const rows = precincts.filter(({ race_id }) => race_id === raceId);
  const ofRace = candidates
    .filter(({ race_id }) => race_id === raceId)
    .toSorted(
      by(
        ({ votes_for_cand }) => -(votes_for_cand ?? -1),
        ({ id }) => id,
      ),
    );
  const countsOf = (row: PrecinctFact, candidate: number) =>
    row.candidate_ids.flatMap((id, index) => (id === candidate ? [row.votes[index] ?? null] : []));
  const differences = ofRace.flatMap(({ id, votes_for_cand }): [number, number | null][] => {
    const counts = rows.flatMap((row) => countsOf(row, id));
    if (votes_for_cand === null || counts.includes(null)) return [[id, null]];
    const beyond = votes_for_cand - counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
    return beyond === 0 ? [] : [[id, beyond]];
  });
  return {
    precincts: rows
      .toSorted(
        by(
          ({ county }) => county,
          ({ town }) => town,
          ({ precinct }) => precinct,
        ),
      )
      .map((row) => ({
        ...{ county: row.county || null, town: row.town || null, precinct: row.precinct, district: row.district_id },
        votes: ofRace.flatMap(({ id }) => countsOf(row, id).map((votes) => [id, votes])),
      })),
    differences: rows.length === 0 ? [] : differences,
  };
}

/** What is expected of voting, for a question. */
export interface VotingExpected {
  /** On the day of the question. */
  readonly voting: ExpectedVoting | null;
  readonly nextVoting: ExpectedVoting | null;
  /** In the election of the question. */
  readonly electionVoting: ExpectedVoting | null;
  /** The elections of the point on the day of the question. */
  readonly lists: readonly {
    readonly id: number;
    readonly places: ReturnType<typeof electionPlaces>;
    readonly near: ReturnType<typeof electionPlaces>;
    readonly deadlines: readonly ExpectedDeadline[];
    readonly ofVermont: readonly ExpectedDeadline[];
  }[];
  /** The votes of the race of the question. */
  readonly precincts: ExpectedPrecincts;
}

/** How far the places of `lists.near` are at most, and their kinds. */
export const NEAR = { within: 400_000, kinds: ['ELECTION_DAY', 'EARLY_VOTING'] };

/** @param on returns what is expected at the point on another day. */
export async function expectedVoting(
  facts: Facts,
  { today, day, election, race }: Question,
  expected: Expected,
  on: (day: string) => Promise<Expected>,
): Promise<VotingExpected> {
  const { applying, distances } = expected;
  const next = nextElections(facts, applying, today);
  const named = facts.elections.filter(({ id }) => id === election && applying.includes(id));
  const votingIn = async (elections: readonly ElectionFact[], language: string) =>
    votingOf(facts, elections[0] ? await on(elections[0].date) : expected, elections, language);
  const ofDay = electionsOn(facts, applying, day);
  return {
    voting: votingOf(facts, expected, ofDay, 'es'),
    nextVoting: await votingIn(next, 'es'),
    electionVoting: await votingIn(named, 'zh-Hant'),
    lists: ofDay.map(({ id }) => ({
      ...{ id, places: electionPlaces(facts, id, {}, {}), near: electionPlaces(facts, id, distances, NEAR) },
      deadlines: electionDeadlines(facts, id, 'es'),
      ofVermont: electionDeadlines(facts, id, 'es', 'VT'),
    })),
    precincts: precinctsOf(facts, race),
  };
}
