import { normalName } from '../../base/words/normal-name.ts';
import { readTable } from '../../base/words/read-table.ts';
import { type State, stateByPostal, stateOcdid } from '../../base/words/states.ts';
import { atlasCounties } from '../read/us-atlas-files.ts';
import { countyName } from './county-names.ts';

/** A county or county equivalent: a parish, a borough, an independent city, a municipio. */
export interface County {
  /** The GEOID of five digits. */
  readonly geoid: string;
  /** The full name: `Orleans Parish`, `Baltimore city`. */
  readonly name: string;
  readonly ocdId: string;
}

interface Listed extends County {
  /** The first and the last day; empty if it is before 2000, or there is none. */
  readonly from: string;
  readonly to: string;
  /** The texts that name it, as `keyOf` writes them. */
  readonly keys: ReadonlySet<string>;
}

/** What full names end with, longer ones first. Sources mix them up. */
const KINDS = [
  'City and Borough',
  'Census Area',
  'Planning Region',
  'Municipality',
  'Municipio',
  'Borough',
  'Parish',
  'County',
];
/** What names of independent cities end with; a county is none. */
const CITY = 'city';

/** The kinds that OCD ids have; all others are counties there. */
const OCD_TYPES = new Map([
  ['Parish', 'parish'],
  ['Census Area', 'census_area'],
  ['Planning Region', 'planning_region'],
  ['Municipio', 'municipio'],
]);
const SHORT = new Map([
  ['saint', 'st'],
  ['sainte', 'ste'],
]);

const lists = new Map<string, readonly Listed[]>();
let aliases: ReadonlyMap<string, string> | undefined;

/**
 * Returns the closed list of the counties of a state on a day (YYYY-MM-DD): those of us-atlas, which are of 2017, with the changes
 * since 2000 in county-changes.csv. Connecticut's are the eight counties, by which results are published, also since the
 * Census has planning regions there (2022).
 */
export function countiesOf(state: string, day: string): readonly County[] {
  return countiesOn(state, day).filter(({ name }) => !name.endsWith(' Planning Region'));
}

/**
 * Returns the county of a state that a text names on a day: with or without its kind, in any letter case, without accents,
 * punctuation and blanks, `Saint` as `St.`, or as a row of county-aliases.csv has it. Undefined if it names none, or more than
 * one, as `Richmond` in Virginia, which is a county and a city.
 */
export function countyNamed(state: string, text: string, day: string): County | undefined {
  const key = keyOf(text);
  aliases ??= new Map(
    readTable<'state' | 'text' | 'geoid'>('county-aliases', import.meta.url).flatMap((row) =>
      keysOf(row.text, 'County').map((alias) => [`${row.state} ${alias}`, row.geoid]),
    ),
  );
  const alias = aliases.get(`${state.toUpperCase()} ${key}`);
  const found = countiesOn(state, day).filter(({ geoid, keys }) => (alias ? geoid === alias : keys.has(key)));
  return found.length === 1 ? found[0] : undefined;
}

/**
 * Returns the county of a state that all of its identifiers in a source, and its name there, are of; the reason if there is none, or if
 * they are of different ones. A name that no county has says nothing beside an identifier.
 */
export function countyOf(
  state: State,
  day: string,
  {
    name,
    ocdId,
    geoid,
  }: { readonly name: string; readonly ocdId: string | undefined; readonly geoid: string | undefined },
): County | string {
  const all = countiesOn(state.postal, day);
  const code = ocdId?.split(':').at(-1)?.replaceAll('_', ' ').replaceAll('~', "'");
  const byOcdId = ocdId && (all.find((each) => each.ocdId === ocdId) ?? countyNamed(state.postal, code ?? '', day));
  const byGeoid = geoid && all.find((each) => each.geoid === geoid);
  const byName = countyNamed(state.postal, name, day);
  const [first, ...others] = [...(ocdId ? [byOcdId] : []), ...(geoid ? [byGeoid] : []), byName];
  if (!first || (ocdId && geoid && !byGeoid)) return `${name} is no county of ${state.name}`;
  const isOne = others.every((each) => !each || each.geoid === first.geoid);
  return isOne ? first : `${name} has the identifier of another county of ${state.name}`;
}

function countiesOn(state: string, day: string): Listed[] {
  return countiesOfAllDays(state).filter(({ from, to }) => from <= day && (to === '' || day <= to));
}

function countiesOfAllDays(postal: string): readonly Listed[] {
  const state = stateByPostal(postal);
  const known = lists.get(postal);
  if (!state || known) return known ?? [];
  const changed = readTable<'geoid' | 'name' | 'from' | 'to'>('county-changes', import.meta.url);
  const ids = new Set(changed.map(({ geoid }) => geoid));
  const unchanged = atlasCounties()
    .filter(({ fips }) => !ids.has(fips))
    .map(({ fips, name }) => ({ geoid: fips, name: countyName(state, fips, name), from: '', to: '' }));
  const list = [...unchanged, ...changed]
    .filter(({ geoid }) => geoid.startsWith(state.fips))
    .map(({ geoid, name, from, to }) => ({ geoid, name, from, to, ...namesOf(state, name) }));
  lists.set(postal, list);
  return list;
}

/** Returns the OCD id of a county by its full name, and the keys of the texts that name it. */
function namesOf(state: State, name: string): Pick<Listed, 'ocdId' | 'keys'> {
  const { own, plain } = dividedName(name);
  return { ocdId: ocdIdOf(state, own, plain), keys: new Set(keysOf(plain, own)) };
}

/** Returns the name of a county without its kind: `Orleans`, `Baltimore`. */
export function plainCountyName({ name }: County): string {
  return dividedName(name).plain;
}

function dividedName(name: string): { readonly own: string | undefined; readonly plain: string } {
  const own = [CITY, ...KINDS].find((kind) => name.endsWith(` ${kind}`));
  return { own, plain: own ? name.slice(0, -own.length - 1) : name };
}

function keysOf(plain: string, own: string | undefined): string[] {
  const kinds = own === CITY ? [CITY] : [...KINDS, 'Co'];
  const texts = kinds.flatMap((kind) => [`${plain} ${kind}`, `${kind} of ${plain}`, `${kind} de ${plain}`]);
  return [plain, ...texts].map(keyOf);
}

/** Returns an OCD id as ocd-division-ids has them; it lists no parts of territories. */
function ocdIdOf(state: State, kind: string | undefined, plain: string): string {
  if (state.kind === 'district' || (kind === undefined && plain === state.name)) return stateOcdid(state);
  // Carson City is a city by its name alone.
  const isCity = kind === CITY || (kind === undefined && state.kind === 'state');
  const type = isCity
    ? 'place'
    : state.postal === 'AK' && kind !== 'Census Area'
      ? 'borough'
      : OCD_TYPES.get(kind ?? '');
  const code = plain.toLowerCase().replaceAll('.', '').replaceAll("'", '~').replaceAll(' ', '_');
  return `${stateOcdid(state)}/${type ?? 'county'}:${code}`;
}

/** Returns a text as texts are compared. */
function keyOf(text: string): string {
  const words = normalName(text.replaceAll('&', ' and ')).split(' ');
  return words.map((word) => SHORT.get(word) ?? word).join('');
}
