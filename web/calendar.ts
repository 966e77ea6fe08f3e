import { html } from 'lit-html';
import type { Html } from './dom.ts';

import { longDay, timeOf } from './words.ts';

/** A line of iCalendar has at most 75 bytes (RFC 5545, section 3.1); what follows begins with a blank. */
const MOST_BYTES = 74;
const DAY_MS = 86_400_000;

const basic = (time: number) => new Date(time).toISOString().slice(0, 10).replaceAll('-', '');
const escaped = (text: string) => text.replace(/[\\;,]/g, '\\$&').replace(/\r\n?|\n/g, '\\n');

function folded(line: string): string {
  const encoder = new TextEncoder();
  const lines = [''];
  let bytes = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (bytes + size > MOST_BYTES) {
      lines.push(' ');
      bytes = 1;
    }
    lines[lines.length - 1] += character;
    bytes += size;
  }
  return lines.join('\r\n');
}

export interface CalendarEntry {
  readonly day: string;
  /** What the day is, for example `General election in Maine`. */
  readonly summary: string;
  readonly description?: string;
  /** What identifies the event, if its day and summary may change. */
  readonly id?: string;
  /** The page of the gateway, without the place of the visitor. */
  readonly url: string;
  /** The day on which the entry is made. */
  readonly today: string;
}

/** Returns days as an iCalendar file (RFC 5545) with an event of a whole day for each. Of where its owner lives it says no more than the state. */
export function calendarOf(entries: readonly CalendarEntry[]): string {
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Ballotgraph//Elections//EN'],
    ...entries.flatMap(({ day, summary, description, id = `${day} ${summary}`, url, today }) => [
      'BEGIN:VEVENT',
      `UID:${id.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}@${new URL(url).hostname}`,
      `DTSTAMP:${basic(timeOf(today))}T000000Z`,
      `DTSTART;VALUE=DATE:${basic(timeOf(day))}`,
      `DTEND;VALUE=DATE:${basic(timeOf(day) + DAY_MS)}`,
      `SUMMARY:${escaped(summary)}`,
      ...(description ? [`DESCRIPTION:${escaped(description)}`] : []),
      `URL:${url}`,
      ...['TRANSP:TRANSPARENT', 'END:VEVENT'],
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** Renders a link to the calendar file of days, which the browser has already. */
export function calendarLink(entries: readonly CalendarEntry[], name: string, text: string | Html): Html {
  const file = `data:text/calendar;charset=utf-8,${encodeURIComponent(calendarOf(entries))}`;
  return html`<a class="quiet" download="${name}.ics" href="${file}">${text}</a>`;
}

/** Renders a link to the calendar file of one election. */
export const electionLink = (entry: CalendarEntry) =>
  calendarLink([entry], `election-${entry.day}`, html`Add to calendar<span class="vh">: ${longDay(entry.day)}</span>`);
