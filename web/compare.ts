import { html, svg } from 'lit-html';

import { type Answer, today } from './answer.ts';
import { ask, lacksGrant, NoAnswer } from './api.ts';
import { notice } from './ballot.ts';
import { byId, fill, type Html } from './dom.ts';
import type { CompareQuery } from './generated/operations.ts';
import { icon } from './icons.ts';
import { inSentence, typesWithMaps } from './limits.ts';
import type { MapView, Outline } from './map-view.ts';
import { type Drawn, outlinesOf } from './outlines.ts';
import { type Point, rounded } from './place-address.ts';
import { type BoundingBox, frameOf, visibleBox, widthOf } from './projection.ts';
import { openSvgMap } from './svg-map.ts';
import {
  earlyElection,
  isolated,
  kindOf,
  listed,
  longDay,
  mapKindOf,
  moveSentences,
  notIncluded,
  shortDay,
  unknownLayers,
} from './words.ts';

type Layer = NonNullable<CompareQuery['location']['changes']>[number];
type Compared = Layer['onFirstDay'][number];

export interface Comparison {
  readonly at: Point;
  readonly place: string;
  readonly first: string;
  readonly second: string;
  /** The districts of the point between both days, layer by layer; none if the package does not include them. */
  readonly layers: readonly Layer[];
  readonly hasDistricts: boolean;
  /** The districts on the first and on the second day. */
  readonly before: readonly Compared[];
  readonly after: readonly Compared[];
  /** All days on which a map at the point changed. */
  readonly changes: readonly string[];
  /** The types of which the state has maps on each day; undefined if this is not known. */
  readonly maps: Readonly<Record<string, ReadonlySet<string> | undefined>>;
}

/** The district whose map changed, on both days. */
export interface Change {
  readonly old: Compared;
  readonly new: Compared;
  /** The changes of its layer between both days, and the last move among them; without one, the last new boundary. */
  readonly all: Layer['changes'];
  readonly last: Layer['changes'][number];
}

/** Reads the districts of a point on two days. */
export async function readComparison(
  { at, rungs }: Answer,
  place: string,
  { first, second }: Pick<Comparison, 'first' | 'second'>,
  signal: AbortSignal,
): Promise<Comparison> {
  const { location: found } = await ask('Compare', { ...at, first, second }, signal);
  const layers = found.changes ?? [];
  const days = (found.allChanges ?? []).flatMap(({ changes }) =>
    changes.filter(({ kind }) => kind !== 'NO_DATA').map(({ day }) => day),
  );
  const state = rungs.find(({ district }) => district.type === 'STATE')?.district.state;
  const mapsOn = async (day: string) => [day, await typesWithMaps(state, day, signal)] as const;
  return {
    ...{ at, place, first, second, layers, hasDistricts: found.changes !== null },
    before: layers.flatMap(({ onFirstDay }) => onFirstDay),
    after: layers.flatMap(({ onLastDay }) => onLastDay),
    changes: [...new Set(days)].sort(),
    maps: Object.fromEntries(await Promise.all([mapsOn(first), mapsOn(second)])),
  };
}

/** Returns the district of a layer on both days whose map changed: of Congress, if there are several. */
export function changeIn({ layers }: Comparison): Change | undefined {
  const changes = layers.flatMap((layer) => changeOf(layer) ?? []);
  return changes.find(({ old }) => old.district.type === 'CONGRESS') ?? changes.find(isMove) ?? changes[0];
}

function changeOf({ onFirstDay, onLastDay, changes }: Layer): Change | undefined {
  const lacking = (rows: readonly Compared[], others: readonly Compared[], idOf: (row: Compared) => number) => {
    const ids = new Set(others.map(idOf));
    return rows.filter((row) => !ids.has(idOf(row)));
  };
  const ofBoundary = ({ boundary }: Compared) => boundary.databaseId;
  const ofDistrict = ({ district }: Compared) => district.databaseId;
  const old = lacking(onFirstDay, onLastDay, ofBoundary);
  const next = lacking(onLastDay, onFirstDay, ofBoundary);
  const [from] = lacking(old, next, ofDistrict);
  const [to] = lacking(next, old, ofDistrict);
  const same = old.find((row) => next.some((other) => ofDistrict(other) === ofDistrict(row)));
  const pair =
    from && to ? [from, to] : [same, next.find((row) => same !== undefined && ofDistrict(row) === ofDistrict(same))];
  const lastOf = (kind: string) => changes.findLast((each) => each.kind === kind);
  const last = lastOf('MOVED') ?? lastOf('STAYED') ?? changes.at(-1);
  return pair[0] && pair[1] && last && { old: pair[0], new: pair[1], last, all: changes };
}

