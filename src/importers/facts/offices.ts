import { normalName } from '../../base/words/normal-name.ts';
import { readTable } from '../../base/words/read-table.ts';
import { type State, stateByPostal } from '../../base/words/states.ts';
import type { ExternalId, ImportValue } from '../exchange/import-rows.ts';
import { chamberName } from './chambers.ts';
import { officeOf } from './congress-terms.ts';
import { stateOfficeName } from './full-names.ts';
import { congressPlace, legislativePlace, type Place, statePlace } from './places.ts';

/** An office of a district, as far as a contest identifies it. */
export interface Office {
  readonly id: ExternalId;
  readonly place: Place;
  readonly values: Readonly<Record<string, ImportValue>>;
  /** True if it is the only office of its kind in the district, whatever name other sources use for it. */
  readonly alone: boolean;
}

const EXECUTES =
  /\b(GOVERNOR|MAYOR|SHERIFF|CORONER|CLERK|ATTORNEY|TREASURER|AUDITOR|ASSESSOR|RECORDER|REGISTRAR|REGISTER|CONTROLLER|COMPTROLLER|SURVEYOR|ADMINISTRATOR|SUPERINTENDENT|SECRETARY|CONSTABLE|COLLECTOR|EXECUTIVE|COMMISSIONER OF|ENGINEER|SOLICITOR|MARSHAL|BAILIFF|SERGEANT|MODERATOR|DEFENDER|PRESIDENT|APPRAISER|SUPERVISOR OF|(?:INSURANCE|DRAIN|LAND|LABOR|AGRICULTURE) COMMISSIONER)\b/;
const LEGISLATES =
  /\b(COUNCIL\w*|COMMISSION\w*|BOARD|COMMITTEE\w*|ALDER[MPW]\w+|SELECT(MAN|MEN|MEMBER\w*)|SUPERVISORS?|TRUSTEES?|QUORUM COURT|FISCAL COURT|ASSEMBLY|SENAT\w+|REPRESENTATIVES?|DELEGATES|REGENTS?|GOVERNORS|DIRECTORS?|MEMBERS?|LEGISLATURE|LEGISLATORS?|FREEHOLDERS?|POLICE JUR(?:ORS?|Y)|LEVY COURT|DISTRICT|MUD|CDD|ESD|RFPD|UNIT|COLLEGE|TOWN MEETING)\b/;

/** The words for who judges, as a part of a pattern. */
const JUDGES = 'JUDGES?|JUSTICES?|CHANCELLORS?|MAGISTRATES?';
const ENDS_JUDICIAL = new RegExp(
  String.raw`\b(${JUDGES}|SURROGATE|(SUPREME|SUPERIOR|DISTRICT|CIRCUIT|PROBATE|APPEALS) COURT)$`,
);
const IS_JUDICIAL = new RegExp(String.raw`\b(${JUDGES}|SURROGATE|SUPREME COURT|COURT OF APPEALS|SUPERIOR COURT)\b`);

/** Returns the branch of an office by the words of its name; executive if no word determines it. */
export function branchOf(name: string): Branch {
  const upper = name.toUpperCase();
  const isOfClerk = /\bCLERK\b/.test(upper);
  if (!isOfClerk && ENDS_JUDICIAL.test(upper)) return 'Judicial';
  if (EXECUTES.test(upper) && !/\bBOARD OF GOVERNORS\b/.test(upper)) return 'Executive';
  if (IS_JUDICIAL.test(upper)) return 'Judicial';
  if (LEGISLATES.test(upper)) return 'Legislative';
  return /\b(COURT|CHANCERY)\b/.test(upper) ? 'Judicial' : 'Executive';
}

type Branch = 'Legislative' | 'Executive' | 'Judicial';
type Level = 'Federal' | 'State' | 'Local';

export function office(
  place: Place,
  name: string,
  level: Level,
  branch: Branch,
  more: { seat?: string; chamber?: 'Upper' | 'Lower'; partisan?: boolean } = {},
): Office {
  const { seat, chamber, partisan } = more;
  const value = [place.id.value, normalName(name), seat && normalName(seat)].filter(Boolean).join(' ');
  const is_partisan = partisan === undefined ? undefined : partisan ? 'Partisan all' : 'Nonpartisan all';
  return {
    id: { scheme: 'office', value },
    place,
    values: { ...shownAs(place, name, level, chamber), level, branch, chamber, seat, is_partisan },
    alone: chamber !== undefined,
  };
}

/**
 * Returns the name of an office as readers see it, and its type: offices of a state are named after the state, and
 * seats of a legislature after their district.
 */
