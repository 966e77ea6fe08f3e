import { html } from 'lit-html';

import type { SearchSection } from '../src/gateway/pages/search-index.ts';
import { byId, fill, type Html } from './dom.ts';

/** The number of results that are shown. */
const MOST_RESULTS = 8;
/** The characters of a section that are shown around the first word. */
const BEFORE = 40;
const AFTER = 110;

let sections: Promise<readonly SearchSection[]> | undefined;

function loadSections(): Promise<readonly SearchSection[]> {
  sections ??= fetch('/docs/search.json').then((response) => response.json());
  sections.catch(() => {
    sections = undefined;
  });
  return sections;
}

/**
 * Returns the sections that contain every word, those first that have the words in their heading or title, and at the
 * beginning of words.
 */
export function search(all: readonly SearchSection[], query: string): SearchSection[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return all
    .flatMap((section) => {
      const ranks = words.map((word) => rankOf(section, word));
      return ranks.includes(0) ? [] : [{ section, rank: ranks.reduce((sum, rank) => sum + rank, 0) }];
    })
    .sort((one, other) => other.rank - one.rank)
    .map(({ section }) => section);
}

/** Returns how well a section answers a word; 0 if it does not contain it. */
function rankOf({ heading, page, text }: SearchSection, word: string): number {
  const places = [
    [heading, 8],
    [page, 4],
    [text, 1],
  ] as const;
  return places.reduce((rank, [content, weight]) => {
    const lower = content.toLowerCase();
    if (!lower.includes(word)) return rank;
    return rank + (startsWord(lower, word) ? 2 * weight : weight);
  }, 0);
}

const startsWord = (text: string, word: string) =>
  text.startsWith(word) || [' ', '/', '`', '(', '"'].some((before) => text.includes(before + word));

/** Returns the part of a section around the first of the words that it contains. */
function excerpt({ text }: SearchSection, query: string): string {
  const lower = text.toLowerCase();
  const found = query
    .toLowerCase()
    .split(/\s+/)
    .map((word) => lower.indexOf(word))
    .filter((at) => at >= 0);
  const start = Math.max(0, Math.min(...found, text.length) - BEFORE);
  const end = start + BEFORE + AFTER;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end).trim()}${end < text.length ? ' …' : ''}`;
}

function resultOf(section: SearchSection, query: string): Html {
  const title = section.heading === section.page ? section.page : `${section.page}: ${section.heading}`;
  return html`<li><a href="${section.href}">${title}</a><p class="small">${excerpt(section, query)}</p></li>`;
}

/** Searches the docs while a person types. Without JavaScript the field is hidden. */
export function startSearch(): void {
  const [form, field, status, results] = [
    byId<HTMLFormElement>('docs-find'),
    byId<HTMLInputElement>('docs-q'),
    byId('docs-status'),
    byId('docs-results'),
  ];
  async function show(): Promise<void> {
    const query = field.value.trim();
    try {
      const found = search(await loadSections(), query);
      // A later letter has been typed.
      if (query !== field.value.trim()) return;
      status.textContent = query === '' ? '' : messageOf(found.length);
      fill(results, html`${found.slice(0, MOST_RESULTS).map((section) => resultOf(section, query))}`);
    } catch {
      status.textContent = 'The server did not answer. Try again.';
    }
  }
  form.hidden = false;
  field.addEventListener('input', () => void show());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    results.querySelector('a')?.click();
  });
}

function messageOf(count: number): string {
  if (count === 0) return 'No part of the docs has all of these words.';
  if (count > MOST_RESULTS) return `The best ${MOST_RESULTS} of ${count} parts of the docs:`;
  return count === 1 ? 'One part of the docs:' : `${count} parts of the docs:`;
}
