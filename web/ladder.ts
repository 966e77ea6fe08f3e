import { html } from 'lit-html';
import type { Holder, Office, Rung } from './data.ts';
import { type Html, isWebsite } from './dom.ts';
import { icon } from './icons.ts';
import type { Point } from './place-address.ts';
import { frameOf, pathOf, project, visibleBox } from './projection.ts';
import { counted, kindOf, listed, mapSince, notIncluded, partyTag, shortDay } from './words.ts';

/** The names of more officeholders than this are a number. */
const MOST_NAMES = 3;

/** Renders the districts of a point from the country down, with the officeholders of each. */
export function ladder(
  rungs: readonly Rung[],
  chosen: number | undefined,
  at: Point,
  stamps: ReadonlyMap<number, unknown> = new Map(),
): Html {
  return html`<ol class="ladder">${rungs.map((each) => rung(each, each.district.databaseId === chosen, stamp(each, stamps.get(each.boundary.databaseId), at)))}</ol>`;
}

function rung({ district, boundary }: Rung, isChosen: boolean, picture: Html): Html {
  const isRedrawn = district.boundaries.length > 1;
  return html`<li class="rung${isChosen ? ' on' : ''}" data-district="${district.databaseId}">
    ${
      boundary.boundingBox
        ? html`<button class="stamp" type="button" data-action="choose" data-district="${district.databaseId}"
      aria-label="Show ${district.name} on the map" aria-pressed="${String(isChosen)}">${picture}</button>`
        : html`<span></span>`
    }
    <div>
      <div class="rung-head"><p class="kind">${kindOf(district.type, district.state)}</p><h3>${district.name}</h3>
        ${isRedrawn ? html`<span class="tag moved">${mapSince(boundary.startDate, shownDay())}</span>` : ''}</div>
      ${outdated(district)}${people(district, isChosen)}
    </div></li>`;
}

/** Renders the officeholders of a district: on a phone as their names, which open, but for the chosen district. */
function people({ offices, type, state }: Rung['district'], isOpen: boolean): Html {
  const all = holders(offices && headsFirst(offices), kindOf(type, state));
  const names = (offices ?? []).flatMap(({ officeholders }) => officeholders ?? []).map(nameOf);
  if (names.length === 0 || !matchMedia('(max-width: 40rem)').matches) return all;
  const summary = names.length > MOST_NAMES ? counted(names.length, 'officeholder') : listed(names);
  return html`<details class="people" ?open=${isOpen}><summary>${summary}</summary>${all}</details>`;
}

/** Says that the map of a district is out of date; nothing if no newer one is known. */
export function outdated({ newerMap }: { readonly newerMap: { readonly sentence: string } | null }): Html {
  return newerMap !== null ? html`<p class="cav">${newerMap.sentence}</p>` : '';
}

/** Returns the day of districts that the page shows. */
const shownDay = () => document.querySelector<HTMLInputElement>('#day')?.value || (document.body.dataset.today ?? '');

/** Returns the picture of a district for its stamp: its outline with the point in it. */
function stamp({ district: { type }, boundary }: Rung, outline: unknown, at: Point): Html {
  if (!boundary.boundingBox || !outline) return html`<svg aria-hidden="true"></svg>`;
  const { x, y, width, height } = frameOf(visibleBox(type, boundary.boundingBox));
  const size = Math.max(width, height);
  const [atX, atY] = project([at.longitude, at.latitude]);
  const decimals = size > 1_000 ? 0 : size > 50 ? 1 : 3;
  return html`<svg aria-hidden="true" viewBox="${[x + (width - size) / 2, y + (height - size) / 2, size, size].join(' ')}">
    <path d="${pathOf(outline, decimals)}"/><circle cx="${atX}" cy="${atY}" r="${size * 0.085}"/></svg>`;
}

export function holders(offices: readonly Office[] | null | undefined, kind: string): Html {
  const none = (text: string) => html`<p class="none">${text}</p>`;
  if (!offices) return none(notIncluded('Officeholders'));
  if (offices.length === 0)
    return none(`No offices of this ${kind.replace(/^[A-Z](?!\.)/, (first) => first.toLowerCase())} are in the data.`);
  const held = offices.flatMap((office) => (office.officeholders ?? []).map((holder) => card(office, holder)));
  const vacant = offices.filter(({ officeholders }) => officeholders?.length === 0).map(({ fullName }) => fullName);
  return html`${held.length > 0 ? html`<ul class="holders two">${held}</ul>` : ''}${
    vacant.length > 0
      ? none(`No holder in the data for ${listed([...new Set(vacant)])}. Whether anyone holds the office is not known.`)
      : ''
  }`;
}

