import { normalName } from '../../../base/words/normal-name.ts';
import type { State } from '../../../base/words/states.ts';
import type { Report } from '../../exchange/report.ts';
import { countyNamed } from '../../facts/counties.ts';
import { houseDistrict } from '../../facts/house-seats.ts';
import { legislativeDistrict } from '../../facts/legislative-codes.ts';
import { personName, WITHOUT_CANDIDATE } from '../../facts/names.ts';
import {
  branchOf,
  houseOffice,
  legislativeOffice,
  type Office,
  office,
  presidentOffice,
  senateOffice,
  statewideOffice,
} from '../../facts/offices.ts';
import { cityPlace, countyPlace, namedPlace, type Place, placeWithin, statePlace } from '../../facts/places.ts';
import { isLabel, withoutMarks } from '../../results/candidates.ts';
import type { CandidateFacts, ElectionFacts, ElectionRows, RaceFacts } from '../../results/election-rows.ts';
import { KnownDistricts } from '../../results/known-districts.ts';
import { DECLARED_OFFICES } from '../../results/office-rows.ts';
import { whyNoDistrict } from '../../results/place-contest.ts';

/** A count by rounds, as a report has it. */
export interface RankedCount {
  /** All names, also those without votes. */
  readonly names: readonly string[];
  /** The votes for each name in each round, from the first one on. */
  readonly rounds: readonly ReadonlyMap<string, number>[];
  /** The round, counted from 1, that elected a name; those that lost have none. */
  readonly elected: ReadonlyMap<string, number>;
}

/** Sums of votes with decimals are equal up to this. */
const ROUNDING = 0.001;

/**
 * Returns the candidates with the votes gained in each round; a candidate in none of the rounds has no votes.
 * Eliminated candidates retain the votes of their last round, although these are transferred to others, so that the
 * gains add up to the votes of that round. Votes that no candidate of that name has are reported. Instead of them, the reason
 * why a count contradicts itself: it proves nothing.
 */
export function rankedCandidates(count: RankedCount, record: string, report: Report): CandidateFacts[] | string {
  const { names, rounds, elected } = count;
  const contradiction = contradictionIn(count);
  if (contradiction) return contradiction;
  const votesOf = (name: string) => rounds.flatMap((round) => round.get(name) ?? []);
  const unnamed = names.filter((name) => isLabel(name) && votesOf(name).some((votes) => votes > 0));
  if (unnamed.length > 0) {
    const counts = unnamed.map((name) => `${name} ${Math.max(...votesOf(name))}`);
    report.add(record, 'counts-among-candidates', WITHOUT_CANDIDATE, counts.join(', '));
  }
  return names
    .filter((name) => !isLabel(name))
    .map((name) => {
      const votes = rounds.some((round) => round.has(name)) ? votesOf(name) : [0];
      const last = elected.get(name) ?? Infinity;
      const { text, isWriteIn } = withoutMarks(name);
      return {
        name: personName(text),
        ...(isWriteIn ? { isWriteIn } : {}),
        votes: Math.round(votes.at(-1) ?? 0),
        status: Number.isFinite(last) ? 'Won' : 'Lost',
        rounds: votes.map((own, index) => ({
          // Differences of fractions in binary are exact only up to their decimals.
          votes: Number((own - (votes[index - 1] ?? 0)).toFixed(6)),
          status: index + 1 >= last ? 'Won' : index < votes.length - 1 ? 'Advanced' : 'Lost',
        })),
      };
    });
}

/** Returns what contradicts a count by rounds; undefined if nothing does. */
function contradictionIn({ names, rounds, elected }: RankedCount): string | undefined {
  if (elected.size === 0) return 'nobody is elected';
  const persons = Map.groupBy(
    names.filter((name) => !isLabel(name)),
    (name) => normalName(personName(withoutMarks(name).text)),
  );
  const [twice] = [...persons.values()].find((of) => of.length > 1) ?? [];
  if (twice !== undefined) return `${twice} is there twice`;
  for (const [name, round] of elected) {
    const votes = rounds[round - 1]?.get(name);
    if (votes === undefined || isLabel(name)) return `${name} is elected, and is no candidate of the round`;
    for (const [other, more] of rounds[round - 1] ?? [])
      if (more > votes && (elected.get(other) ?? Infinity) > round)
        return `${name} is elected, and ${other} has more votes in the round`;
  }
  for (const [index, round] of rounds.entries()) {
    const before = rounds[index - 1];
    if (!before) continue;
    if (sumOf(round) > sumOf(before) + ROUNDING) return `round ${index + 1} has more votes than the one before`;
    for (const [name, votes] of round) {
      const had = before.get(name);
      if (had === undefined) return `${name} has votes again after a round without any`;
      // Only the surplus of an elected candidate is transferred.
      if (votes < had && (elected.get(name) ?? Infinity) > index) return LOSES_VOTES;
    }
  }
  return undefined;
}

const LOSES_VOTES = 'a candidate who has not been elected loses votes between rounds';

function sumOf(round: ReadonlyMap<string, number>): number {
  return [...round.values()].reduce((sum, votes) => sum + votes, 0);
}

interface RankedContest {
  readonly facts: RaceFacts;
  readonly candidates: readonly CandidateFacts[];
  readonly record: string;
}

/** The contests by rounds of an import. Of two that are for one office and stage none is stored, as they contradict each other. */
export class RankedContests {
  readonly #contests: RankedContest[] = [];

  add(facts: RaceFacts, candidates: readonly CandidateFacts[], record: string, report: Report): void {
    const isOfElectors = facts.office.id.value === presidentOffice().id.value;
    if (isOfElectors)
      report.add(record, 'undecided-contests', 'a state chooses electors: its votes alone do not elect the president');
    // A round has no outcome of its own then.
    const known = isOfElectors ? candidates.map(({ status: _, rounds: __, ...candidate }) => candidate) : candidates;
    this.#contests.push({ facts, candidates: known, record });
  }

