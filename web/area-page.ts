import { html } from 'lit-html';
import { today } from './answer.ts';
import { ask } from './api.ts';
import {
  areaVariables,
  dividedSentence,
  isDivided,
  type Layer,
  layerContent,
  layersOf,
  layerTitle,
  type Share,
} from './area.ts';
import { notice } from './ballot.ts';
import type { Html } from './dom.ts';
import { howToChoose, ofPage } from './findable.ts';
import type { Outline, Scene } from './map-view.ts';
import { outlinesOf } from './outlines.ts';
import type { PlaceAddress } from './place-address.ts';
import { asOfText, footer, head, type PageParts } from './place-page.ts';
import { type BoundingBox, type Frame, frameOf, visibleBox } from './projection.ts';
import { drawable } from './scenes.ts';
import { votingHelp } from './voting-help.ts';
import { kindOf, longDay, notIncluded } from './words.ts';

/** What is known about the area that the page shows. */
export interface AreaAnswer {
  /** The name of the area, with the whole name of its state. */
  readonly title: string;
  /** The district of which this is the area; undefined for a ZIP code. */
  readonly own: Share | undefined;
  readonly state: Share['district'] | undefined;
  readonly layers: readonly Layer[];
  /** Whether the package includes districts. */
  readonly hasDistricts: boolean;
}

/** Reads the districts of an area; undefined if there is no such area. */
export async function readArea(
  { area, zip, on, name }: PlaceAddress,
  signal: AbortSignal,
): Promise<AreaAnswer | undefined> {
  const found = await ask('Area', areaVariables(area, zip, on), signal);
  const shown = found.area ?? found.zip;
  if (!shown) return undefined;
  const shares: readonly Share[] = shown.districts ?? [];
  const district = found.area?.district;
  const state = shares.find((share) => share.district.type === 'STATE' && share.isWhole)?.district;
  const short = district
    ? [district.name, district.type === 'STATE' ? undefined : state?.name]
    : [zip ?? name, state?.name];
  return {
    title: short.filter(Boolean).join(', '),
    own: shares.find((share) => share.district.databaseId === district?.databaseId),
    state,
    layers: layersOf(shares),
    hasDistricts: shown.districts !== null,
  };
}

/** Returns the page of an area: the districts that it lies in. What is on a ballot depends on the point. */
export function areaPage(
  { title, layers, hasDistricts, state }: AreaAnswer,
  address: PlaceAddress,
  parts: PageParts,
): Html {
  const place = title.split(', ')[0] ?? title;
  const divided = dividedSentence(layers, place);
  const advice = `${howToChoose(ofPage.findable, 'click the map')} to see which one is yours.`;
  const rungs = layers.flatMap(({ shares }) =>
    shares.flatMap(({ district }) => (district.boundary ? [{ district, boundary: district.boundary }] : [])),
  );
  return html`${head(title, address)}
    <section class="section" id="people"><header><h2>Who represents ${place}</h2><p>The districts that ${place} lies in ${address.on ? `on ${longDay(address.on)}` : 'today'}, from the country down, and who holds office in each${asOfText(rungs)}.</p></header>
      ${!hasDistricts ? notice('info', 'key', notIncluded('Districts'), 'Ask the operator of this server for the grant “districts”.') : ''}
      ${hasDistricts && layers.length === 0 ? notice('info', 'info', 'No outline of this place is in the data for this day.', 'Choose another day, or click the map.') : ''}
      ${divided ? notice('info', 'info', divided, advice) : ''}
      <ol class="ladder">${layers.map((layer) => html`<li class="rung whole-area${isDivided(layer) ? ' divided' : ''}"><div><div class="rung-head"><p class="kind">${kindOf(layer.type)}</p><h3>${layerTitle(layer)}</h3></div>${layerContent(layer)}</div></li>`)}</ol><div id="missing">${parts.missing}</div></section>
    <section class="section" id="elections"><header><h2>Elections and ballot</h2></header><p>What is on a ballot depends on the address. ${howToChoose(ofPage.findable, 'click your place on the map')}.</p>${votingHelp(state?.electionOffice)}</section>${footer(rungs, parts)}`;
}

/** Returns the frame of an area: of its district, otherwise of all districts of its smallest layer. */
export function areaFrame({ own, layers }: AreaAnswer): Frame | undefined {
  const shares = own ? [own] : (layers.at(-1)?.shares ?? []);
  const boxes = shares.flatMap(({ district: { type, boundary } }) =>
    boundary?.boundingBox ? [visibleBox(type, boundary.boundingBox)] : [],
  );
  return boxes.length > 0 ? frameOf(boxes.reduce(joined), 0.12) : undefined;
}

const joined = (one: BoundingBox, other: BoundingBox): BoundingBox => ({
  west: Math.min(one.west, other.west),
  south: Math.min(one.south, other.south),
  east: Math.max(one.east, other.east),
  north: Math.max(one.north, other.north),
});

/** Returns what the map shows of an area: its outline, and those of the U.S. House districts that divide it. */
export async function areaScene(
  { title, own, layers }: AreaAnswer,
  on: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Scene> {
  const congress = layers.find(({ type }) => type === 'CONGRESS')?.shares ?? [];
  const lines = [
    ...congress.map((share) => [share, 'm-d county'] as const),
    ...(own ? [[own, 'm-d on'] as const] : []),
  ].flatMap(([{ district }, css]) => (district.boundary ? [{ district, boundary: district.boundary, css }] : []));
  const shapes = signal ? await outlinesOf(drawable(lines), 1 / 400, signal) : new Map<number, unknown>();
  return {
    day: on ?? today,
    label: `Map of ${title}. The list beside the map names its districts. Arrow keys move the map, Enter chooses its center.`,
    outlines: lines.map(
      ({ district, boundary, css }): Outline => ({
        ...{ databaseId: boundary.databaseId, type: district.type, css, name: district.name },
        shape: shapes.get(boundary.databaseId),
      }),
    ),
  };
}
