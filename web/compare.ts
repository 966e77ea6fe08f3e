import { notice } from './ballot.ts';
import type { CompareQuery } from './generated/operations.ts';
import { byId, fill, type Html, html } from './html.ts';
import { icon } from './icons.ts';
import { mapRule, type Rule } from './map-rule.ts';
import type { MapView } from './map-view.ts';
import { outlinesOf } from './outlines.ts';
import type { Point } from './place-address.ts';
import { frameOf, visibleBox } from './projection.ts';
import { openSvgMap } from './svg-map.ts';
import { kindOf, longDay, mapKindOf, shortDay } from './words.ts';

type Compared = NonNullable<CompareQuery['location']['first']>[number];

export interface Comparison {
  readonly at: Point;
  readonly place: string;
  readonly first: string;
  readonly second: string;
  readonly today: string;
  /** The districts on the first and on the second day. */
  readonly before: readonly Compared[];
  readonly after: readonly Compared[];
  /** The days on which a map at the point changed. */
  readonly changes: readonly string[];
}

/** The district whose map changed, on both days. */
interface Change {
  readonly old: Compared;
  readonly new: Compared;
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
const shortName = (name: string) => name.replace('Congressional District', 'District').replace(/ County$/, '');
const dayName = (day: string, today: string) => (day === today ? 'Today' : longDay(day));

/** Renders the text of a comparison: dates, what changed for the point, and all its districts. */
export function comparison(compared: Comparison): Html {
  const { place, first, second, today, before, after, changes } = compared;
  const change = changeIn(compared);
  return html`<div class="pad where"><button class="quiet" type="button" data-action="back">Back to ${place}</button>
    <h1 tabindex="-1">Two maps compared</h1>
    <div class="dates"><div><label for="first-day">Districts on</label><input id="first-day" type="date" value="${first}" data-day="first"></div>${icon('arrow')}
      <div><label for="second-day">and on</label><input id="second-day" type="date" value="${second}" data-day="second"></div></div>
    ${changes.length > 0 && html`<div class="under"><span class="small">Days when a map here changed:</span>${changes.map((day) => html`<button class="btn slim" type="button" data-action="change-day" data-day="${day}" aria-pressed="${String(first < day && day <= second)}">${shortDay(day)}</button>`)}</div>`}
    ${
      change
        ? html`<div class="verdict"><div><span>Until ${longDay(change.new.boundary.startDate)}</span><b>${change.old.district.name}</b></div>${icon('arrow')}
      <div><span>From ${longDay(change.new.boundary.startDate)}</span><b>${change.new.district.name}</b></div></div>
      <p>${moveOf(change)}</p>`
        : notice('info', 'info', 'No map changed here between these days.', 'Choose other days to compare.')
    }</div>
    <section class="section"><header><h2>All districts of this point</h2><a class="quiet" href="/graphql" data-query="Compare">${icon('braces')}Open in GraphiQL</a></header>
    <table class="same"><thead><tr><th scope="col">District</th><th scope="col">${first === today ? 'Today' : shortDay(first)}</th><th scope="col">${second === today ? 'Today' : shortDay(second)}</th></tr></thead>
    <tbody>${tableRows(before, after)}</tbody></table></section>`;
}

function moveOf({ old, new: next }: Change): string {
  const year = next.boundary.startDate.slice(0, 4);
  if (!isMove({ old, new: next })) {
    return `This point stayed in ${shortName(next.district.name)} when the map of ${year} took effect.`;
  }
  return `This point moved from ${shortName(old.district.name)} to ${shortName(next.district.name)} when the map of ${year} took effect. The hatched area moved with it.`;
}

function tableRows(before: readonly Compared[], after: readonly Compared[]): Html[] {
  const types = [...new Set([...before, ...after].map(({ district }) => district.type))];
  return types.map((type) => {
    const names = (rows: readonly Compared[]) =>
      rows
        .filter(({ district }) => district.type === type)
        .map(({ district }) => shortName(district.name))
        .join(', ') || 'None in the data';
    const [old, next] = [names(before), names(after)];
    return html`<tr class="${old !== next && 'diff'}"><th scope="row">${kindOf(type)}</th><td>${old}</td><td>${old === next ? 'Same' : next}</td></tr>`;
  });
}

/** A race of a day with all maps of its district. */
export interface ElectionRule extends Pick<Rule, 'race' | 'maps'> {
  readonly date: string;
}

/** Renders which map counts in each of some races of a district type. */
export function mapRules(rules: readonly ElectionRule[], type: string, today: string): Html | false {
  const kind = kindOf(type).replace(/ district$/, '');
  return (
    rules.length > 0 &&
    html`<section class="section"><header><h2>Which map counts in which race</h2><p>It is not always the map in effect on election day.</p></header>
    ${rules.map(({ race, maps, date }, index) => mapRule({ race, maps, electionDay: date, today, isOpen: index === 0, before: `${kind}, ${longDay(date)}: ` }))}</section>`
  );
}

/** Draws both maps with one camera. Returns them, to close. */
export async function drawComparison(
  compared: Comparison,
  onPick: (at: Point) => void,
  signal: AbortSignal,
): Promise<readonly MapView[]> {
  const { at, first, second, today, before, after } = compared;
  const change = changeIn(compared);
  const same = after.findLast(({ boundary }) => before.some((old) => old.boundary.databaseId === boundary.databaseId));
  const [old, next] = [change?.old ?? same, change?.new ?? same];
  if (!old || !next) return [];
  const around = after.find(({ district }) => district.type === 'COUNTY') ?? next;
  const kind = mapKindOf(next.district.type);
  const sides = [
    {
      day: first,
      of: old,
      other: next,
      css: 'm-d old',
      ghost: 'm-ghost',
      note:
        change && `${kind} map of ${old.boundary.startDate.slice(0, 4)}, until ${shortDay(next.boundary.startDate)}`,
    },
    {
      day: second,
      of: next,
      other: old,
      css: 'm-d on',
      ghost: 'm-ghost old',
      note:
        change && `${kind} map of ${next.boundary.startDate.slice(0, 4)}, from ${shortDay(next.boundary.startDate)}`,
    },
  ];
  fill(
    byId('pair'),
    html`${sides.map(({ day, note }, index) => html`<figure><svg class="map" id="side-${index}" role="img" tabindex="0" aria-label="Map of ${dayName(day, today)}"><use href="#land"/></svg><figcaption><b>${dayName(day, today)}</b>${note}</figcaption></figure>`)}`,
  );
  const drawn = [old, next].flatMap(({ district, boundary: { id, databaseId, boundingBox } }) =>
    boundingBox ? [{ id, databaseId, type: district.type, box: boundingBox }] : [],
  );
  const shapes = await outlinesOf(drawn, 1 / 400, signal);
  const views: MapView[] = [];
  for (const [index, { of, other, css, ghost, day }] of sides.entries()) {
    const svg = document.querySelector<SVGSVGElement>(`#side-${index}`);
    if (!svg) continue;
    views.push(openSvgMap(svg, onPick, (frame) => views[1 - index]?.fit(frame)));
    const box = of.boundary.boundingBox ? visibleBox(of.district.type, of.boundary.boundingBox) : undefined;
    views[index]?.show({
      day,
      pin: at,
      label: `Map of ${dayName(day, today)}: the point is in ${of.district.name}`,
      outlines: [
        {
          databaseId: of.boundary.databaseId,
          type: of.district.type,
          css,
          name: shortName(of.district.name),
          box,
          shape: shapes.get(of.boundary.databaseId),
        },
        ...(change && isMove(change)
          ? [
              {
                databaseId: of.boundary.databaseId,
                type: of.district.type,
                css: 'm-moved',
                shape: shapes.get(old.boundary.databaseId),
                within: shapes.get(next.boundary.databaseId),
              },
            ]
          : []),
        ...(change
          ? [
              {
                databaseId: other.boundary.databaseId,
                type: other.district.type,
                css: ghost,
                shape: shapes.get(other.boundary.databaseId),
              },
            ]
          : []),
      ],
    });
    if (around?.boundary.boundingBox) {
      views[index]?.fit(frameOf(visibleBox(around.district.type, around.boundary.boundingBox), 0.3));
    }
  }
  return views;
}
