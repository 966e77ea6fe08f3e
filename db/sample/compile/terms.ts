import type { Election } from './calendar.ts';
import { type Official, officeOfTerm, officialPerson } from './congress.ts';
import type { State } from './districts.ts';
import { senateOfficeId } from './ids.ts';
import { nameKey } from './names.ts';
import { partyId } from './parties.ts';
import { required, type Source } from './source.ts';
import { officeOfRole } from './state-offices.ts';

/** A person of a source that knows terms of office, with every spelling of the name as a key. */
export interface KnownPerson {
  /** The GovTrack number; null for people of state government, who have no numeric id. */
  id: number | null;
  row: { name: string; first_name?: string | null; last_name?: string | null; url?: string | null };
  keys: Set<string>;
  states: Set<string>;
  fec: string[];
  terms: OfficeTerm[];
}

/** A term of one of the sample's offices. The start can be unknown. */
export interface OfficeTerm {
  office: number;
  start: string | null;
  end: string;
  party: number;
}

interface StatePerson {
  name: string;
  given_name?: string;
  family_name?: string;
  party?: { name: string }[];
  roles: { type: string; start_date?: string; end_date: string }[];
}

const congressFiles = ['2026-06-15/legislators-current.yaml', '2021-02-10/legislators-current.yaml'];

/** The members of Congress of both snapshots, the newer first, and the executives of the states with results. */
export function readKnownPersons(source: Source, states: State[], withResults: readonly string[]): KnownPerson[] {
  const members = new Map<number, Official>();
  for (const file of congressFiles) {
    for (const member of source.yaml<Official[]>(`officeholders/congress-legislators/${file}`)) {
      if (!members.has(member.id.govtrack)) members.set(member.id.govtrack, member);
    }
  }
  return [
    ...[...members.values()].map((member) => knownMember(member, states)),
    ...states.filter(({ postal }) => withResults.includes(postal)).flatMap((state) => readExecutives(source, state)),
  ];
}

/** The class of the Senate seat that a state filled in an election: that of the term which began after it. */
export function senateClassAt({ date, state }: Election, known: KnownPerson[]): number {
  const seats = [1, 2, 3].filter((senateClass) =>
    known.some(({ terms }) => terms.some((term) => isTermOf(senateOfficeId(state.fips, senateClass), date, term))),
  );
  if (seats.length !== 1) throw new Error(`${state.postal} did not fill one Senate seat on ${date}`);
  return required(seats[0], 'a Senate class');
}

/** Whether a term is of the office and was won in the election on that day: it began within 100 days of it. */
export function isTermOf(office: number, electionDay: string, term: OfficeTerm): boolean {
  const days = term.start ? (Date.parse(term.start) - Date.parse(electionDay)) / 86_400_000 : 0;
  return term.office === office && days > 0 && days <= 100;
}

function knownMember(member: Official, states: State[]): KnownPerson {
  const { id, name, terms } = member;
  const { id: govtrack, ...row } = officialPerson(member);
  const spellings = [
    row.name,
    id.wikipedia,
    `${name.first} ${name.last}`,
    `${name.nickname ?? name.first} ${name.last}`,
  ];
  return {
    id: govtrack,
    row: row as KnownPerson['row'],
    keys: new Set(spellings.flatMap((spelling) => (spelling ? [nameKey(spelling)] : []))),
    states: new Set(terms.map(({ state }) => state)),
    fec: id.fec ?? [],
    terms: terms.map((term) => ({
      office: officeOfTerm(term, states),
      start: term.start,
      end: term.end,
      party: partyId(term.party),
    })),
  };
}

function readExecutives(source: Source, state: State): KnownPerson[] {
  const folder = `officeholders/openstates-people/2026-08-05/${state.postal.toLowerCase()}/executive`;
  return source.list(folder).map((file) => {
    const person = source.yaml<StatePerson>(`${folder}/${file}`);
    const party = partyId(person.party?.at(-1)?.name ?? '');
    return {
      id: null,
      row: { name: person.name, first_name: person.given_name, last_name: person.family_name },
      keys: new Set([nameKey(person.name)]),
      states: new Set([state.postal]),
      fec: [],
      terms: person.roles.flatMap(({ type, start_date, end_date: end }) => {
        const office = officeOfRole(state.fips, type);
        return office ? [{ office, start: start_date ?? null, end, party }] : [];
      }),
    };
  });
}
