import { type Answer, today } from './answer.ts';
import { ask, NoAnswer } from './api.ts';
import { notice } from './ballot.ts';
import type { CompareQuery } from './generated/operations.ts';
import { byId, fill, type Html, html } from './html.ts';
import { icon } from './icons.ts';
import { inSentence, typesWithMaps } from './limits.ts';
import type { MapView, Outline } from './map-view.ts';
import { type Drawn, outlinesOf } from './outlines.ts';
import { type Point, rounded } from './place-address.ts';
import { type BoundingBox, frameOf, visibleBox, widthOf } from './projection.ts';
import { openSvgMap } from './svg-map.ts';
import { isolated, kindOf, listed, longDay, mapKindOf, moveSentence, shortDay } from './words.ts';

type Compared = NonNullable<CompareQuery['location']['first']>[number];

export interface Comparison {
  readonly at: Point;
  readonly place: string;
  readonly first: string;
  readonly second: string;
  /** The districts on the first and on the second day. */
  readonly before: readonly Compared[];
  readonly after: readonly Compared[];
  /** The days on which a map at the point changed. */
  readonly changes: readonly string[];
  /** The date of the first election that used the newer map of a type, by the type and the first day of the map. */
  readonly firstElections: Readonly<Record<string, string>>;
  /** The types of which the state has maps on each day; undefined if this is not known. */
  readonly maps: Readonly<Record<string, ReadonlySet<string> | undefined>>;
}

/** The district whose map changed, on both days. */
interface Change {
  readonly old: Compared;
  readonly new: Compared;
}

/** Reads the districts of a point on two days. */
export async function readComparison(
  { at, rungs }: Answer,
  place: string,
  { first, second }: Pick<Comparison, 'first' | 'second'>,
  signal: AbortSignal,
): Promise<Comparison> {
  const { location: found } = await ask('Compare', { ...at, first, second }, signal);
  const starts = rungs.flatMap(({ district }) =>
    district.boundaries
      .map(({ startDate }) => startDate)
      .sort()
      .slice(1),
  );
  const [before, after] = [found.first ?? [], found.second ?? []];
  const state = rungs.find(({ district }) => district.type === 'STATE')?.district.state;
  const mapsOn = async (day: string) => [day, await typesWithMaps(state, day, signal)] as const;
  const maps = Object.fromEntries(await Promise.all([mapsOn(first), mapsOn(second)]));
  const firstElections = Object.fromEntries(
    (found.changes ?? []).flatMap(({ type, changes }) =>
      changes.flatMap(({ day, firstRace }) =>
        firstRace?.election ? [[`${type} ${day}`, firstRace.election.date]] : [],
      ),
    ),
  );
  return { at, place, first, second, before, after, maps, firstElections, changes: [...new Set(starts)].sort() };
}

/** Returns the district of each type on both days where its map changed; of Congress if there are several. */
export function changeIn({ before, after }: Comparison): Change | undefined {
  const changes = before.flatMap((old) => {
    const next = after.find(({ district }) => district.type === old.district.type);
    return next && next.boundary.databaseId !== old.boundary.databaseId ? [{ old, new: next }] : [];
  });
  return changes.find(({ old }) => old.district.type === 'CONGRESS') ?? changes[0];
}

/** Whether the point is in another district after a change. */
const isMove = ({ old, new: next }: Change) => old.district.databaseId !== next.district.databaseId;
export const shortName = (name: string) => name.replace('Congressional District', 'District').replace(/ County$/, '');
const dayName = (day: string) => (day === today ? 'Today' : longDay(day));

