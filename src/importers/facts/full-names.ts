import { normalName } from '../../base/words/normal-name.ts';
import type { State } from '../../base/words/states.ts';
import { chamberName } from './chambers.ts';

/**
 * Returns the name of a district of the House of Representatives, for example `Wisconsin District 5`. Number 0 is an
 * at-large state, or the district of a delegate or resident commissioner: `Wyoming At-large District`.
 */
export function congressDistrictName({ name }: State, number: number): string {
  return number === 0 ? `${name} At-large District` : `${name} District ${number}`;
}

/**
 * Returns the name of a district of a state legislature by its number, letter or name: `Wisconsin State Assembly
 * District 37`, `Vermont State Senate Essex-Orleans District`.
 */
export function legislativeDistrictName(state: State, chamber: 'Upper' | 'Lower', shown: string): string {
  const body = `${state.name} ${chamberName(state, chamber)}`;
  const kind = state.postal === 'DC' ? 'Ward' : 'District';
  return /^(\d+[a-z]{0,2}|[a-z]{1,2}|[ivx]+)$/i.test(shown) ? `${body} ${kind} ${shown}` : `${body} ${shown} ${kind}`;
}

/** Offices that are named after the state with `of`; others begin with the name of the state. */
const OF_STATE = /^(lieutenant governor|governor|attorney general)$| of the /i;

/** Returns the name and the type of an office of a state: `Governor of Maine`, `Wisconsin Secretary of State`. */
export function stateOfficeName(
  { name: state }: State,
  title: string,
): { readonly name: string; readonly type: string } {
  const type = title.replace(/^state (?=\p{L})/iu, '');
  if (hasName(title, state)) return { name: title, type };
  return { name: OF_STATE.test(type) ? `${type} of ${state}` : `${state} ${type}`, type };
}

/** District types whose districts are parts of a state, with names that are alike in all states. */
const PARTS_OF_STATE = new Set([
  'Congress',
  'State Legislative (Upper)',
  'State Legislative (Lower)',
  'Judicial District',
  'State subdivision',
]);

/** Returns the name of a district with that of its state, if districts of the type are alike in all states. */
export function fullDistrictName(state: State, type: string, name: string): string {
  if (!PARTS_OF_STATE.has(type) || hasName(name, state.name) || hasName(name, state.postal, true)) return name;
  return `${state.name} ${name}`;
}

/** Returns the name of a district without that of its state, in the form in which names are compared. */
export function bareDistrictName(state: State | undefined, type: string, name: string): string {
  return PARTS_OF_STATE.has(type) ? withoutState(name, state) : normalName(name);
}

/** Returns the name of an office of a state without that of the state, in the form in which names are compared. */
export function bareOfficeName(state: State | undefined, level: string, name: string): string {
  return level === 'State' ? withoutState(name, state) : normalName(name);
}

function withoutState(name: string, state: State | undefined): string {
  if (!state) return normalName(name);
  const [plain, of] = [normalName(name), normalName(state.name)];
  return plain.replace(new RegExp(`^${of} (?=.)| of ${of}$`), '').replace(/^state (?=.)/, '');
}

function hasName(text: string, name: string, isCode = false): boolean {
  const words = (given: string) => ` ${isCode ? given.replace(/[^\p{L}\p{N}]+/gu, ' ') : normalName(given)} `;
  return words(text).includes(words(name));
}
