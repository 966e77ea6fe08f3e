import { html } from 'lit-html';
import { ask } from './api.ts';
import { type Comparison, changeIn, shortName } from './compare.ts';
import type { Html } from './dom.ts';
import type { MapSharesQuery } from './generated/operations.ts';
import { longDay, percent } from './words.ts';

type Succession = NonNullable<NonNullable<MapSharesQuery['district']>['successors']>;
type Part = Succession['parts'][number];

/** Says what became of the district of a point when its map ended: how much of it is in which district of the newer map. */
export async function mapShares(compared: Comparison, signal: AbortSignal): Promise<Html> {
  const change = changeIn(compared);
  if (!change) return '';
  const on = change.last.day;
  const { left, before } = change.last;
  const same = before.find(({ district: { databaseId } }) => databaseId === change.old.district.databaseId);
  const { district } = left[0] ?? same ?? before[0] ?? change.old;
  const found = await ask('MapShares', { district: district.databaseId, on }, signal);
  const succession = found.district?.successors;
  if (!succession || succession.parts.length === 0) return '';
  const { kind, parts } = succession;
  const what = parts.some(({ addressShare }) => addressShare !== null) ? 'loaded addresses' : 'area';
  const shown = parts.filter(({ isSliver }) => !isSliver);
  const slivers = parts.length - shown.length;
  return html`<section class="section"><header><h2>What became of <bdi>${shortName(district.name)}</bdi> on ${longDay(on)}</h2>
    <p>${INTRODUCTIONS.get(kind) ?? `Shares of its ${what} by the districts of the newer map.`}</p></header>
    <ul class="shares parts">${shown.map((part) => partItem(part, district.databaseId))}</ul>
    <p class="small legend-of-parts" aria-hidden="true"><i class="kept" aria-hidden="true"></i>stayed in the district <i class="moved" aria-hidden="true"></i>moved to another one <i class="lost" aria-hidden="true"></i>in no district of the newer map</p>
    ${slivers > 0 ? html`<p class="small">Not shown: narrow strips along its lines, which may only be drawn differently.</p>` : ''}</section>`;
}

const INTRODUCTIONS: ReadonlyMap<string, string> = new Map([
  ['SAME_LINE', 'Its line did not move: the newer map has the same one.'],
  [
    'IN_NO_DISTRICT',
    'No district of the newer map has its area: it was dissolved, or the map of what followed is not loaded.',
  ],
  ['OTHER_NAME', 'Its line did not move: only the name of the district changed.'],
]);

function partItem({ district, areaShare, addressShare }: Part, own: number): Html {
  const share = addressShare ?? areaShare;
  const name = district ? shortName(district.name) : 'No district of the newer map';
  const css = district ? (district.databaseId === own ? 'kept' : 'moved') : 'lost';
  // The legend says so to those who see the bars.
  const said = { kept: ' stayed', moved: ' moved', lost: '' }[css];
  return html`<li><span class="who"><bdi>${name}</bdi><span class="vh">${said}</span></span><span class="small">${percent(share)}</span><span class="bar ${css}" aria-hidden="true"><span .style="--v:${Math.max(0.5, share * 100)}"></span></span></li>`;
}