/** Whether the point is in another district after a change. */
const isMove = ({ old, new: next }: Change) => old.district.databaseId !== next.district.databaseId;
/** The boundary of a district on the other day; a district that ends on that day, and has no newer one, has none. */
const otherOf = ({ district: { other }, boundary }: Compared) =>
  other?.databaseId === boundary.databaseId ? null : other;
export const shortName = (name: string) => name.replace('Congressional District', 'District').replace(/ County$/, '');
const dayName = (day: string) => (day === today ? 'Today' : longDay(day));

/** Renders the text of a comparison: dates, what changed for the point, and all its districts. */
export function comparison(compared: Comparison): Html {
  const { place, first, second, changes, layers } = compared;
  const change = changeIn(compared);
  const moves = moveSentences(layers, shortName);
  const sentences = [...moves, ...(change ? staySentences(change) : [])];
  const unknown = unknownLayers(layers);
  return html`<div class="pad where"><div class="under"><button class="quiet" type="button" data-action="back">Back to ${place}</button><button class="quiet" type="button" data-action="copy">${icon('share')}Copy link</button></div>
    <h1 tabindex="-1">Two maps compared</h1>
    <div class="dates"><div><label for="first-day">Districts on</label><input id="first-day" type="date" .value="${first}" data-day="first"></div>${icon('arrow')}
      <div><label for="second-day">and on</label><input id="second-day" type="date" .value="${second}" data-day="second"></div></div>
    ${changes.length > 0 ? html`<div class="under"><span class="small">Days when a map here changed:</span>${changes.map((day) => html`<button class="btn slim" type="button" data-action="change-day" data-day="${day}" aria-pressed="${String(first < day && day <= second)}">${shortDay(day)}</button>`)}</div>` : ''}
    ${sentences.length > 0 ? sentences.map((each) => html`<p class="sentence">${each}</p>`) : unchanged(compared, unknown)}
    ${compared.hasDistricts && lacksGrant('boundaries') ? notice('info', 'key', notIncluded('Outlines'), 'The maps of both days are not drawn, and their shares are not known here.') : ''}
    ${sentences.length > 0 && unknown ? html`<p class="small">${unknown}</p>` : ''}
    ${
      change?.all.length === 1
        ? html`<div class="verdict"><div><span>Until ${longDay(change.last.day)}</span><b>${change.old.district.name}</b></div>${icon('arrow')}
      <div><span>From ${longDay(change.last.day)}</span><b>${change.new.district.name}</b></div></div>`
        : ''
    }<div id="problem"></div></div>
    <section class="section"><header><h2>All districts of this point</h2><a class="quiet" href="/graphql" data-query="Compare">${icon('braces')}Open in GraphiQL</a></header>
    <table class="same"><thead><tr><th scope="col">District</th><th scope="col">${first === today ? 'Today' : shortDay(first)}</th><th scope="col">${second === today ? 'Today' : shortDay(second)}</th></tr></thead>
    <tbody>${tableRows(compared)}</tbody></table></section>`;
}

/** Says that no map changed, unless a map of one of the days is missing: then the days cannot be compared. */
function unchanged(compared: Comparison, unknown: string): Html {
  if (!compared.hasDistricts) return notice('info', 'key', notIncluded('Districts'), 'Their maps cannot be compared.');
  const missing = missingIn(compared) || (unknown ? `${unknown} ` : '');
  const title = missing ? 'Not all maps of these days can be compared.' : 'No map changed here between these days.';
  return notice('info', 'info', title, `${missing}Choose other days to compare.`);
}

/** Says which districts are known on one of the days only: whether their maps changed is not known. */
function missingIn({ first, second, before, after, maps }: Comparison): string {
  const kinds = (rows: readonly Compared[]) => new Set(rows.map(({ district }) => district.type));
  const missing = (of: readonly Compared[], than: readonly Compared[], day: string) => {
    const types = [...kinds(than)].filter((type) => !kinds(of).has(type));
    const named = (known: boolean) =>
      types
        .filter((type) => (maps[day]?.has(type) ?? true) === known)
        .map((type) => `${inSentence(kindOf(type))}${known ? '' : ' map'}`);
    const [unmapped, none] = [named(false), named(true)];
    return [
      unmapped.length > 0 ? `No ${listed(unmapped)} of ${longDay(day)} is loaded. ` : '',
      none.length > 0 ? `No ${listed(none)} here is in the data for ${longDay(day)}. ` : '',
    ].join('');
  };
  return missing(before, after, first) + missing(after, before, second);
}

