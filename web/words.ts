import { html } from 'lit-html';
import type { Html } from './dom.ts';

type Named = { readonly name: string };

const LONG = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
const OWN_DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });
const SHORT = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
const LIST = new Intl.ListFormat('en-US', { style: 'long', type: 'conjunction' });
const NUMBER = new Intl.NumberFormat('en-US');

/** A day in milliseconds since 1970. */
export const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
/** Returns `November 8, 2022`. */
export const longDay = (day: string) => LONG.format(timeOf(day));
/** Returns `Nov 8, 2022`. */
export const shortDay = (day: string) => SHORT.format(timeOf(day));
/** Returns `A, B, and C`, as the design writes it: without a comma before "and". */
export const listed = (names: readonly string[]) => LIST.format(names).replace(', and ', ' and ');
export const grouped = (count: number) => NUMBER.format(count);
export const percent = (share: number) => `${(share * 100).toFixed(1)}%`;
export const counted = (count: number, one: string, several = `${one}s`) =>
  `${grouped(count)} ${count === 1 ? one : several}`;
const SMALL_NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
/** Returns a number below ten as a word. */
export const inWords = (count: number) => SMALL_NUMBERS[count] ?? grouped(count);
export const daysFrom = (first: string, last: string) => Math.round((timeOf(last) - timeOf(first)) / 86_400_000);

const KINDS: ReadonlyMap<string, string> = new Map([
  ['COUNTRY', 'Country'],
  ['CONGRESS', 'U.S. House district'],
  ['STATE', 'State'],
  ['STATE_LEGISLATIVE_UPPER', 'State senate district'],
  ['STATE_LEGISLATIVE_LOWER', 'State house district'],
  ['STATE_SUBDIVISION', 'Part of the state'],
  ['COUNTY', 'County'],
  ['COUNTY_SUBDIVISION', 'Part of the county'],
  ['CITY_TOWN', 'City or town'],
  ['CITY_TOWN_SUBDIVISION', 'Ward'],
  ['SCHOOL_DISTRICT', 'School district'],
  ['SCHOOL_DISTRICT_SUBDIVISION', 'School district seat'],
  ['JUDICIAL_DISTRICT', 'Court district'],
  ['JUDICIAL_DISTRICT_SUBDIVISION', 'Court district seat'],
  ['PRECINCT', 'Precinct'],
  ['SPECIAL_DISTRICT', 'Special district'],
  ['SPECIAL_DISTRICT_SUBDIVISION', 'Special district seat'],
]);

/** A map is new for this many days: about one term of the House. */
const NEW_DAYS = 730;

/** Returns since when a map is in effect, and whether it was new on a day. */
export function mapSince(startDate: string, day: string): string {
  const isNew = daysFrom(startDate, day) < NEW_DAYS;
  return `${isNew ? 'New map' : 'Map'} since ${shortDay(startDate)}`;
}

