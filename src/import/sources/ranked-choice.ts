import type { ContestFacts } from '../elections/contest-facts.ts';
import { officeOfContest } from '../elections/contest-offices.ts';
import type { CandidateFacts, ElectionFacts } from '../elections/election-rows.ts';
import { personName, pseudoCandidate } from '../elections/names.ts';
import {
  branchOf,
  houseOffice,
  legislativeOffice,
  type Office,
  office,
  presidentOffice,
} from '../elections/offices.ts';
import { cityPlace, type Place, placeWithin, statePlace } from '../elections/places.ts';
import { acronymsOf } from '../elections/written-capitals.ts';
import type { State } from '../states.ts';

/** The votes for a name in each round in which it took part. */
export interface RoundVotes {
  readonly name: string;
  readonly votes: readonly number[];
  readonly isWinner: boolean;
}

/**
 * Returns the candidates with the votes gained in each round; a candidate in none of the rounds has no votes.
 * Eliminated candidates retain the votes of their last round, although these are transferred to others, so that the
 * gains add up to the votes of that round. Undefined if a candidate loses votes between rounds, which the exchange
 * format cannot represent.
 */
export function rankedCandidates(all: readonly RoundVotes[]): CandidateFacts[] | undefined {
  const gains = all
    .filter(({ name }) => pseudoCandidate(name) === null)
    .map(({ name, votes, isWinner }) => ({ name, isWinner, votes: votes.length > 0 ? votes : [0] }))
    .map(({ name, votes, isWinner }) => ({
      name: personName(name),
      votes: votes.at(-1) ?? 0,
      status: isWinner ? 'Won' : 'Lost',
      rounds: votes.map((count, index) => ({
        votes: count - (votes[index - 1] ?? 0),
        status: index < votes.length - 1 ? 'Advanced' : isWinner ? 'Won' : 'Lost',
      })),
    }));
  const isGrowing = gains.every(({ rounds }) => rounds.every(({ votes }) => votes >= 0));
  return isGrowing ? gains : undefined;
}

/** Returns the candidates of a primary with their status: the winner advances to the general election. */
export function primaryStatus(candidates: readonly CandidateFacts[]): CandidateFacts[] {
  return candidates.map((candidate) => (candidate.status === 'Won' ? { ...candidate, status: 'Advanced' } : candidate));
}

/** Returns the office of a contest by its name in a report: a city office if a city is given, else a state office. */
export function rankedOffice(state: State, city: string | null, name: string): Office | undefined {
  const congress = /^Congressional District (\d+)$/.exec(name)?.[1];
  const legislative = /^State (Representative|Senate) - District (\w+)$/.exec(name);
  if (city !== null) return cityOffice(state, city, name);
  if (name === 'At-large Congressional District') return houseOffice(state, 0);
  if (congress) return houseOffice(state, Number(congress));
  if (legislative?.[2]) {
    return legislativeOffice(state, legislative[1] === 'Senate' ? 'Upper' : 'Lower', legislative[2].toLowerCase());
  }
  if (/^President/.test(name)) return presidentOffice();
  const facts: ContestFacts = {
    state,
    date: '',
    special: false,
    office: name.toUpperCase(),
    district: '',
    ofState: true,
    counties: [],
    towns: [],
    isPartial: false,
    countiesInFiles: 0,
    everywhere: true,
    acronyms: acronymsOf(name),
    isPartOfCounty: false,
    isNumberOfState: false,
    isSeatNumber: false,
    plainTitles: 'unknown',
  };
  const found = officeOfContest(facts);
  return typeof found === 'string' ? undefined : found.office;
}

/** Returns an office of a city by its name, in a numbered district if the name contains one. */
function cityOffice(state: State, city: string, name: string): Office {
  const place = cityPlace(state, city);
  const numbered = /^District (\w+) (.+)$/.exec(name) ?? /^(.+?),? District (\w+)$/.exec(name);
  if (!numbered) return office(place, name, 'Local', branchOf(name));
  const [district = '', title = ''] = /^District /.test(name) ? numbered.slice(1) : numbered.slice(1).reverse();
  const shown = `${city} City Council District ${district}`;
  const ocdid = `${place.id.value}/council_district:${district.toLowerCase()}`;
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
  return { place: city === null ? statePlace(state) : cityPlace(state, city), date, type };
}
