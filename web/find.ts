import { html } from 'lit-html';

import { ask } from './api.ts';
import { notice } from './ballot.ts';
import { byId, fill, type Html } from './dom.ts';
import { howToChoose, ofPage } from './findable.ts';
import type { GeocodeQuery } from './generated/operations.ts';
import { icon } from './icons.ts';
import { SMALL_SCREEN } from './map-view.ts';
import { exchangedText, type Point, readExchanged, readPoint } from './place-address.ts';
import { counted, kindOf } from './words.ts';

type Geocoding = GeocodeQuery['geocode'];
type Match = Geocoding['matches'][number];

/** What was found, as the page shows it: a point, or the area of a district or ZIP code. */
export interface Found {
  readonly at?: Point;
  readonly area?: number;
  readonly zip?: string;
  readonly name?: string;
}

const TYPING_MS = 150;
const LEAST_CHARACTERS = 3;
/** The confidence from which a match is taken without asking, as in the schema. */
const CERTAIN = 0.8;
/** The service takes texts up to this length. */
const MOST_CHARACTERS = 200;

const KINDS: ReadonlyMap<string, string> = new Map([
  ['ADDRESS', 'Address'],
  ['INTERPOLATED', 'Estimated from street numbers'],
  ['ZIP', 'ZIP code'],
  ['LOCATED_ONLY', 'On the map'],
]);

/** How sure a match is that has the name that was typed, without being certain, as in the schema. */
const NAMED = 0.7;

/**
 * Makes the field of the page find places while one types. It never chooses for the user: several matches stay a list.
 * @param onFound is called with the place that was typed or chosen.
 * @param onQuestion is called before a question about a text, or why nothing was found, is shown: the answer to another
 *   text must not stand below it.
 * @param onProblem is called with the error of a lookup.
 * @param onLocated is called with where a place without a loaded area is on the map. It is no place that has an answer.
 */
export function openFind(
  onFound: (found: Found) => void,
  onQuestion: () => void,
  onProblem: (error: unknown) => void,
  onLocated: (center: Point, name: string) => void,
): void {
  let matches: readonly Match[] = [];
  let selected = -1;
  let typing: ReturnType<typeof setTimeout> | undefined;
  let working = new AbortController();
  /** Why the match that is taken next has no districts, in the words of the service. */
  let why: Geocoding['reason'];

  const field = () => document.getElementById('q') as HTMLInputElement | null;

  async function lookUp(text: string): Promise<Geocoding> {
    working.abort();
    working = new AbortController();
    const { geocode } = await ask('Geocode', { text: text.slice(0, MOST_CHARACTERS) }, working.signal);
    why = geocode.matches.length === 1 ? geocode.reason : null;
    return geocode;
  }

  function close(): void {
    clearTimeout(typing);
    working.abort();
    matches = [];
    selected = -1;
    const found = document.getElementById('found');
    if (found) fill(found, '');
    field()?.setAttribute('aria-expanded', 'false');
    field()?.removeAttribute('aria-activedescendant');
  }

  function showList(found: readonly Match[], text: string, sentence: string): void {
    matches = found;
    selected = -1;
    fill(byId('found'), list(found, text, sentence));
    field()?.setAttribute('aria-expanded', 'true');
  }

  function select(index: number): void {
    selected = (index + matches.length) % matches.length;
    for (const [position, option] of document.querySelectorAll('#found [role="option"]').entries()) {
      option.setAttribute('aria-selected', String(position === selected));
    }
    field()?.setAttribute('aria-activedescendant', `q-option-${selected}`);
  }

  function take(match: Match): void {
    const { kind, label, point, center, district } = match;
    close();
    if (center) onQuestion();
    const input = field();
    if (input) input.value = label;
    if (center) {
      onLocated(center, label);
      showBesideMap(located(match, why));
    } else if (point) onFound({ at: roundedTo(point, 5), name: label });
    else if (kind === 'ZIP') onFound({ zip: label, name: label });
    else if (district) onFound({ area: district.databaseId, name: label });
  }

  /** Finds what is in the field: one certain match, otherwise the list, or why there is none. */
  async function find(text: string): Promise<void> {
    clearTimeout(typing);
    const at = readPoint(text);
    if (at) {
      close();
      onFound({ at });
      return;
    }
    if (text === '') return;
    const exchanged = readExchanged(text);
    if (exchanged) {
      close();
      onQuestion();
      return fill(byId('found'), notice('', 'search', `No place found for “${text}”.`, exchangedText(exchanged)));
    }
    const { ambiguous, matches: found, missing, reason } = await lookUp(text);
    const [first] = found;
    if (first && !ambiguous && first.confidence >= CERTAIN) {
      why = reason;
      return take(first);
    }
    close();
    onQuestion();
    const input = field();
    if (input) input.value = text;
    if (missing.includes('ADDRESSES')) {
      const located = found.filter(({ center }) => center);
      const [known, another] = located.length > 1 ? located.filter(({ label }) => !isZip(label)) : located;
      if (!known?.center || another) return fill(byId('found'), notFound(text, missing, reason));
      onLocated(known.center, known.label);
      return showBesideMap(notFound(text, missing, reason, true));
    }
    const several = (first?.center && reason) ?? `Several places match “${text}”. Choose one.`;
    if (found.length > 1) return showList(found, '', several);
    matches = found;
    fill(byId('found'), first ? uncertain(first, text) : notFound(text, missing, reason));
  }

  /** Shows what to click on the map; on small screens, where the map is above the field and may be covered, so that both are seen. */
  function showBesideMap(content: Html): void {
    const found = byId('found');
    fill(found, content);
    if (!matchMedia(SMALL_SCREEN).matches) return;
    // The keyboard of a phone closes when the field loses the focus.
    found.focus({ preventScroll: true });
    found.scrollIntoView({ block: 'end' });
  }

  const run = (task: Promise<void>) =>
    void task.catch((error) => {
      if (error?.name !== 'AbortError') onProblem(error);
    });

  /** On small screens, moves the field up to the bar while it has the focus, so that the keyboard does not cover the list. */
  function moveUp(): void {
    const isFocused = document.activeElement !== null && document.activeElement === field();
    if (isFocused && matchMedia(SMALL_SCREEN).matches) field()?.form?.scrollIntoView();
  }

  moveUp();
  document.addEventListener('focusin', moveUp);
  document.addEventListener('input', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.id !== 'q') return;
    clearTimeout(typing);
    const text = target.value.trim();
    if (text.length < LEAST_CHARACTERS || readPoint(text)) return close();
    typing = setTimeout(() => {
      run(
        lookUp(text).then(({ matches: found }) => {
          if (found.length === 0) return close();
          showList(
            found,
            text,
            `${counted(found.length, 'match', 'matches')} for “${text}”.${found.length > 1 ? ' Choose one.' : ''}`,
          );
        }),
      );
    }, TYPING_MS);
  });
  document.addEventListener('keydown', (event) => {
    const input = field();
    if (event.target !== input || !input) return;
    const isOpen = input.getAttribute('aria-expanded') === 'true';
    if (isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      select(event.key === 'ArrowDown' ? selected + 1 : Math.max(selected, 0) - 1);
    } else if (event.key === 'Escape') {
      if (isOpen) close();
      else input.value = '';
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const chosen = isOpen ? matches[selected] : undefined;
      if (chosen) take(chosen);
      else run(find(input.value.trim()));
    }
  });
  document.addEventListener('click', ({ target }) => {
    const option = target instanceof Element ? target.closest<HTMLElement>('[data-match]') : null;
    const chosen = option && matches[Number(option.dataset.match)];
    if (chosen) take(chosen);
  });
  document.addEventListener('submit', (event) => {
    const input = field();
    if (input && event.target instanceof HTMLFormElement && event.target.contains(input)) run(find(input.value.trim()));
  });
}