/** Says on which days a point stayed in a district whose map changed. */
function staySentences({ old, new: next, all }: Change): Html[] {
  const compared = [old.district.databaseId, next.district.databaseId];
  return all
    .filter(({ kind }) => kind === 'STAYED')
    .map((each) => {
      const { district } = each.before.find(({ district: { databaseId } }) => compared.includes(databaseId)) ?? next;
      const name = shortName(district.name);
      const election = earlyElection(each);
      return html`This point stayed in <bdi>${name}</bdi> when its map changed on ${longDay(each.day)}${election ? html`; the election of ${longDay(election)} was already held in it on the newer map` : ''}.`;
    });
}

function tableRows({ first, second, before, after, maps, hasDistricts }: Comparison): Html[] {
  if (!hasDistricts) return [html`<tr><td colspan="3">${notIncluded('Districts')}</td></tr>`];
  const types = [...new Set([...before, ...after].map(({ district }) => district.type))];
  if (types.length === 0) return [html`<tr><td colspan="3">No map of these days is loaded.</td></tr>`];
  return types.map((type) => {
    const ofType = (rows: readonly Compared[]) => rows.filter(({ district }) => district.type === type);
    const names = (rows: readonly Compared[]) => ofType(rows).map(({ district }) => shortName(district.name));
    const ids = (rows: readonly Compared[]) => ofType(rows).map(({ district }) => district.databaseId);
    const [old, next] = [names(before), names(after)];
    const isSame = ids(before).join() === ids(after).join();
    const none = (day: string) => (maps[day]?.has(type) === false ? 'No map loaded' : 'None in the data');
    const cell = (each: readonly string[], day: string) => (each.length > 0 ? isolated(each) : none(day));
    return html`<tr class="${!isSame ? 'diff' : ''}"><th scope="row">${kindOf(type)}</th><td>${cell(old, first)}</td><td>${isSame ? 'Same' : cell(next, second)}</td></tr>`;
  });
}

/** What is drawn around the compared districts. */
interface Surroundings {
  readonly counties: readonly Outline[];
  /** The other districts of the compared type, on the first and on the second day. */
  readonly neighbors: readonly [readonly Outline[], readonly Outline[]];
}

/** Returns the width of a district in metres, for sorting. */
const sizeOf = ({ district, boundary: { boundingBox } }: Compared) =>
  boundingBox ? widthOf(visibleBox(district.type, boundingBox)) : Number.POSITIVE_INFINITY;

/** The largest area that is read around a point, in degrees. */
const MOST_DEGREES = 5;

/** Draws both maps with one camera. Returns them, to close. */
export async function drawComparison(
  compared: Comparison,
  onPick: (at: Point) => void,
  signal: AbortSignal,
): Promise<readonly MapView[]> {
  const { at, first, second, before, after } = compared;
  const change = changeIn(compared);
  const unchanged = after.filter(({ boundary }) =>
    before.some((old) => old.boundary.databaseId === boundary.databaseId),
  );
  const same = unchanged.find(({ district }) => district.type === 'CONGRESS') ?? unchanged.at(-1);
  const [old, next] = [change?.old ?? same, change?.new ?? same];
  if (!old || !next || lacksGrant('boundaries')) return [];
  // The county, or the compared district where that is smaller.
  const [center = next] = [after.filter(({ district }) => district.type === 'COUNTY'), change ? [old, next] : []]
    .flat()
    .sort((one, other) => sizeOf(one) - sizeOf(other));
  const kind = mapKindOf(next.district.type);
  const since = next.boundary.startDate;
  const sides = [
    {
      ...{ day: first, of: old, other: next, css: change ? 'm-d old' : 'm-d on', ghost: 'm-ghost' },
      ...{ hatch: 'm-lost', part: 'lost' },
      note: change
        ? `${kind} map of ${old.boundary.startDate.slice(0, 4)}, until ${shortDay(old.boundary.endDate ?? since)}`
        : '',
    },
    {
      ...{ day: second, of: next, other: old, css: 'm-d on', ghost: 'm-ghost old' },
      ...{ hatch: 'm-gained', part: 'gained' },
      note: change ? `${kind} map of ${since.slice(0, 4)}, from ${shortDay(since)}` : '',
    },
  ];
  fill(
    byId('pair'),
    html`${sides.map(({ day, note, css, of, hatch, part }, index) => html`<figure><svg class="map" id="side-${index}" role="img" tabindex="0" aria-label="Map of ${dayName(day)}"><use href="#land"/></svg><figcaption class="${css.includes('old') ? 'old' : ''}"><b>${dayName(day)}</b> ${note}${change ? partsLegend({ css, hatch, part, of }) : ''}</figcaption></figure>`)}`,
  );
  const others = change
    ? [old, next].flatMap((each) => {
        const boundary = otherOf(each);
        return boundary ? [{ district: each.district, boundary }] : [];
      })
    : [];
  const shapes = await outlinesOf([old, next, ...others].flatMap(drawable), 1 / 400, signal);
  const views: MapView[] = [];
  const show = (surroundings?: Surroundings) => {
    for (const [index, { of, other, css, ghost, day, hatch, part }] of sides.entries()) {
      const outline = ({ district, boundary }: Compared, look: string): Outline => ({
        ...{ databaseId: boundary.databaseId, type: district.type, css: look },
        shape: shapes.get(boundary.databaseId),
      });
      const around = [...(surroundings?.counties ?? []), ...(surroundings?.neighbors[index] ?? [])];
      const outside = shapes.get(otherOf(of)?.databaseId ?? -1) ?? null;
      const moved = change ? [{ ...outline(of, hatch), outside }] : [];
      views[index]?.show({
        day,
        pin: at,
        label: `Map of ${dayName(day)}: the point is in ${of.district.name}${change ? `; hatched is what it ${part}` : ''}`,
        outlines: [
          ...around.filter(({ databaseId }) => databaseId !== of.boundary.databaseId),
          { ...outline(of, css), name: shortName(of.district.name) },
          ...moved,
          ...(change ? [outline(other, ghost)] : []),
        ],
      });
    }
  };
  for (const index of sides.keys()) {
    const svg = document.querySelector<SVGSVGElement>(`#side-${index}`);
    if (svg) views.push(openSvgMap(svg, onPick, (frame) => views[1 - index]?.fit(frame)));
  }
  show();
  const { boundingBox } = center.boundary;
  if (boundingBox) {
    const box = visibleBox(center.district.type, boundingBox);
    for (const view of views) view.fit(frameOf(box, 0.3));
    readSurroundings(compared, next.district.type, box, signal).then(show, (error) => {
      // The maps are complete without it.
      if (!signal.aborted && !(error instanceof NoAnswer)) throw error;
    });
  }
  return views;
}

