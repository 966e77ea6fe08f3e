import { html } from 'lit-html';
import type { Office } from './data.ts';
import type { Html } from './dom.ts';
import type { AreaQuery } from './generated/operations.ts';
import { holders, outdated } from './ladder.ts';
import { grouped, kindOf, listed, notIncluded, percent, pluralOf } from './words.ts';

/** A district that an area lies in, as a whole or in part. */
export type Share = NonNullable<NonNullable<AreaQuery['area']>['districts']>[number] & {
  readonly addressShare?: number | null;
};

/** The districts of one type that an area lies in. */
export interface Layer {
  readonly type: string;
  readonly shares: readonly Share[];
}

/** The layers that are listed for an area: those that elect the offices of most people. */
export const AREA_TYPES = [
  'COUNTRY',
  'STATE',
  'CONGRESS',
  'STATE_LEGISLATIVE_UPPER',
  'STATE_LEGISLATIVE_LOWER',
  'COUNTY',
  'COUNTY_SUBDIVISION',
  'CITY_TOWN',
  'SCHOOL_DISTRICT',
] as const;

/** Returns what the query of an area takes: a district by its `databaseId`, or a ZIP code. */
export const areaVariables = (area: number | undefined, zip: string | undefined, on?: string) => ({
  ...(zip ? { code: zip } : { district: area }),
  ...{ isZip: zip !== undefined, on, types: AREA_TYPES },
});

/** Returns the layers of an area, from the country down. */
export function layersOf(shares: readonly Share[]): Layer[] {
  const byType = Map.groupBy(shares, ({ district }) => district.type);
  return [...byType].map(([type, ofType]) => ({ type, shares: ofType }));
}

/** Returns whether an area lies in several districts of a layer. */
export const isDivided = ({ shares }: Layer) => shares.length > 1;

/** Shares up to this one may come from outlines that were simplified apart from each other. */
const SMALL_SHARE = 0.02;

/** Says in which U.S. House districts an area lies; nothing if it lies in one. */
export function dividedSentence(layers: readonly Layer[], place: string): string {
  const congress = layers.find((layer) => layer.type === 'CONGRESS' && isDivided(layer));
  return congress !== undefined ? `${place} lies in ${grouped(congress.shares.length)} U.S. House districts.` : '';
}

/** Renders one layer: the district with its officeholders if the whole area lies in it, otherwise all with their shares. */
export function layerContent({ type, shares }: Layer): Html {
  const [only] = shares;
  const note = only && outdated(only.district);
  if (only && shares.length === 1 && only.isWhole)
    return html`${note}${holders(only.district.offices as readonly Office[], kindOf(type))}`;
  const sorted = [...shares].sort((one, other) => shareOf(other) - shareOf(one));
  const what = shares.some(({ addressShare }) => addressShare != null) ? 'addresses' : 'area';
  const isSimplified = sorted.some(({ areaShare, district }) => areaShare < SMALL_SHARE && !district.boundary?.precise);
  const list = html`<ul class="shares">${sorted.map(
    (share) =>
      html`<li><span class="who"><bdi>${share.district.name}</bdi></span><span class="small">${percent(shareOf(share))}</span><span class="small">${namesOf(share)}</span></li>`,
  )}</ul>`;
  return html`${note}<p class="small">Shares of the ${what}.${isSimplified ? ' The outlines are simplified: the smallest shares may be due to that.' : ''}</p>
    ${shares.length > MOST_OPEN ? html`<details><summary class="small">Show all ${grouped(shares.length)}</summary>${list}</details>` : list}`;
}

/** More districts than this are behind a button. */
const MOST_OPEN = 60;

/** Returns the heading of a layer: the name of its district, or how many there are. */
export function layerTitle({ type, shares }: Layer): string {
  const [only] = shares;
  if (!only || shares.length > 1) return `${grouped(shares.length)} ${pluralOf(type)}`;
  return only.isWhole ? only.district.name : `Partly in ${only.district.name}`;
}

const shareOf = ({ addressShare, areaShare }: Share) => addressShare ?? areaShare;

/** Returns who holds the offices of a district, in one line. */
function namesOf({ district: { offices } }: Share): string {
  if (!offices) return notIncluded('Officeholders');
  const names = offices.flatMap(({ officeholders }) =>
    (officeholders ?? []).map(({ person, party }) =>
      [person?.name ?? 'Name not known', party?.name].filter(Boolean).join(', '),
    ),
  );
  if (names.length > 0) return listed(names);
  return offices.length > 0 ? 'No holder in the data' : '';
}