/** Renders the text of a comparison: dates, what changed for the point, and all its districts. */
export function comparison(compared: Comparison): Html {
  const { place, first, second, changes } = compared;
  const change = changeIn(compared);
  return html`<div class="pad where"><div class="under"><button class="quiet" type="button" data-action="back">Back to ${place}</button><button class="quiet" type="button" data-action="copy">${icon('share')}Copy link</button></div>
    <h1 tabindex="-1">Two maps compared</h1>
    <div class="dates"><div><label for="first-day">Districts on</label><input id="first-day" type="date" value="${first}" data-day="first"></div>${icon('arrow')}
      <div><label for="second-day">and on</label><input id="second-day" type="date" value="${second}" data-day="second"></div></div>
    ${changes.length > 0 && html`<div class="under"><span class="small">Days when a map here changed:</span>${changes.map((day) => html`<button class="btn slim" type="button" data-action="change-day" data-day="${day}" aria-pressed="${String(first < day && day <= second)}">${shortDay(day)}</button>`)}</div>`}
    ${
      change
        ? html`<p class="sentence">${moveOf(change, compared)}</p><div class="verdict"><div><span>Until ${longDay(change.new.boundary.startDate)}</span><b>${change.old.district.name}</b></div>${icon('arrow')}
      <div><span>From ${longDay(change.new.boundary.startDate)}</span><b>${change.new.district.name}</b></div></div>
`
        : unchanged(missingIn(compared))
    }<div id="problem"></div></div>
    <section class="section"><header><h2>All districts of this point</h2><a class="quiet" href="/graphql" data-query="Compare">${icon('braces')}Open in GraphiQL</a></header>
    <table class="same"><thead><tr><th scope="col">District</th><th scope="col">${first === today ? 'Today' : shortDay(first)}</th><th scope="col">${second === today ? 'Today' : shortDay(second)}</th></tr></thead>
    <tbody>${tableRows(compared)}</tbody></table></section>`;
}

/** Says that no map changed, unless a map of one of the days is missing: then the days cannot be compared. */
function unchanged(missing: string): Html {
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

/** Says what the newer map changed for the point. */
function moveOf({ old, new: next }: Change, { firstElections }: Comparison): Html {
  const day = next.boundary.startDate;
  const [from, to] = [shortName(old.district.name), shortName(next.district.name)];
  const election = firstElections[`${next.district.type} ${day}`];
  if (isMove({ old, new: next })) return moveSentence({ day, from, to, election });
  const already =
    election !== undefined &&
    election < day &&
    html`; the election of ${longDay(election)} was already held in it on the newer map`;
  return html`This point stayed in <bdi>${to}</bdi> when its map changed on ${longDay(day)}${already}.`;
}

function tableRows({ first, second, before, after, maps }: Comparison): Html[] {
  const types = [...new Set([...before, ...after].map(({ district }) => district.type))];
  return types.map((type) => {
    const names = (rows: readonly Compared[]) =>
      rows.filter(({ district }) => district.type === type).map(({ district }) => shortName(district.name));
    const [old, next] = [names(before), names(after)];
    const isSame = old.join() === next.join();
    const none = (day: string) => (maps[day]?.has(type) === false ? 'No map loaded' : 'None in the data');
    const cell = (each: readonly string[], day: string) => (each.length > 0 ? isolated(each) : none(day));
    return html`<tr class="${!isSame && 'diff'}"><th scope="row">${kindOf(type)}</th><td>${cell(old, first)}</td><td>${isSame ? 'Same' : cell(next, second)}</td></tr>`;
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
  if (!old || !next) return [];
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
      note: change && `${kind} map of ${old.boundary.startDate.slice(0, 4)}, until ${shortDay(since)}`,
    },
    {
      ...{ day: second, of: next, other: old, css: 'm-d on', ghost: 'm-ghost old' },
      ...{ hatch: 'm-gained', part: 'gained' },
      note: change && `${kind} map of ${since.slice(0, 4)}, from ${shortDay(since)}`,
    },
  ];
  fill(
    byId('pair'),
    html`${sides.map(({ day, note, css, of, hatch, part }, index) => html`<figure><svg class="map" id="side-${index}" role="img" tabindex="0" aria-label="Map of ${dayName(day)}"><use href="#land"/></svg><figcaption class="${css.includes('old') && 'old'}"><b>${dayName(day)}</b>${note}${change && partsLegend({ css, hatch, part, of })}</figcaption></figure>`)}`,
  );
  const others = change
    ? [old, next].flatMap(({ district }) => (district.other ? [{ district, boundary: district.other }] : []))
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
      const outside = shapes.get(of.district.other?.databaseId ?? -1) ?? null;
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
function partsLegend({
  css,
  hatch,
  part,
  of: { district },
}: Record<'css' | 'hatch' | 'part', string> & { of: Compared }): Html {
  const swatch = (lines?: Html) =>
    html`<svg viewBox="0 0 32 13" aria-hidden="true"><rect class="${css}" x="1" y="1" width="30" height="11"/>${lines}</svg>`;
  const path = part === 'lost' ? 'M2 11l9-9M11 11l9-9M20 11l9-9' : 'M2 2l9 9M11 2l9 9M20 2l9 9';
  return html`<ul class="keys"><li>${swatch(html`<path class="hatch-line ${hatch}" d="${path}"/>`)}${part} by <bdi>${shortName(district.name)}</bdi></li>${district.other && html`<li>${swatch()}kept</li>`}</ul>`;
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