function shownAs(place: Place, name: string, level: Level, chamber: 'Upper' | 'Lower' | undefined) {
  const { type, name: district, state: postal } = place.row.values;
  if (chamber) return { name: district, type: postal === 'DC' ? 'Council Member' : memberOf(chamber) };
  const state = type === 'State' && level === 'State' ? stateByPostal(String(postal)) : undefined;
  return state ? stateOfficeName(state, name) : { name };
}

function memberOf(chamber: 'Upper' | 'Lower'): string {
  return chamber === 'Upper' ? 'Senator' : 'Representative';
}

export function houseOffice(state: State, number: number): Office {
  return federalOffice(congressPlace(state, number), { type: 'rep', state: state.postal, district: number });
}

/** The class of the Senate that each year of the six-year cycle elects: class 1 in 2018 (U.S. Const. art. I § 3). */
const CLASS_OF_YEAR: Record<number, number> = { 0: 1, 2: 2, 4: 3 };

/** Returns the class of the Senate that a regular election of the year fills; undefined for an odd year. */
export function regularClass(year: number): number | undefined {
  return CLASS_OF_YEAR[(((year - 2018) % 6) + 6) % 6];
}

/** Returns the Senate seat that is filled in a regular election of the year; undefined for an odd year. */
export function senateOffice(state: State, year: number): Office | undefined {
  const senateClass = regularClass(year);
  return senateClass === undefined ? undefined : officeOfClass(state, senateClass);
}

/** Returns the Senate seat of a class. */
export function officeOfClass(state: State, senateClass: number): Office {
  return federalOffice(statePlace(state), { type: 'sen', state: state.postal, class: senateClass });
}

function federalOffice(
  place: Place,
  term: { type: 'rep' | 'sen'; state: string; district?: number; class?: number },
): Office {
  const seat = officeOf({ ...term, start: '', end: '' });
  if (typeof seat === 'string') throw new Error(seat);
  return { id: seat.id, place, values: seat.values, alone: true };
}

/** Returns the office of the president; a state elects its electors. */
export function presidentOffice(): Office {
  const seat = officeOf({ type: 'prez', start: '', end: '' });
  if (typeof seat === 'string') throw new Error(seat);
  const row = {
    table: 'districts' as const,
    ids: [seat.district],
    values: { type: 'Country', name: 'United States', ocdid: seat.district.value },
    match: { by: 'district' as const },
  };
  return { id: seat.id, place: { id: seat.district, row }, values: seat.values, alone: true };
}

/** @param written the name of the district as a source writes it. */
export function legislativeOffice(state: State, chamber: 'Upper' | 'Lower', code: string, written?: string): Office {
  const name = chamber === 'Upper' ? 'State Senator' : 'State Representative';
  return office(legislativePlace(state, chamber, code, written), name, 'State', 'Legislative', {
    chamber,
    partisan: true,
  });
}

/**
 * Returns the office of the members of a legislature whom the whole state elects, as in Puerto Rico and in the Council of
 * the District of Columbia, which is named as results name it.
 * @param title the title of a member with an office of their own: `Chairman`.
 */
export function seatAtLarge(state: State, chamber: 'Upper' | 'Lower', title?: string): Office {
  const body = chamberName(state, chamber);
  if (state.kind === 'district') {
    const name = `${title ?? 'At-Large Member'} of the ${body} of the ${state.name}`;
    return office(statePlace(state), name, 'State', 'Legislative', { partisan: true });
  }
  const name = `${state.name} ${body} ${title ?? 'At-Large'}`;
  const { values, ...seat } = office(statePlace(state), name, 'State', 'Legislative', { partisan: true });
  return { ...seat, values: { ...values, type: memberOf(chamber), chamber } };
}

/** Returns the office of the mayor of the District of Columbia, which is named as results name it. */
export function mayorOfDistrict(state: State): Office {
  return office(statePlace(state), `Mayor of the ${state.name}`, 'State', 'Executive', { partisan: true });
}

/** The offices of states, of counties and of districts within a county, by the names that results use, without letter case and punctuation. */
const OFFICE_NAMES = new Map(
  readTable<'of' | 'label' | 'name' | 'branch'>('office-names', import.meta.url).map(({ of, label, name, branch }) => [
    `${of} ${label}`,
    { name, branch: branch as Branch },
  ]),
);
const officeNamed = (label: string, of: 'state' | 'county') => OFFICE_NAMES.get(`${of} ${normalName(label)}`);

export function statewideOffice(state: State, name: string): Office | undefined {
  const found = officeNamed(name, 'state');
  return found && office(statePlace(state), found.name, 'State', found.branch, { partisan: true });
}

/** Returns an office of a county by its name in the source; undefined for any other name. */
export function countyOffice(place: Place, name: string): Office | undefined {
  const found = officeNamed(name, 'county');
  return found && office(place, found.name, 'Local', found.branch);
}
