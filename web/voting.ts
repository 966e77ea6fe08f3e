import { html } from 'lit-html';
import { ask } from './api.ts';
import { calendarLink } from './calendar.ts';
import { type Html, isWebsite } from './dom.ts';
import type { VotingQuery } from './generated/operations.ts';
import { icon } from './icons.ts';
import type { PlaceAddress, Point } from './place-address.ts';
import { counted, daysFrom, longDay, notIncluded } from './words.ts';

/** Where, when and how one votes at a point in one election. */
export type Voting = NonNullable<VotingQuery['location']['voting']>;
type PlaceOfPoint = Voting['places'][number];
type Deadline = Voting['deadlines'][number];
type LocalText = Deadline['label'];

/** Says that the package of the key excludes what this module shows. */
export const VOTING_EXCLUDED = notIncluded('Places to vote and deadlines');

/** More places of one kind than this are behind a button: a county may have a hundred vote centers. */
const MOST_PLACES = 4;
const METRES_PER_MILE = 1_609.344;
/** The scripts that are written from right to left, by their codes (ISO 15924). */
const RIGHT_TO_LEFT = /^(Adlm|Arab|Hebr|Nkoo|Rohg|Syrc|Thaa)$/;
const SPAN = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

const KINDS = [
  ['ELECTION_DAY', 'On election day'],
  ['VOTE_CENTER', 'On election day, any of these vote centers'],
  ['EARLY_VOTING', 'Before election day: early voting'],
  ['DROP_BOX', 'Drop boxes for ballots that came by mail'],
] as const;

export const votingVariables = (at: Point, { ballot, lang }: PlaceAddress) => ({ ...at, on: ballot, language: lang });

/** Reads voting in the election of the ballot that was chosen, otherwise in the next one. */
export async function readVoting(at: Point, address: PlaceAddress, signal: AbortSignal): Promise<Voting | null> {
  return (await ask('Voting', votingVariables(at, address), signal)).location.voting;
}

/** Returns the outline of the precinct on the day of the election, if it is known. */
export function precinctOf(voting: Voting | null | undefined) {
  const district = voting?.precinct;
  const boundary = district?.boundaries.find(
    ({ startDate, endDate }) => voting && startDate <= voting.date && (endDate ?? voting.date) >= voting.date,
  );
  return district && boundary ? { district, boundary } : undefined;
}

/** Renders a text of a source, marked with its language and direction: what it lacks in the chosen language is in English. */
export function localText({ text, language }: LocalText): Html {
  const script = language ? new Intl.Locale(language).maximize().script : undefined;
  const direction = language ? (RIGHT_TO_LEFT.test(script ?? '') ? 'rtl' : 'ltr') : 'auto';
  return html`<span lang="${language ?? ''}" dir="${direction}">${text}</span>`;
}

/** Returns the name of a time zone for people: `Central Time`. */
const zoneName = (timeZone: string, language: string) =>
  new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts(0)
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
export const inZone = (timeZone: string | null, language = 'en-US') =>
  timeZone ? ` (${zoneName(timeZone, language)})` : '';

/** Renders what is not known, in the words of the API, with the office to ask as a link. */
export function linked(notKnown: string, office: Voting['office']): Html {
  const [before, after] = office ? notKnown.split(office.website) : [notKnown];
  return html`${before}${after === undefined ? '' : html`<a href="${office?.website}">${office?.website}</a>${after}`}`;
}

/** Renders where one votes: what is known by kind of place, and otherwise that it is not, in the words of the API. */
function whereToVote(voting: Voting): Html {
  const { precinct, notKnown, office, places } = voting;
  const isDrawn = precinctOf(voting)?.boundary.boundingBox;
  return html`${precinct ? html`<p>Your precinct: <b><bdi>${precinct.name}</bdi></b> ${isDrawn ? html`<button class="quiet" type="button" data-action="precinct">Show on the map</button>` : ''}</p>` : ''}
    ${notKnown ? html`<div class="notice info">${icon('info')}<p>${linked(notKnown, office)}</p></div>` : ''}
    ${KINDS.map(([kind, heading]) =>
      placesOfKind(
        heading,
        places.filter(({ place }) => place.kind === kind),
      ),
    )}`;
}

