import { DEMO_KEY } from '../access/demo-key.ts';
import { HEAD, keepLast, ownPage, topBar } from './frame.ts';
import type { StartPageOptions } from './start-page.ts';

/**
 * Returns the function that creates the page of the widget: it shows the widget at work in the page of another site, with the
 * key of the pages, and how to embed it. The browser writes the origin of this server into the example.
 */
export function createWidgetPage(options: StartPageOptions) {
  return keepLast((pageKey: string | undefined) => ownPage(render(options, pageKey)));
}

function render({ isSample, hasGraphiql }: StartPageOptions, pageKey: string | undefined): string {
  const key = isSample ? DEMO_KEY : 'YOUR KEY';
  const embed = `&lt;script src=&quot;https://gateway.example/web/ballot-lookup.js&quot;&gt;&lt;/script&gt;
&lt;ballot-lookup endpoint=&quot;https://gateway.example&quot; key=&quot;${key}&quot; levels=&quot;federal,state&quot;&gt;&lt;/ballot-lookup&gt;`;
  const ofKey = isSample
    ? 'The key in it is the public one of the sample.'
    : 'Its operator makes your key with <code>npm run keys -- create --package lookup --label &quot;Widget of your site&quot;</code>.';
  return `<!doctype html>
<html lang="en">
<title>Widget · Ballotgraph</title>
${HEAD}
<script src="/web/ballot-lookup.js"></script>
<script type="module" src="/web/widget-page.ts"></script>
<a class="skip" href="#content">Skip to the content</a>
${topBar('/widget', hasGraphiql)}
<main class="wide" id="content" tabindex="-1"><h1>Put the lookup on your page</h1>
<p>One file, no cookies, nothing from other hosts. It takes its font from your page. The operator of this server allows the origin of your pages with <code>npm run origins -- add https://your.site</code>. ${ofKey}</p>
<pre tabindex="0" id="embed" aria-label="Code to copy">${embed}</pre>
<div class="host"><article class="gazette"><h2>How your town votes this fall</h2>
<p>An article on somebody else’s site, in their own type and color. The widget sits beside it and keeps to itself.</p>
<p aria-hidden="true">${'<span class="sk"></span>'.repeat(8)}</p></article>
<ballot-lookup endpoint="" key="${pageKey ?? ''}" date="2022-11-08"></ballot-lookup></div>
<div class="host"><div><h2>Attributes</h2><dl class="ledger">
<div><dt>endpoint</dt><dd>Address of the gateway.</dd></div>
<div><dt>key</dt><dd>API key. Everyone can read it in your page: take one of a package with limits.</dd></div>
<div><dt>levels</dt><dd>Levels of the offices, for example federal,state; all without it.</dd></div>
<div><dt>date</dt><dd>Day of a ballot to show, for example 2022-11-08.</dd></div>
<div><dt>since</dt><dd>Day from which to say how the districts of the place changed, for example 2021-01-01.</dd></div>
<div><dt>theme</dt><dd>light or dark; that of the system without it.</dd></div></dl></div></div></main>
</html>
`;
}