/** Abbreviations of files of results for the kind of a measure: `BM#1`, `BALLOT MEASURE NO. 1 - `. */
const NUMBERED_MEASURE = /^(?:BM\s*#|BALLOT MEASURE NO\.?\s*)(\d+)\s*[-:]?\s*/i;

/** Returns the name of a measure for people: `Ballot Measure 1: Constitutional convention` for `BM#1 CONSTITUTIONAL CONVENTION`. */
export function measureName(name: string): string {
  const [beginning, number] = NUMBERED_MEASURE.exec(name) ?? [];
  if (beginning === undefined) return name;
  const title = name.slice(beginning.length);
  const isShouted = title === title.toUpperCase() && !/\d/.test(title);
  const shown = isShouted ? title.slice(0, 1) + title.slice(1).toLowerCase() : title;
  return [`Ballot Measure ${number}`, shown].filter(Boolean).join(': ');
}
/** Says that the package of the key excludes a part, which is not the same as that nothing is known. */
export const notIncluded = (what: string) => `${what} are not included in this key.`;

/** Returns what several districts of a type are called on the page. */
export function pluralOf(type: string): string {
  const kind = kindOf(type).replace(/^[A-Z](?!\.)/, (first) => first.toLowerCase());
  if (kind === 'city or town') return 'cities and towns';
  return /y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}
const TERRITORIES = new Set(['AS', 'GU', 'MP', 'PR', 'VI']);

/** Returns what a district type is called on the page; with the code of a state, whether that is one. */
export function kindOf(type: string, state?: string | null): string {
  if (type === 'STATE' && state === 'DC') return 'Federal district';
  if (type === 'STATE' && TERRITORIES.has(state ?? '')) return 'Territory';
  return KINDS.get(type) ?? type;
}
/** Returns the name of the maps of a district type, for example `House`. */
export const mapKindOf = (type: string) => (type === 'CONGRESS' ? 'House' : kindOf(type));

const PARTIES: readonly (readonly [pattern: RegExp, css: string, letter: string])[] = [
  [/democrat/i, 'p-dem', 'D'],
  [/republican/i, 'p-rep', 'R'],
  [/libertarian/i, 'p-lib', 'L'],
  [/green/i, 'p-grn', 'G'],
  [/^independent$/i, 'p-ind', 'I'],
];

/** Returns the class with the color and the pattern of a party. */
export function partyClass(party: Named | null | undefined): string {
  return PARTIES.find(([pattern]) => pattern.test(party?.name ?? ''))?.[1] ?? 'p-oth';
}

/** Returns the name of a party with its letter in a square. */
export function partyTag(party: Named | null | undefined): Html {
  if (!party) return html`<span class="party p-oth"><i aria-hidden="true"> </i>Party not known</span>`;
  const letter = PARTIES.find(([pattern]) => pattern.test(party.name))?.[2] ?? party.name.slice(0, 1);
  return html`<span class="party ${partyClass(party)}"><i aria-hidden="true">${letter}</i>${party.name}</span>`;
}

/**
 * Returns the text of HTML from the data. Attributes are removed first: browsers report each event handler among them as a
 * violation of the content security policy, although nothing runs.
 */
export function textOf(markup: string): string {
  const withoutAttributes = markup.replaceAll(/<(\/?[a-z][a-z\d]*)\b[^>]*>/gi, '<$1>');
  return new DOMParser().parseFromString(withoutAttributes, 'text/html').body.textContent?.trim() ?? '';
}

/** Renders names in a sentence, each isolated: characters of one that change the direction of text do not affect the others. */
export function isolated(names: readonly string[]): Html {
  return html`${names.map((name, index) => html`${index > 0 ? ', ' : ''}<bdi>${name}</bdi>`)}`;
}

/** A record as the page reads it: when its values changed in the data, and the data sets that it is from. */
export interface Updated {
  readonly updatedAt: string | null;
  readonly sources?: readonly Named[];
}

/** Says when the newest of some records was updated, as a day where the visitor is; by which data set, if it is from only one. */
export function updatedText(what: string, records: readonly Updated[]): string {
  const timeOfChange = ({ updatedAt }: Updated) => Date.parse(updatedAt ?? '');
  const [newest] = records
    .filter(({ updatedAt }) => updatedAt !== null)
    .toSorted((one, other) => timeOfChange(other) - timeOfChange(one));
  if (!newest) return '';
  const [source, ...others] = newest.sources ?? [];
  return `The ${what} shown here were last updated on ${OWN_DAY.format(timeOfChange(newest))}${source && others.length === 0 ? ` (${source.name})` : ''}.`;
}

type Districts = readonly { readonly district: Named }[];

/** A day on which the districts of a point changed, as `Location.changes` has it. */
export interface Change {
  readonly day: string;
  readonly kind: string;
  readonly left: Districts;
  readonly entered: Districts;
  readonly firstRace: { readonly election: { readonly date: string } | null } | null;
}
interface Layer {
  readonly type: string;
  readonly isCovered: boolean;
  readonly newerMap: { readonly sentence: string } | null;
  readonly changes: readonly Change[];
}

/** Returns the day of the first election that used a map before it began; nothing if none is known. */
export function earlyElection({ day, firstRace }: Change): string | undefined {
  const election = firstRace?.election?.date;
  return election !== undefined && election < day ? election : undefined;
}

/** Says in which districts a point came, which it left, and which election was first: a sentence for each day, in order of time. */
export function moveSentences(layers: readonly Layer[], shown = (name: string) => name): Html[] {
  const namesOf = (districts: Districts) =>
    html`${districts.map(({ district }, index) => html`${index > 0 ? ' and ' : ''}<bdi>${shown(district.name)}</bdi>`)}`;
  return layers
    .flatMap(({ changes }) => changes)
    .sort((one, other) => one.day.localeCompare(other.day))
    .flatMap((change) => {
      const { day, kind } = change;
      const [left, entered] = [namesOf(change.left), namesOf(change.entered)];
      if (kind === 'ENTERED') return [html`From ${longDay(day)} this point is in ${entered}.`];
      if (kind === 'LEFT') return [html`From ${longDay(day)} this point is no longer in ${left}.`];
      if (kind !== 'MOVED') return [];
      const election = earlyElection(change);
      return [
        html`On ${longDay(day)} this point moved from ${left} to ${entered}${election ? html`; the election of ${longDay(election)} was already held in ${entered}` : ''}.`,
      ];
    });
}

/** Says of which layers the districts are not known on each day; a city that a point entered was none before, which is known. */
export function unknownLayers(layers: readonly Layer[]): string {
  const unknown = layers.filter(
    ({ isCovered, changes }) => !isCovered && (changes.length === 0 || changes.some(({ kind }) => kind === 'NO_DATA')),
  );
  const names = new Set(unknown.map(({ type }) => kindOf(type)));
  const outdated = new Set(layers.flatMap(({ newerMap }) => newerMap?.sentence ?? []));
  return names.size > 0 ? [`Not known for the whole time: ${[...names].join(', ')}.`, ...outdated].join(' ') : '';
}
