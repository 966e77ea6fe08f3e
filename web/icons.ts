import { svg } from 'lit-html';
import type { Html } from './dom.ts';

const SHAPES = {
  search: svg`<circle cx="11" cy="11" r="6.5"/><path d="m16 16 5 5"/>`,
  close: svg`<path d="m6 6 12 12M18 6 6 18"/>`,
  info: svg`<circle cx="12" cy="12" r="9"/><path d="M12 11v6M12 7.5v.01"/>`,
  warning: svg`<path d="M12 3.5 22 20.5H2Z"/><path d="M12 10v5M12 17.7v.01"/>`,
  key: svg`<circle cx="8" cy="15" r="4.5"/><path d="m11.5 11.5 8-8M16 7l3 3"/>`,
  map: svg`<path d="m3 6 6-2.5 6 2.5 6-2.5v14.5l-6 2.5-6-2.5-6 2.5Z"/><path d="M9 3.5V18M15 6v14.5"/>`,
  down: svg`<path d="m6 9 6 6 6-6"/>`,
  pin: svg`<path d="M12 21c4.5-5 7-8.4 7-11.5A7 7 0 0 0 5 9.5C5 12.6 7.5 16 12 21Z"/><circle cx="12" cy="9.5" r="2.3"/>`,
  envelope: svg`<path d="M3 6h18v12H3Z"/><path d="m3 7 9 6.5L21 7"/>`,
  share: svg`<path d="M12 15V3.5M7.5 8 12 3.5 16.5 8M5 13v6.5h14V13"/>`,
  compare: svg`<path d="M4 4.5h16v15H4ZM12 4.5v15"/>`,
  braces: svg`<path d="M8 4C5.5 4 6 7 6 9s-1 3-3 3c2 0 3 1 3 3s-.5 5 2 5M16 4c2.5 0 2 3 2 5s1 3 3 3c-2 0-3 1-3 3s.5 5-2 5"/>`,
  check: svg`<path d="m5 12.5 4.5 4.5L19 7"/>`,
  phone: svg`<path d="M5 3h4l1.5 5L8 9.5a12 12 0 0 0 6.5 6.5L16 13.5l5 1.5v4a2 2 0 0 1-2 2A16 16 0 0 1 3 5a2 2 0 0 1 2-2Z"/>`,
  globe: svg`<circle cx="12" cy="12" r="9"/><path d="M3 12h18M12 3c3 3 3.5 6 3.5 9s-.5 6-3.5 9c-3-3-3.5-6-3.5-9S9 6 12 3Z"/>`,
  arrow: svg`<path d="M4 12h15M13 6l6 6-6 6"/>`,
  printer: svg`<path d="M7 9V3.5h10V9M7 17H4V9h16v8h-3"/><path d="M7 14h10v6.5H7Z"/>`,
} as const;

/** Returns an icon that screen readers ignore. */
export function icon(name: keyof typeof SHAPES): Html {
  return svg`<svg class="ico" aria-hidden="true" viewBox="0 0 24 24">${SHAPES[name]}</svg>`;
}
