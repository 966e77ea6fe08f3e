import type { State } from '../../../base/words/states.ts';
import type { Report } from '../../exchange/report.ts';
import { countyNamed } from '../../facts/counties.ts';
import { personName, pseudoCandidate, WITHOUT_CANDIDATE } from '../../facts/names.ts';
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
import type { CandidateFacts, ElectionFacts } from '../../results/election-rows.ts';
import { DECLARED_OFFICES } from '../../results/office-rows.ts';

/** The votes for a name after each round in which it took part, from the first round on. */
export interface RoundVotes {
  readonly name: string;
  readonly votes: readonly number[];
  /** The round that elected the candidate, counted from 1; `true` for the last one, null for those who lost. */
  readonly electedIn: number | true | null;
}

/** The reason why a contest is left out for which `rankedCandidates` is undefined. */
export const LOSES_VOTES = 'a candidate who has not been elected loses votes between rounds';

/**
 * Returns the candidates with the votes gained in each round; a candidate in none of the rounds has no votes.
 * Eliminated candidates retain the votes of their last round, although these are transferred to others, so that the
 * gains add up to the votes of that round. Votes that no candidate of that name has are reported. Undefined if a
 * candidate who has not been elected loses votes between rounds: only the surplus of an elected one is transferred.
 */
export function rankedCandidates(
  all: readonly RoundVotes[],
  record: string,
  report: Report,
): CandidateFacts[] | undefined {
  const unnamed = all.filter(({ name, votes }) => pseudoCandidate(name) !== null && votes.some((count) => count > 0));
  if (unnamed.length > 0) {
    const counts = unnamed.map(({ name, votes }) => `${name} ${Math.max(...votes)}`);
    report.add(record, 'counts-among-candidates', WITHOUT_CANDIDATE, counts.join(', '));
  }
  const counted = all
    .filter(({ name }) => pseudoCandidate(name) === null)
    .map(({ name, votes, electedIn }) => ({
      name,
      votes: votes.length > 0 ? votes : [0],
      elected: electedIn === true ? Math.max(votes.length, 1) : (electedIn ?? Infinity),
    }));
  const isCount = counted.every(({ votes, elected }) =>
    votes.every((count, index) => index >= elected || count >= (votes[index - 1] ?? 0)),
  );
  if (!isCount) return undefined;
  return counted.map(({ name, votes, elected }) => ({
    name: personName(name),
    votes: Math.round(votes.at(-1) ?? 0),
    status: Number.isFinite(elected) ? 'Won' : 'Lost',
    rounds: votes.map((count, index) => ({
      // Differences of fractions in binary are exact only up to their decimals.
      votes: Number((count - (votes[index - 1] ?? 0)).toFixed(6)),
      status: index + 1 >= elected ? 'Won' : index < votes.length - 1 ? 'Advanced' : 'Lost',
    })),
  }));
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
  if (city !== null) return cityOffice(state, city, name, date);
  if (name === 'At-large Congressional District') return houseOffice(state, 0);
  if (congress) return houseOffice(state, Number(congress));
  if (legislative?.[2]) {
    return legislativeOffice(state, legislative[1] === 'Senate' ? 'Upper' : 'Lower', legislative[2].toLowerCase());
  }
  const row = DECLARED_OFFICES.find(state, name, ({ scope, kind }) => OF_STATE.has(scope) && kind === '')?.row;
  if (row?.scope === 'senate') return isSpecial ? undefined : senateOffice(state, Number(date.slice(0, 4)));
  if (row?.scope === 'president') return presidentOffice();
  if (!row) return undefined;
  const branch = row.branch === '' ? 'Executive' : row.branch;
  return statewideOffice(state, row.name) ?? office(statePlace(state), row.name, 'State', branch);
}

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