/** Returns as of which days the officeholders are current, oldest first: each by the newest of its sources. */
export function holderDates(
  offices: readonly Pick<Office, 'officeholders'>[],
): { readonly name: string; readonly asOf: string }[] {
  const newest = offices
    .flatMap(({ officeholders }) => officeholders ?? [])
    .flatMap(({ sources }) => {
      const dated = sources.flatMap(({ name, asOf }) => (asOf ? [{ name, asOf }] : []));
      return dated.sort((one, other) => one.asOf.localeCompare(other.asOf)).slice(-1);
    });
  const different = new Map(newest.map((source) => [`${source.asOf} ${source.name}`, source]));
  return [...different.values()].sort((one, other) => one.asOf.localeCompare(other.asOf));
}

/** Puts the president and the governor first; the other offices remain in the order of the API. */
function headsFirst(offices: readonly Office[]): Office[] {
  const isHead = ({ name }: Office) => /^(President|Governor)( of |$)/.test(name);
  return [...offices.filter(isHead), ...offices.filter((office) => !isHead(office))];
}

const nameOf = ({ person }: Pick<Holder, 'person'>) => person?.name ?? 'Name not known';

/** Returns how a person in office holds it, where the source says more than that. */
const heldAs = (status: string) => !['Current', 'Former', 'Upcoming'].includes(status) && status;

function card(office: Office, { status, person, party, startDate, endDate, contacts }: Holder): Html {
  const name = nameOf({ person });
  const all = contacts ?? [];
  const first = [all.find(isPhone), all.find(hasWebsite)].filter((contact) => contact !== undefined);
  const more = all.filter((contact) => !first.includes(contact));
  return html`<li class="holder"><div>
      <p class="office">${office.fullName}</p><p class="name"><bdi>${name}</bdi></p>
      <p class="since">${partyTag(party)}${heldAs(status) ? html`<span class="tag">${heldAs(status)}</span>` : ''}<span>${term(startDate, endDate)}</span></p>
      ${photo(person?.imageUrl, name)}
      ${more.length > 0 ? html`<details><summary class="small">More ways to reach</summary>${more.map((contact) => html`<p class="small">${contact.type}: ${furtherLink(contact)}</p>`)}</details>` : ''}
    </div>${first.length > 0 ? html`<div class="reach">${first.map((contact) => firstLink(contact, name))}</div>` : ''}</li>`;
}

/** Links to a picture, which is at a third party: to show it here would tell that party of each visitor. */
function photo(url: string | null | undefined, name: string): Html | string {
  if (!url?.startsWith('https://') || !URL.canParse(url)) return '';
  return html`<p class="small"><a href="${url}">Photo<span class="vh"> of ${name}</span></a> (at ${new URL(url).host})</p>`;
}

function term(start: string | null | undefined, end: string | null | undefined): string {
  if (start && end) return `Term ${shortDay(start)} to ${shortDay(end)}`;
  if (start) return `Since ${shortDay(start)}`;
  return end ? `Until ${shortDay(end)}` : '';
}

type Contact = NonNullable<Holder['contacts']>[number];

const isPhone = ({ typeCode }: Contact) => typeCode === 'PHONE';
const hasWebsite = ({ typeCode, value }: Contact) => typeCode === 'WEBSITE' && isWebsite(value);

function dialled(value: string): string {
  const number = value.replace(/[^\d+]/g, '');
  return /^\d{10}$/.test(number) ? `+1${number}` : number;
}

/** Returns the link of the first telephone number or website of a person, which are shown at once. */
function firstLink(contact: Contact, name: string): Html {
  const { value } = contact;
  return isPhone(contact)
    ? html`<a href="tel:${dialled(value)}">${icon('phone')}${value}</a>`
    : html`<a href="${value}">${icon('globe')}Website<span class="vh"> of ${name}</span></a>`;
}

/** Returns a further contact of a person, as a link if its type has one. */
function furtherLink(contact: Contact): Html {
  const { typeCode, value } = contact;
  if (isPhone(contact)) return html`<a href="tel:${dialled(value)}">${value}</a>`;
  if (hasWebsite(contact)) return html`<a href="${value}">${value.replace(/^https?:\/\/(www\.)?|\/$/g, '')}</a>`;
  if (typeCode === 'EMAIL') return html`<a href="mailto:${encodeURIComponent(value).replace('%40', '@')}">${value}</a>`;
  return html`${value}`;
}
