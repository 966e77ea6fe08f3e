import type { Day } from '../../base/dates.ts';
import { HEAD, keepLast, ownPage, topBar } from './frame.ts';
import { drawStates } from './states-map.ts';
import { moduleNames } from './web-files.ts';

export interface StartPageOptions {
  readonly isSample: boolean;
  readonly hasGraphiql: boolean;
}

/** The modules that the map page loads otherwise, later or not at all. */
const NOT_PRELOADED = ['gl-map.ts', 'theme.ts', 'docs.ts', 'docs-search.ts', 'widget-page.ts'];

/** The part of the world that the map shows first, in its units: the lower 48 states. */
const FIRST_VIEW = '5350 12400 6100 3700';

/** The regions of the buttons on the first map: west, south, east, north. */
const REGIONS = [
  ['Lower 48', '-125 24.3 -66.7 49.6'],
  ['Alaska', '-180 51 -129.5 71.5'],
  ['Hawaii', '-160.6 18.7 -154.6 22.4'],
  ['Puerto Rico', '-67.4 17.6 -64.5 18.6'],
  ['Pacific', '144.4 13.1 146.2 20.6'],
] as const;

/** Points with a rich answer in the sample; the towns themselves are areas. */
const EXAMPLES = [
  ['Downtown Augusta, Maine', '#at=44.3106,-69.7795&amp;name=Downtown+Augusta,+ME'],
  ['Downtown Juneau, Alaska', '#at=58.3019,-134.4197&amp;name=Downtown+Juneau,+AK&amp;ballot=2022-08-16'],
  ['Downtown Santa Fe, New Mexico', '#at=35.687,-105.9378&amp;name=Downtown+Santa+Fe,+NM'],
  ['Downtown Montpelier, Vermont', '#at=44.2601,-72.5754&amp;name=Downtown+Montpelier,+VT'],
  [
    'A changed district: Charlotte, North Carolina',
    '#at=35.2271,-80.8431&amp;name=Downtown+Charlotte,+NC&amp;vs=2024-11-05',
  ],
] as const;

/** What the sample has, in the words of the page. */
const SAMPLE_LEDGER = [
  [
    'Districts',
    'The country, states and counties; U.S. House districts since 2023 (Maine and New Mexico since 2013), with the new maps of five states of 2025, simplified',
  ],
  ['People', 'President, vice president, senators, representatives and delegates, as of June 15, 2026'],
  [
    'Ballots',
    'Alaska, Maine, New Mexico and Vermont: 2018 and 2022, with results. All states: the days of the federal general elections of 2026 and 2028',
  ],
  [
    'Search',
    'A county or a state by name. Towns and ZIP codes move the map, where you click your place. Street addresses are not in the sample.',
  ],
] as const;

const icon = (shapes: string) => `<svg class="ico" aria-hidden="true" viewBox="0 0 24 24">${shapes}</svg>`;
const LOCATE = icon('<circle cx="12" cy="12" r="6.5"/><path d="M12 2.5V6M12 18v3.5M2.5 12H6M18 12h3.5"/>');
const SEARCH = icon('<circle cx="11" cy="11" r="6.5"/><path d="m16 16 5 5"/>');
const TOOLS = [
  ['zoom-in', 'Zoom in', icon('<path d="M12 5v14M5 12h14"/>')],
  ['zoom-out', 'Zoom out', icon('<path d="M5 12h14"/>')],
  ['whole', 'Show the whole district', icon('<path d="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5"/>')],
  ['locate', 'Use my location', LOCATE],
] as const;
const LEGEND = [
  ['on', 'Chosen district', ''],
  ['county', 'County', 'COUNTY'],
  ['city', 'City or town', 'CITY_TOWN'],
  ['precinct', 'Precinct', 'PRECINCT'],
] as const;

/**
 * Returns the function that creates the map page for a day and the key of its requests, without one if it is not set up. All
 * that differs between the days is the date in it, so that the browser counts the days until elections as the server does.
 */