  finish(rows: ElectionRows, report: Report): void {
    const keyOf = ({ facts: { election, office, type, stage, stageParty } }: RankedContest) =>
      [office.id.value, election.place.id.value, election.date, type, stage, stageParty].join(' ');
    for (const [first, ...more] of Map.groupBy(this.#contests, keyOf).values()) {
      if (!first) continue;
      const all = [first, ...more].map(({ candidates }) => JSON.stringify(candidates));
      if (new Set(all).size === 1) rows.race(first.facts, first.candidates, first.record);
      else
        for (const { record } of [first, ...more])
          report.add(record, 'left-out', 'another file has the contest with other votes: neither is stored');
    }
  }
}

/** Returns the candidates of a primary with their status: the winner advances to the general election. */
export function primaryStatus(candidates: readonly CandidateFacts[]): CandidateFacts[] {
  return candidates.map((candidate) => (candidate.status === 'Won' ? { ...candidate, status: 'Advanced' } : candidate));
}

/**
 * Returns the office of a contest by its name in a report: an office of a city or county if one is given, else a state office.
 * Undefined also for a seat of the Senate in a special election, whose class the report does not state.
 */
export function rankedOffice(
  state: State,
  city: string | null,
  name: string,
  { date, isSpecial }: { readonly date: string; readonly isSpecial: boolean },
): Office | undefined {
  const congress = /^Congressional District (\d+)$/.exec(name)?.[1];
  const legislative = /^State (Representative|Senate) - District (\w+)$/.exec(name);
  if (normalName(name) === '') return undefined;
  if (city !== null) return normalName(city) === '' ? undefined : cityOffice(state, city, name, date);
  if (congress || name === 'At-large Congressional District') {
    const number = houseDistrict(state, { date, isSpecial }, Number(congress ?? 0));
    return typeof number === 'number' ? houseOffice(state, number) : undefined;
  }
  if (legislative?.[2]) {
    const code = legislative[2].toLowerCase();
    const chamber = legislative[1] === 'Senate' ? 'Upper' : 'Lower';
    const found = legislativeDistrict(state, chamber, code);
    const reason = whyNoDistrict(state, chamber, found, code, date, NONE_KNOWN);
    return reason ? undefined : legislativeOffice(state, chamber, found.code);
  }
  const row = DECLARED_OFFICES.find(state, name, ({ scope, kind }) => OF_STATE.has(scope) && kind === '')?.row;
  if (row?.scope === 'senate') return isSpecial ? undefined : senateOffice(state, Number(date.slice(0, 4)));
  if (row?.scope === 'president') return presidentOffice();
  if (!row) return undefined;
  const branch = row.branch === '' ? 'Executive' : row.branch;
  return statewideOffice(state, row.name) ?? office(statePlace(state), row.name, 'State', branch);
}

/** Reports name districts by their numbers. */
const NONE_KNOWN = new KnownDistricts();
const OF_STATE = new Set(['president', 'senate', 'state']);

/** Returns the city or county that holds a contest; undefined if the state has no county of that name. */
function holderPlace(state: State, name: string, date: string): Place | undefined {
  if (!name.endsWith(' County')) return cityPlace(state, name);
  const county = countyNamed(state.postal, name, date);
  return county && countyPlace(state, county);
}

/** The governing bodies of cities, which alone have council districts. */
const OF_COUNCIL = /\b(council\w*|alder[mpw]\w+|supervisors?)\b/i;

/** Returns an office of a city or county by its name, in a numbered district or ward if the name contains one. */
function cityOffice(state: State, city: string, name: string, date: string): Office | undefined {
  const place = holderPlace(state, city, date);
  if (!place) return undefined;
  const before = /^(?<unit>District|Ward) (?<number>\w+) (?<title>.+)$/.exec(name);
  const numbered = before ?? /^(?<title>.+?),? (?<unit>District|Ward) (?<number>\w+)$/.exec(name);
  const { unit = '', number: district = '', title = '' } = numbered?.groups ?? {};
  if (!numbered) return office(place, name, 'Local', branchOf(name));
  if (/\bschool\b/i.test(title)) {
    const part = namedPlace(state, 'School district subdivision', `${city} School District, ${unit} ${district}`);
    return office(part, title, 'Local', branchOf(title));
  }
  const isCounty = place.row.values.type === 'County';
  if (isCounty || !OF_COUNCIL.test(title)) {
    const type = isCounty ? 'County subdivision' : 'City-town subdivision';
    const part = namedPlace(state, type, `${city} ${title} ${unit} ${district}`);
    return office(part, title, 'Local', branchOf(title));
  }
  const shown = `${city} City Council ${unit} ${district}`;
  const kind = unit === 'Ward' ? 'ward' : 'council_district';
  const ocdid = `${place.id.value}/${kind}:${district.toLowerCase()}`;
  const within = placeWithin(ocdid, 'City-town subdivision', shown, state);
  return office(within, title === 'Councilor' ? 'City Councilor' : title, 'Local', branchOf(title));
}

/**
 * Returns the election of a contest. A state or a city holds it, except a special election of a single district, which
 * the district holds.
 */
export function rankedElection(
  state: State,
  city: string | null,
  date: string,
  type: 'General' | 'Primary' | 'Special',
  place: Place,
): ElectionFacts {
  if (type === 'Special') return { place, date, type };
  const holder = city === null ? statePlace(state) : holderPlace(state, city, date);
  return { place: holder ?? place, date, type };
}
