import { html } from 'lit-html';
import { electionLink } from './calendar.ts';
import { type ElectionDay, hasBallot, type Rung } from './data.ts';
import type { Html } from './dom.ts';
import { counted, daysFrom, longDay, mapKindOf, timeOf } from './words.ts';

export interface ElectionsOptions {
  readonly days: readonly ElectionDay[];
  /** The day whose ballot is shown below. */
  readonly shown: string | undefined;
  readonly today: string;
  /** The district whose maps are drawn above the elections. */
  readonly redrawn: Rung | undefined;
  /** Whether the list has all days. */
  readonly isWhole: boolean;
  /** Whether the package includes ballots. */
  readonly hasBallots: boolean;
}

/** Renders the elections of a point on a line with the maps of a district, and as a list. */
export function elections({ days, shown, today, redrawn, isWhole, hasBallots }: ElectionsOptions): Html {
  if (days.length === 0) return html`<p class="none">No elections here are in the data.</p>`;
  const listedDays = isWhole ? [...days].reverse() : nearest(days, shown, today);
  const hidden = days.length - listedDays.length;
  return html`${timeline(days, shown, today, redrawn)}
    <ol class="days">${listedDays.map((day) => row(day, shown, today, hasBallots))}</ol>
    ${hidden > 0 ? html`<button class="quiet" type="button" data-action="more-days">Show ${counted(hidden, 'more day')}</button>` : ''}`;
}

/** Returns the next, the shown and the previous day with a ballot, newest first. */
function nearest(days: readonly ElectionDay[], shown: string | undefined, today: string): ElectionDay[] {
  const next = days.find(({ date, isOff }) => date >= today && !isOff);
  const current = days.find(({ date }) => date === shown);
  const before = days.findLast((day) => day.date < (shown ?? today) && hasBallot(day));
  return [...new Set([next, current, before])]
    .filter((day) => day !== undefined)
    .sort((one, other) => other.date.localeCompare(one.date));
}

function timeline(
  days: readonly ElectionDay[],
  shown: string | undefined,
  today: string,
  redrawn: Rung | undefined,
): Html {
  const first = Number(days[0]?.date.slice(0, 4));
  const last = Math.max(Number(days.at(-1)?.date.slice(0, 4)), Number(today.slice(0, 4)));
  const [from, to] = [timeOf(`${first}-01-01`), timeOf(`${last}-12-31`)];
  const share = (day: string) => Math.max(0, Math.min(100, ((timeOf(day) - from) / (to - from)) * 100));
  const at = (day: string) => `--a:${share(day).toFixed(2)}`;
  const step = Math.ceil((last - first + 1) / 6);
  const years = Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(
    (_, index) => index % step === 0,
  );
  const rows = rowsOf(days.map(({ date }) => share(date)));
  const maps = [...(redrawn?.district.boundaries ?? [])].sort((one, other) =>
    one.startDate.localeCompare(other.startDate),
  );
  return html`<div class="time" role="group" .style="--rows:${Math.max(...rows)}" aria-label="Maps and elections from ${first} to ${last}">
    ${
      maps.length < 2
        ? ''
        : maps.map((map, index) => {
            const until = maps[index + 1]?.startDate ?? `${last}-12-31`;
            const [a, b] = [share(map.startDate), share(until)];
            return b > a
              ? html`<div class="lane${index < maps.length - 1 ? ' old' : ''}" .style="--a:${a.toFixed(2)};--b:${b.toFixed(2)}">${mapKindOf(redrawn?.district.type ?? '')} map of ${map.startDate.slice(0, 4)}</div>`
              : '';
          })
    }
    <div class="axis"></div>
    ${years.map((year) => html`<span class="yr" .style="${at(`${year}-01-01`)}">${year}</span>`)}
    ${today >= `${first}-01-01` && today <= `${last}-12-31` ? html`<div class="now" .style="${at(today)}"><span>Today</span></div>` : ''}
    ${days.map((day, index) => html`<button type="button" class="el${markOf(day, today)}${day.date === shown ? ' on' : ''}" .style="${at(day.date)};--row:${rows[index]}" data-action="ballot" data-day="${day.date}" aria-label="${longDay(day.date)}: ${day.label}${stateOf(day, today)}"></button>`)}
  </div>`;
}

/** The width of a mark in percent of the line in a window of 320 pixels: 24 pixels, the least that WCAG 2.2 allows (2.5.8). */
const MARK_WIDTH = 10;

/** Returns for each mark the first row below the line in which it covers no other; the marks are in their order. */
function rowsOf(shares: readonly number[]): number[] {
  const lastIn: number[] = [];
  return shares.map((share) => {
    const free = lastIn.findIndex((last) => share - last >= MARK_WIDTH);
    const row = free < 0 ? lastIn.length : free;
    lastIn[row] = share;
    return row;
  });
}

const markOf = (day: ElectionDay, today: string) =>
  hasBallot(day) ? (day.date > today ? '' : ' full') : day.date >= today ? '' : ' minor';
const stateOf = (day: ElectionDay, today: string) =>
  day.isOff
    ? ''
    : day.date >= today
      ? ', coming'
      : hasBallot(day) || day.raceCount === undefined
        ? ''
        : ', no races loaded';

function row(day: ElectionDay, shown: string | undefined, today: string, hasBallots: boolean): Html {
  const isShown = day.date === shown;
  const action = isShown
    ? html`<span class="tag accent">Shown below</span>`
    : hasBallot(day)
      ? html`<button class="btn slim" type="button" data-action="ballot" data-day="${day.date}">See ballot<span class="vh"> of ${longDay(day.date)}</span></button>`
      : day.isOff
        ? html`<span class="tag">Not held</span>`
        : day.date >= today
          ? html`<span class="tag">Coming</span>`
          : '';
  const isComing = day.date >= today && !day.isOff;
  const entry = { day: day.date, summary: day.label, url: `${location.origin}/`, today };
  const isFull = hasBallot(day) && day.date <= today;
  return html`<li class="day${isShown ? ' on' : ''}"><span class="oval${isFull ? ' full' : ''}"></span><b>${longDay(day.date)}</b>
    <span class="what">${describe(day, today, hasBallots)}${isComing ? html` ${electionLink(entry)}` : ''}</span>${action}</li>`;
}

function describe(day: ElectionDay, today: string, hasBallots: boolean): string {
  const kind = day.label;
  if (day.isOff) return kind;
  const distance = daysFrom(today, day.date);
  const when = distance < 0 ? '' : distance === 0 ? ', today' : `, in ${counted(distance, 'day')}`;
  const { raceCount = 0, measureCount = 0 } = day;
  const size = [
    raceCount > 0 ? counted(raceCount, 'race') : '',
    measureCount > 0 ? counted(measureCount, 'question') : '',
  ].filter(Boolean);
  if (size.length > 0) return `${kind}${when}, ${size.join(', ')}`;
  if (!hasBallots) return `${kind}${when}`;
  if (distance >= 0) return `${kind}${when}. Candidates not loaded yet`;
  return day.raceCount === undefined ? kind : `${kind}, no races loaded`;
}