function placesOfKind(heading: string, places: readonly PlaceOfPoint[]): Html {
  if (places.length === 0) return '';
  const metres = ({ distance }: PlaceOfPoint) => distance ?? Number.MAX_VALUE;
  const nearest = places.toSorted((one, other) => metres(one) - metres(other));
  const rest = nearest.slice(MOST_PLACES);
  const open = places.filter(({ place }) => place.kind === 'ELECTION_DAY' && place.status === null);
  return html`<h3>${heading}</h3>${open.length > 1 ? html`<p class="small">The source has several places for this point: ask the election office which one is yours.</p>` : ''}<ul class="spots">${nearest.slice(0, MOST_PLACES).map(spot)}</ul>
    ${rest.length > 0 ? html`<details><summary class="quiet">Show ${counted(rest.length, 'more place')}</summary><ul class="spots">${rest.map(spot)}</ul></details>` : ''}`;
}

/** Says how far a place is from the point. */
function away(metres: number): string {
  const miles = metres / METRES_PER_MILE;
  return miles < 0.1
    ? 'less than 0.1 miles away'
    : `${miles.toFixed(miles < 10 ? 1 : 0)} miles away in a straight line`;
}

/** Says that a place is closed or has moved. */
export function statusOf({ status, movedTo }: Pick<PlaceOfPoint['place'], 'status' | 'movedTo'>): Html {
  if (status === null) return '';
  if (status === 'CLOSED') return html`<p><b>Closed for this election.</b></p>`;
  return html`<p><b>Moved.</b> ${movedTo ? html`Its voters go to: <bdi>${movedTo}</bdi>` : 'Where its voters go instead is not in the data.'}</p>`;
}

/** Renders a place; the map with the way to it is asked only when a visitor follows the link, and is not told where they live. */
function spot({ place, distance }: PlaceOfPoint): Html {
  const { name, address, hours, openIntervals, timeZone, status, notes, url } = place;
  const open = openIntervals.map(({ opens, closes }) =>
    SPAN.formatRange(Date.parse(`${opens}Z`), Date.parse(`${closes}Z`)),
  );
  const times = hours ?? open.join('; ');
  const isLocated = place.latitude !== null && place.longitude !== null;
  // Without a point, an address may be found in another town as well.
  const [what, route] = isLocated
    ? ['Route', `directions?to=${place.latitude}%2C${place.longitude}`]
    : ['Look up the address', address && `search?query=${encodeURIComponent(address)}`];
  return html`<li class="spot"><div><p class="name"><bdi>${name}</bdi></p>
    ${statusOf(place)}
    <p>${address ? html`<bdi>${address}</bdi>` : 'Its address is not in the data.'}</p>
    <p class="small">${times ? html`Hours: <bdi>${times}</bdi>${inZone(timeZone)}` : 'Its hours are not in the data.'}</p>
    ${notes ? html`<p class="small"><bdi>${notes}</bdi></p>` : ''}</div>
    <div class="reach">${distance === null ? '' : html`<span>${away(distance)}</span>`}${route && status === null ? html`<a href="https://www.openstreetmap.org/${route}" rel="noreferrer">${icon('arrow')}<span>${what}<span class="vh"> of ${name}</span> (OpenStreetMap)</span></a>` : ''}${isWebsite(url) ? html`<a href="${url}">${icon('globe')}Website<span class="vh"> of ${name}</span></a>` : ''}</div></li>`;
}

const isBeginning = ({ kind }: Pick<Deadline, 'kind'>) => kind === 'EARLY_VOTING_FROM';

/** Says how far a deadline is, in words: passed, today, or in how many days. */
export function untilDeadline(deadline: Pick<Deadline, 'kind' | 'day'>, today: string): string {
  const { day } = deadline;
  if (day === null) return '';
  if (day < today) return isBeginning(deadline) ? 'Has begun' : 'Passed';
  return day === today ? 'Today' : `In ${counted(daysFrom(today, day), 'day')}`;
}

/** Returns a day and perhaps a time in a language, with the language that it is written in: the browser does not know all. */
export function dayIn(language: string | null, day: string, time: string | null, timeZone: string | null): LocalText {
  const [known = 'en-US'] = language ? Intl.DateTimeFormat.supportedLocalesOf(language) : [];
  const style = {
    dateStyle: 'full',
    ...(time ? { timeStyle: 'short' as const } : {}),
    timeZone: 'UTC',
    numberingSystem: 'latn',
  } as const;
  const text = new Intl.DateTimeFormat(known, style).format(Date.parse(`${day}T${time ?? '00:00'}Z`));
  return { text: `${text}${time ? inZone(timeZone, known) : ''}`, language: known };
}