function list(matches: readonly Match[], text: string, sentence: string): Html {
  return html`<div class="suggest"><ul role="listbox" id="q-list" aria-label="Suggestions">${matches.map(
    ({ label, kind, district }, index) =>
      html`<li role="option" id="q-option-${index}" data-match="${index}" aria-selected="false">${icon(kind === 'ZIP' ? 'envelope' : 'pin')}<span>${marked(label, text)}</span><span class="kind">${district ? kindOf(district.type) : KINDS.get(kind)}</span></li>`,
  )}</ul><p role="status">${sentence}</p></div>`;
}

const isZip = (label: string) => /^\d{5}$/.test(label);

/** Marks the beginning of a label that was typed: whole words, if the text goes on otherwise. */
function marked(label: string, text: string): Html {
  let length = 0;
  while (length < text.length && text[length]?.toLowerCase() === label[length]?.toLowerCase()) length++;
  if (length < text.length) length = label.slice(0, length).search(/\p{L}*$/u);
  return html`${length > 0 ? html`<mark>${label.slice(0, length)}</mark>` : ''}${label.slice(length)}`;
}

const roundedTo = ({ latitude, longitude }: Point, decimals: number): Point => ({
  latitude: Number(latitude.toFixed(decimals)),
  longitude: Number(longitude.toFixed(decimals)),
});

/** Returns a label with the whole name of its state, which the first drawing of the map has: `Montpelier, Vermont`. */
function inFull(label: string): string {
  const [, code = ''] = /, ([A-Z]{2})$/.exec(label) ?? [];
  const state = document.querySelector<SVGElement>(`#states [data-abbr="${code}"]`)?.dataset.full;
  return state ? label.replace(/[A-Z]{2}$/, state) : label;
}

/** Says of a place without a loaded area, which the map shows, how its districts are found. */
function located({ label, source }: Match, why: Geocoding['reason']): Html {
  const name = isZip(label) ? `ZIP code ${label}` : inFull(label);
  return notice(
    'info',
    'pin',
    `${name} is on the map. ${howToChoose(ofPage.findable, 'click your place on the map')}.`,
    why ?? 'Its outline is not in the data, so only a point in it has districts.',
    source ? html`<p class="small">${source.name}${source.license ? ` (${source.license})` : ''}</p>` : undefined,
  );
}

/** Asks whether the only match is meant. */
function uncertain({ label, confidence }: Match, text: string): Html {
  const [short] = label.split(',');
  if (confidence >= NAMED)
    return notice(
      'info',
      'search',
      `${inFull(label)}?`,
      'The text may also mean a place that is not in the data.',
      html`<p><button class="btn slim" type="button" data-match="0">Yes, ${short}</button></p>`,
    );
  return notice(
    '',
    'warning',
    'We are not sure this is the right place.',
    `“${text}” is not known. The nearest match is ${label}.`,
    html`<p><button class="btn slim" type="button" data-match="0">Use ${short}</button></p>`,
  );
}

/** Says that nothing was found, and which data the text would need. */
function notFound(text: string, [layer]: Geocoding['missing'], reason: Geocoding['reason'], isOnMap = false): Html {
  if (layer === undefined)
    return notice('', 'search', `No place found for “${text}”.`, 'Check the spelling, or click the place on the map.');
  const instead = layer === 'ADDRESSES' ? 'the name of the place' : 'a county or state';
  const then = isOnMap ? 'Click your place on the map.' : `Type ${instead}, or click the map.`;
  return notice('info', 'info', `No place found for “${text}”.`, `${reason} ${then}`);
}
