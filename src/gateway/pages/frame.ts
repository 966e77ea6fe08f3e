import { htmlPage, type StaticPage } from '../http/static-page.ts';

const BRAND =
  '<svg viewBox="0 0 28 28" aria-hidden="true"><path class="b-ink" d="M2 4h6v3H2zM2 12.5h6v3H2zM2 21h6v3H2z"/><ellipse class="b-mark" cx="19" cy="14" rx="8" ry="5.5"/></svg>';
const MOON =
  '<svg class="ico" aria-hidden="true" viewBox="0 0 24 24"><path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.500 8.500 0 1 0 10.500 10.500Z"/></svg>';

/** The head of every page: its type, its style and the theme, without which it would be drawn twice. */
export const HEAD = `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/web/icon.svg" type="image/svg+xml">
<link rel="preload" href="/web/font.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/web/styles.css">
<script src="/web/theme.ts"></script>`;

/** Returns the bar at the top of a page; without `current` the page is none of those in the bar. */
export function topBar(current: '/' | '/widget' | '/docs' | undefined, hasGraphiql: boolean): string {
  const link = (path: string, name: string, css = '') =>
    `<a${css} href="${path}"${path === current ? ' aria-current="page"' : ''}>${name}</a>`;
  return `<header class="top"><a class="brand" href="/">${BRAND}<span>Ballotgraph</span></a>
<nav aria-label="Main">${link('/', 'Map')}${link('/docs', 'Docs')}${link('/widget', 'Widget', ' class="opt"')}${hasGraphiql ? link('/graphql', 'GraphiQL') : ''}</nav>
<button class="icon-btn" type="button" data-action="theme" aria-label="Light or dark">${MOON}</button></header>`;
}

/** Creates a page that loads everything from the gateway itself, and has no script or style in it. */
export function ownPage(html: string): StaticPage {
  return htmlPage(html, {
    sources: {
      'script-src': "'self'",
      'style-src': "'self'",
      'font-src': "'self'",
      'img-src': "'self' data:",
      'connect-src': "'self'",
      'worker-src': "'self'",
    },
  });
}

/** Returns a function that creates a page again only when what it depends on has changed. */
export function keepLast<On extends readonly (string | undefined)[]>(create: (...on: On) => StaticPage) {
  let last: { readonly on: On; readonly page: StaticPage } | undefined;
  return (...on: On): StaticPage => {
    if (!last || last.on.some((value, index) => value !== on[index])) last = { on, page: create(...on) };
    return last.page;
  };
}
