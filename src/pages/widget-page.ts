import { DEMO_KEY } from '../access/demo-key.ts';
import type { StaticPage } from '../http/static-page.ts';
import { HEAD, ownPage, topBar } from './frame.ts';
import type { StartPageOptions } from './start-page.ts';

/** Returns the page that shows the widget at work, and how to embed it. */
export function widgetPage({ isSample, hasGraphiql }: StartPageOptions): StaticPage {
  const key = isSample ? DEMO_KEY : 'YOUR KEY';
  const embed = `&lt;script src=&quot;https://gateway.example/web/ballot-lookup.js&quot;&gt;&lt;/script&gt;
&lt;ballot-lookup endpoint=&quot;https://gateway.example&quot; key=&quot;${key}&quot; levels=&quot;federal,state&quot;&gt;&lt;/ballot-lookup&gt;`;
  return ownPage(`<!doctype html>
<html lang="en">
<title>Widget · Ballotgraph</title>
${HEAD}
<script src="/web/ballot-lookup.js"></script>
${topBar('/widget', hasGraphiql)}
<main class="wide"><h1>A ballot lookup for your own site</h1>
<p>One file, no cookies, no storage: the officeholders, the next election and the ballot of an address. The operator of this server has to allow the origin of your pages.</p>
<pre tabindex="0">${embed}</pre>
<div class="host"><div><h2>Attributes</h2><dl class="ledger">
<div><dt>endpoint</dt><dd>Address of the gateway.</dd></div>
<div><dt>key</dt><dd>API key. Everyone can read it in your page: take one of a package with limits.</dd></div>
<div><dt>levels</dt><dd>Levels of the offices, for example federal,state; all without it.</dd></div>
<div><dt>date</dt><dd>Day of a ballot to show, for example 2022-11-08.</dd></div>
<div><dt>theme</dt><dd>light or dark; that of the system without it.</dd></div></dl></div>
<ballot-lookup endpoint="" key="${isSample ? DEMO_KEY : ''}" date="2022-11-08"></ballot-lookup></div></main>
</html>
`);
}
