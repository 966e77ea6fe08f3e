import { html } from 'lit-html';
import type { BallotPart, Race } from './data.ts';
import type { Html } from './dom.ts';
import { icon } from './icons.ts';
import { longDay, shortDay, timeOf } from './words.ts';

/** The boundaries of a district of all periods. */
type Maps = BallotPart['district']['boundaries'];

export interface Rule {
  readonly race: Race;
  readonly maps: Maps;
  readonly electionDay: string;
  readonly today: string;
  /** Whether the drawing is open at first. */
  readonly isOpen: boolean;
  /** Precedes the sentence, for example `U.S. House, November 8, 2022: `. */
  readonly before?: string;
}

/** Returns the newest map of a district. */
const newest = (maps: Maps) => maps.reduce((one, other) => (other.startDate > one.startDate ? other : one));

/** Returns whether a race is decided on another map than the one in effect on election day. */
export function isOtherMap({ boundary }: Race, maps: Maps, electionDay: string): boolean {
  const used = boundary?.boundary?.databaseId;
  const begun = maps.filter(({ startDate }) => startDate <= electionDay);
  const inEffect = begun.length > 0 ? newest(begun) : maps.at(-1);
  return used !== undefined && used !== inEffect?.databaseId;
}

/** Renders the rule that chose the map of a race: one sentence, and the sentence drawn. */
export function mapRule({ race, maps, electionDay, today, isOpen, before = '' }: Rule): Html {
  const { reason, referenceDay, boundary } = race.boundary ?? {};
  if (!reason || !referenceDay) return '';
  if (reason === 'ONLY_ONE_MAP' || !boundary || maps.length < 2)
    return html`<p class="cav">${before}${sentence(reason, referenceDay, true, today)}</p>`;
  const isNew = boundary.databaseId === newest(maps).databaseId;
  return html`<details class="why" ?open=${isOpen}><summary>${icon('map')}<span>${
    before ? html`<b>${before}</b>` : ''
  }${sentence(reason, referenceDay, isNew, today)}</span>${icon('down')}</summary>
    <div class="draw">${drawing(isNew, electionDay, referenceDay, newest(maps).startDate)}
      <div class="foot"><button class="quiet" type="button" data-action="compare" data-day="${electionDay}" data-other="${referenceDay}">${icon('compare')}Compare the two maps</button></div></div></details>`;
}

/** Returns the sentence for a reason. */
function sentence(reason: string, referenceDay: string, isNew: boolean, today: string): Html {
  const day = longDay(referenceDay);
  const isComing = referenceDay > today;
  const counts = html`<b>The ${isNew ? 'new' : 'old'} map ${isComing ? 'will count' : 'counts'}.</b>`;
  const sworn = isComing ? 'is sworn in' : 'was sworn in';
  const held = isComing ? 'is held' : 'was held';
  switch (reason) {
    case 'SWORN_IN_AFTER_END_OF_OLDER_MAP':
      return html`${counts} The winner ${sworn} on ${day}, after the old map ${isComing ? 'has' : 'had'} ended, even though people ${isComing ? 'vote' : 'voted'} before that.`;
    case 'SWORN_IN_ON_OLDEST_MAP':
      return html`${counts} The winner ${sworn} on ${day}, while it ${isComing ? 'is' : 'was'} still in effect.`;
    case 'SWEARING_IN_DATE_NOT_KNOWN':
      return html`${counts} The day the winner ${sworn} is not in the data. ${day} stands in for it, and on that day the ${isNew ? 'new' : 'old'} map ${isComing ? 'is' : 'was'} in effect.`;
    case 'SPECIAL_BEFORE_END_OF_OLDER_MAP':
      return html`${counts} A special election fills the rest of a term. It ${held} on ${day}, while the old map ${isComing ? 'is' : 'was'} in effect.`;
    case 'SPECIAL_ON_NEWEST_MAP':
      return html`${counts} A special election fills the rest of a term. On its election day, ${day}, the new map ${isComing ? 'is' : 'was'} already in effect.`;
    case 'NO_MAP_IN_EFFECT':
      return html`No map of this district is known for ${day}, so we cannot show where this race was voted on.`;
    default:
      return html`One map of this district is known, so it counts.`;
  }
}

/** Draws two maps as bars, election day and the day that decides. */
function drawing(isNew: boolean, electionDay: string, referenceDay: string, change: string): Html {
  const days = [electionDay, referenceDay, change].map(timeOf);
  const span = Math.max(Math.max(...days) - Math.min(...days), 60 * 86_400_000);
  const start = Math.min(...days) - span * 0.7;
  const at = (day: string) => Math.round(((timeOf(day) - start) / (span * 2.4)) * 100);
  const turn = at(change);
  const isOne = electionDay === referenceDay;
  const use = isNew ? 'new' : 'old';
  const description = isOne
    ? `Election day decides and is under the ${use} map, so the ${use} map counts.`
    : `Election day is under the ${electionDay < change ? 'old' : 'new'} map; the deciding day is under the ${use} map, so the ${use} map counts.`;
  return html`<div class="rule" .style="${isNew ? '' : '--c:var(--moved)'}" role="img" aria-label="${description}">
    <div class="m old${!isNew ? ' use' : ''}" .style="--a:0;--b:${turn}">Old map${!isNew ? ': counts' : ''}</div>
    <div class="m new${isNew ? ' use' : ''}" .style="--a:${turn};--b:100">New map${isNew ? ': counts' : ''}</div>
    <div class="axis"></div>
    ${!isOne ? html`<div class="pt left" .style="--a:${at(electionDay)}"><span><b>${shortDay(electionDay)}</b>Election day</span></div>` : ''}
    <div class="pt decides" .style="--a:${at(referenceDay)}"><span><b>${shortDay(referenceDay)}</b>${isOne ? 'Election day decides' : 'Day that decides'}</span></div></div>`;
}