/** Reads the counties and the districts of a type around a point, on both days. */
async function readSurroundings(
  { at, first, second }: Comparison,
  type: string,
  { west, south, east, north }: BoundingBox,
  signal: AbortSignal,
): Promise<Surroundings> {
  const half = Math.min(MOST_DEGREES, 3 * Math.max(east - west, north - south)) / 2;
  const { latitude, longitude } = rounded(at);
  const box = {
    ...{ west: Math.max(-180, longitude - half), east: Math.min(180, longitude + half) },
    ...{ south: Math.max(-90, latitude - half), north: Math.min(90, latitude + half) },
  };
  const { area } = await ask('Surroundings', { box, first, second, type }, signal);
  const outlinesIn = async (shares: typeof area.first, of: string, css: string): Promise<Outline[]> => {
    const found = (shares ?? []).flatMap(({ district: { name, boundary } }) =>
      boundary ? [{ district: { type: of, name }, boundary }] : [],
    );
    const shapes = await outlinesOf(found.flatMap(drawable), 1 / 200, signal);
    return found.map(({ district, boundary: { databaseId } }) => ({
      ...{ databaseId, type: of, css, name: shortName(district.name) },
      shape: shapes.get(databaseId),
    }));
  };
  const isCounty = type === 'COUNTY';
  return {
    counties: await outlinesIn(area.counties, 'COUNTY', 'm-county'),
    neighbors: [
      isCounty ? [] : await outlinesIn(area.first, type, 'm-county near'),
      isCounty ? [] : await outlinesIn(area.second, type, 'm-county near'),
    ],
  };
}

/** Explains the areas of a compared district; one that the other map does not have kept nothing. */
function partsLegend({ css, hatch, part, of }: Record<'css' | 'hatch' | 'part', string> & { of: Compared }): Html {
  const swatch = (lines?: Html) =>
    html`<svg viewBox="0 0 32 13" aria-hidden="true"><rect class="${css}" x="1" y="1" width="30" height="11"/>${lines}</svg>`;
  const path = part === 'lost' ? 'M2 11l9-9M11 11l9-9M20 11l9-9' : 'M2 2l9 9M11 2l9 9M20 2l9 9';
  return html`<ul class="keys"><li>${swatch(svg`<path class="hatch-line ${hatch}" d="${path}"/>`)}${part} by <bdi>${shortName(of.district.name)}</bdi></li>${otherOf(of) ? html`<li>${swatch()}kept</li>` : ''}</ul>`;
}

function drawable({
  district,
  boundary: { id, databaseId, boundingBox },
}: {
  readonly district: { readonly type: string };
  readonly boundary: Pick<Compared['boundary'], 'id' | 'databaseId' | 'boundingBox'>;
}): Drawn[] {
  return boundingBox ? [{ id, databaseId, type: district.type, box: boundingBox }] : [];
}
