import type { Election } from './calendar.ts';
import { type Official, officeOfTerm, officialPerson } from './congress.ts';
import type { State } from './districts.ts';
import { senateOfficeId } from './ids.ts';
import { nameKey } from './names.ts';
import { required, type Source } from './source.ts';
import { officeOfRole } from './state-offices.ts';
import type { Row } from './tables.ts';

/** A person in a source of terms of office, with every spelling of the name as a key. */
export interface KnownPerson {
  /** The row of persons.csv for a holder of an office in the sample; null for all others. */
  holder: (Row<'persons'> & { id: number }) | null;
  keys: Set<string>;
  states: Set<string>;
  /** The data in the editions of the source, the oldest first. */
  editions: Edition[];
}

/** The data of a source about a person on a day. */
export interface Edition {
  asOf: string;
  fec: string[];
  terms: OfficeTerm[];
}

/** A term of one of the sample's offices. The start can be unknown. */
export interface OfficeTerm {
  office: number;
  start: string | null;
  end: string;
}

interface StatePerson {
  name: string;
  roles: { type: string; start_date?: string; end_date: string }[];
}

/** The editions of congress-legislators, the oldest first; the last one is that of the officeholders. */
const congressDays = ['2021-02-10', '2023-02-10', '2026-06-15'];
const executivesDay = '2026-08-05';

/** Reads the members of Congress of all editions, and the executives of the states with results. */
export function readKnownPersons(source: Source, states: State[], withResults: readonly string[]): KnownPerson[] {
  const listed = congressDays.flatMap((asOf) =>
    source
      .yaml<Official[]>(`officeholders/congress-legislators/${asOf}/legislators-current.yaml`)
      .map((member) => ({ asOf, member })),
  );
  const members = Map.groupBy(listed, ({ member }) => member.id.govtrack);
  return [
    ...[...members.values()].map((editions) => knownMember(editions, states)),
    ...states.filter(({ postal }) => withResults.includes(postal)).flatMap((state) => readExecutives(source, state)),
  ];
}

/** Returns the class of the Senate seat that a state filled in an election: that of the term that began after it. */
export function senateClassAt({ date, state }: Election, known: KnownPerson[]): number {
  const seats = [1, 2, 3].filter((senateClass) =>
    known.some(({ editions }) =>
      editions.at(-1)?.terms.some((term) => isTermOf(senateOfficeId(state.fips, senateClass), date, term)),
    ),
  );
  if (seats.length !== 1) throw new Error(`${state.postal} did not fill one Senate seat on ${date}`);
  return required(seats[0], 'a Senate class');
}

/** Returns whether a term is of the office and was won in the election on that day: it began within 100 days of it. */
export function isTermOf(office: number, electionDay: string, term: OfficeTerm): boolean {
  const days = term.start ? (Date.parse(term.start) - Date.parse(electionDay)) / 86_400_000 : 0;
  return term.office === office && days > 0 && days <= 100;
}

function knownMember(listed: { asOf: string; member: Official }[], states: State[]): KnownPerson {
  const { asOf, member } = required(listed.at(-1), 'an edition');
  const { id, name, terms } = member;
  const row = officialPerson(member);
  const spellings = [
    row.name,
    id.wikipedia,
    `${name.first} ${name.last}`,
    `${name.nickname ?? name.first} ${name.last}`,
  ];
  return {
    holder: asOf === congressDays.at(-1) ? row : null,
    keys: new Set(spellings.flatMap((spelling) => (spelling ? [nameKey(spelling)] : []))),
    states: new Set(terms.map(({ state }) => state)),
    editions: listed.map((edition) => ({
      asOf: edition.asOf,
      fec: edition.member.id.fec ?? [],
      terms: edition.member.terms.map((term) => ({
        office: officeOfTerm(term, states),
        start: term.start,
        end: term.end,
      })),
    })),
  };
}

function readExecutives(source: Source, state: State): KnownPerson[] {
  const folder = `officeholders/openstates-people/${executivesDay}/${state.postal.toLowerCase()}/executive`;
  return source.list(folder).map((file) => {
    const person = source.yaml<StatePerson>(`${folder}/${file}`);
    const terms = person.roles.flatMap(({ type, start_date, end_date: end }) => {
      const office = officeOfRole(state.fips, type);
      return office ? [{ office, start: start_date ?? null, end }] : [];
    });
    return {
      holder: null,
      keys: new Set([nameKey(person.name)]),
      states: new Set([state.postal]),
      editions: [{ asOf: executivesDay, fec: [], terms }],
    };
  });
}
