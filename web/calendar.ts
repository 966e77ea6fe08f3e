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
  /** What the election is, for example `General election in Maine`. */
  readonly summary: string;
  /** The page of the gateway, without the place of the visitor. */
  readonly url: string;
  /** The day on which the entry is made. */
  readonly today: string;
}

/** Returns an election as an iCalendar file (RFC 5545) with one event of a whole day. Of where its owner lives it says no more than the state. */
export function calendarOf({ day, summary, url, today }: CalendarEntry): string {
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Ballotgraph//Elections//EN', 'BEGIN:VEVENT'],
    `UID:${day}-${summary.toLowerCase().replaceAll(/[^a-z]+/g, '-')}@${new URL(url).hostname}`,
    `DTSTAMP:${basic(timeOf(today))}T000000Z`,
    `DTSTART;VALUE=DATE:${basic(timeOf(day))}`,
    `DTEND;VALUE=DATE:${basic(timeOf(day) + DAY_MS)}`,
    `SUMMARY:${escaped(summary)}`,
    `URL:${url}`,
    ...['TRANSP:TRANSPARENT', 'END:VEVENT', 'END:VCALENDAR'],
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** Renders a link to the calendar file of an election, which the browser has already. */
export function calendarLink(entry: CalendarEntry): Html {
  const file = `data:text/calendar;charset=utf-8,${encodeURIComponent(calendarOf(entry))}`;
  return html`<a class="quiet" download="election-${entry.day}.ics" href="${file}">Add to calendar<span class="vh">: ${longDay(entry.day)}</span></a>`;
}