function deadlineItem(deadline: Deadline, today: string): Html {
  const { label, phrase, day, time, timeZone, basis } = deadline;
  const until = untilDeadline(deadline, today);
  const how =
    basis === 'STATED'
      ? 'Stated for this election'
      : day === null
        ? 'No day is computed from this rule'
        : 'Computed from a rule';
  return html`<li class="spot"><div><p class="name">${localText(label)}</p>
    ${day === null ? '' : html`<p>${localText(dayIn(label.language, day, time, timeZone))}</p>`}
    ${phrase ? html`<p class="small">${localText(phrase)}</p>` : ''}<p class="small">${how}</p></div>${until ? html`<span class="tag${until === 'Passed' ? '' : ' accent'}">${until}</span>` : ''}</li>`;
}

/** Says how old what a source says is, and that a rule from before the election may have changed. */
function ageOf({ basis, asOf, isOlderThanElection, district, url }: Deadline): Html {
  const isRule = basis === 'RULE';
  const other = isOlderThanElection
    ? ', before this election: they may have changed since'
    : ', after this election: they may have been different then';
  return html`<p class="small">${isRule ? html`Rules of <bdi>${district.name}</bdi>` : 'Stated days'} ${asOf ? `as of ${longDay(asOf)}${isRule ? other : ''}` : 'of unknown age'}.${isWebsite(url) ? html` <a href="${url}">Check with the authority</a>` : ''}</p>`;
}

/** Renders the deadlines with the switch of their language and their calendar file. */
function whenToVote({ deadlines, languages: tags, election, date }: Voting, language: string, today: string): Html {
  if (deadlines.length === 0)
    return html`<h3>Deadlines</h3><p class="none">No deadlines of this election are in the data.</p>`;
  const texts = deadlines.flatMap(({ label, phrase }) => [label, phrase]);
  const isPartial = language !== 'en' && texts.some((text) => text && text.language !== language);
  const ages = new Map(
    deadlines.map((each) => [[each.basis, each.asOf, each.district.name, each.url].join('\n'), each]),
  );
  const entries = deadlines.flatMap(({ day, time, kind, label, phrase, district, basis }) => {
    const isRule = basis === 'RULE' && 'Computed from a rule, which may have changed: check with the election office.';
    const description = [phrase?.text, time, isRule].filter(Boolean).join('\n');
    const id = `${date} ${kind} ${district.name}`;
    return day === null
      ? []
      : { day, id, description, summary: `${label.text}: ${election.name}`, url: `${location.origin}/`, today };
  });
  const nameOf = (tag: string) => new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
  return html`<h3>Deadlines</h3>
    ${tags.length > 0 ? html`<p class="switch"><label for="lang">Language of the deadlines</label> <select id="lang" class="in">${['en', ...tags].map((tag) => html`<option value="${tag}" lang="${tag}" .selected=${tag === language}>${nameOf(tag)}</option>`)}</select></p>` : ''}
    ${isPartial ? html`<p class="small">What the source does not have in this language is in English.</p>` : ''}
    <ol class="spots">${deadlines.map((each) => deadlineItem(each, today))}</ol>
    ${entries.length > 0 ? calendarLink(entries, `deadlines-${date}`, 'Add the deadlines to a calendar') : ''}${[...ages.values()].map(ageOf)}`;
}

/** Names the data sets of the card, once each. */
function sourcesOf({ places, deadlines }: Voting): Html {
  const named = new Set(
    [...places.map(({ place }) => place), ...deadlines].flatMap(({ sources }) =>
      sources.map(({ name, license }) => (license ? `${name} (${license})` : name)),
    ),
  );
  return named.size > 0 ? html`<p class="small">Sources: ${[...named].join('; ')}</p>` : '';
}

/** Renders the content of the card for an election. */
export function votingCard(voting: Voting, { lang }: PlaceAddress, today: string): Html {
  // Without a choice, the gateway takes the language of the browser.
  const found = voting.deadlines.find(({ label }) => label.language !== 'en')?.label.language;
  return html`${whereToVote(voting)}${whenToVote(voting, found ?? lang ?? 'en', today)}${sourcesOf(voting)}`;
}