export function createStartPage(options: StartPageOptions) {
  const states = drawStates();
  return keepLast((today: Day, key: string | undefined) => ownPage(render(states, today, key, options)));
}

function render(
  states: string,
  today: Day,
  key: string | undefined,
  { isSample, hasGraphiql }: StartPageOptions,
): string {
  const modules = ['lit-html.js', ...moduleNames().filter((name) => !NOT_PRELOADED.includes(name))];
  return `<!doctype html>
<html lang="en">
<title>Ballotgraph</title>
<link rel="stylesheet" href="/web/maplibre-gl.css">
${HEAD}
${modules.map((name) => `<link rel="modulepreload" href="/web/${name}">`).join('\n')}
<script type="module" src="/web/main.ts"></script>
<body data-today="${today}" data-graphiql="${hasGraphiql}"${key === undefined ? '' : ` data-key="${key}"`}>
<a class="skip" href="#answer">Skip to the answer</a>
${topBar('/', hasGraphiql)}
<p class="vh" role="status" id="status"></p>
<main class="work" id="work">
<div class="read" id="answer" tabindex="-1">
<button class="grab" type="button" data-action="sheet" aria-label="Show more of the list"></button>
<div class="pad hello">
<div><h1>Find your districts, who represents you, and your ballot.</h1>
<p class="lead">Type a place or click the map. It all runs on this server: what you type goes nowhere else and is not logged.</p></div>
<div><form class="find" role="search"><label for="q">Place</label>
<div class="field">${SEARCH}<input id="q" name="q" role="combobox" aria-expanded="false" aria-autocomplete="list" aria-controls="q-list" autocomplete="off" spellcheck="false"><button>Find</button></div></form><div id="found" tabindex="-1"></div>
<div class="under"><button class="quiet" type="button" data-action="locate">${LOCATE}Use my location</button><span class="small">or click anywhere on the map</span></div></div>
<div class="try">${isSample ? `<span>Try</span>${EXAMPLES.map(([name, href]) => `<a class="btn slim" href="${href}">${name}</a>`).join('')}` : ''}</div>
${isSample ? ledger() : ''}
</div></div>
<div class="stage" id="stage">
<svg class="map" id="svg-map" role="application" tabindex="0" viewBox="${FIRST_VIEW}" aria-label="Map of the United States. Arrow keys move it, plus and minus zoom, Enter chooses its center."><g id="states" aria-hidden="true">${states}</g></svg>
<div class="gl-map" id="gl-map" hidden></div>
<div class="cross" aria-hidden="true"></div>
<div class="pair" id="pair" hidden></div>
<div class="chips" id="regions">${REGIONS.map(([name, box], index) => `<button class="btn slim" type="button" data-action="region" data-box="${box}" aria-pressed="${index === 0}">${name}</button>`).join('')}</div>
<div class="tools" role="group" aria-label="Map">${TOOLS.map(([action, label, shape]) => `<button type="button" data-action="${action}" aria-label="${label}">${shape}</button>`).join('')}</div>
<ul class="legend" id="legend" aria-label="Lines on the map" hidden>${LEGEND.map(([css, text, type]) => `<li${type && ` data-type="${type}"`}><svg aria-hidden="true"><line class="m-d ${css}" x1="0" y1="6" x2="32" y2="6"/></svg>${text}</li>`).join('')}</ul>
<div class="map-notice" id="map-notice"></div>
<p class="attrib">Boundaries: U.S. Census Bureau, served by this gateway</p>
</div>
</main>
</body>
</html>
`;
}

function ledger(): string {
  const rows = SAMPLE_LEDGER.map(([term, text]) => `<div><dt>${term}</dt><dd>${text}</dd></div>`);
  return `<section aria-labelledby="have"><h2 id="have" class="vh">What is loaded here</h2><dl class="ledger">${rows.join('')}</dl></section>`;
}
