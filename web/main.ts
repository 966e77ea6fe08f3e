import { html } from 'lit-html';
import {
  type Answer,
  type Ballots,
  ballotDay,
  countRaces,
  dayToShow,
  placeVariables,
  readAnswer,
  readBallot,
  titleOf,
  today,
} from './answer.ts';
import { apiKey, ask, graphiqlAddress, hasOwnKey, keepKey, lacksGrant, NoAnswer } from './api.ts';
import { areaFrame, areaPage, areaScene, readArea } from './area-page.ts';
import { notice, raceCount } from './ballot.ts';
import { changeTheme } from './change-theme.ts';
import { drawComparison, readComparison } from './compare.ts';
import { comparedRules } from './compared-rules.ts';
import { byId, fill, focusOn, type Html } from './dom.ts';
import { openFind } from './find.ts';
import { examplesIn, findableWords, ofPage } from './findable.ts';
import { icon } from './icons.ts';
import { closeLines, coverageTable, missingLayers, readCloseLines, readCoverage, sourcesTable } from './limits.ts';
import { mapShares } from './map-shares.ts';
import { type MapView, type Scene, SMALL_SCREEN } from './map-view.ts';
import { outlinesOf } from './outlines.ts';
import { layOutForPaper } from './paper.ts';
import { type Camera, type PlaceAddress, type Point, readAddress, rounded, writeAddress } from './place-address.ts';
import { comparisonPage, type PageParts, placePage, waitingPage } from './place-page.ts';
import { notSetUp, problemNotice } from './problems.ts';
import { cameraOf, type Frame, frameAt, frameOf, LOWER_48, visibleBox } from './projection.ts';
import { type Area, areaOf, arrivalFrame, chosenOf, drawable, frameAround, placeScene } from './scenes.ts';
import { markSection } from './sections.ts';
import { openSvgMap } from './svg-map.ts';
import { precinctOf, readVoting, votingVariables } from './voting.ts';
import { counted, longDay } from './words.ts';

const answerElement = byId('answer');
const statusElement = byId('status');
const startNodes = [...answerElement.childNodes];
const FINDABLE_MS = 10_000;
/** Without an answer the label stays `Place`; a lookup says what is wrong. */
const readingFindable = readFindable().catch(() => undefined);
const PLACE_WAIT_MS = 300;
const CAMERA_REST_MS = 500;
/** The zoom at a point without districts: the next coast is seen. */
const FAR_ZOOM = 5;
/** The zoom at a place of which only a point is known: it and the places around it are seen. */
const TOWN_ZOOM = 10;
/** The longest time that the map waits for the text. */
const MAP_WAIT_MS = 300;

/** What the list shows; rendered again when a part of it has been read. */
let content: () => Html | readonly Node[] = () => startNodes;
let parts: PageParts = {};
let address: PlaceAddress = {};
let answer: Answer | undefined;
const firstView = openSvgMap(svgMap(), pick, (moved) => keepCamera(cameraOf(moved, stageSize().width)));
let view: MapView = firstView;
let scene: Scene = { day: today, outlines: [], label: svgMap().getAttribute('aria-label') ?? '' };
let frame: Frame = frameOf(LOWER_48, 0.03);
let pair: readonly MapView[] = [];
let working = new AbortController();
/** The day of the last ballot that was shown without being chosen: usually that of the next one. */
let likelyDay: string | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;
let resting: ReturnType<typeof setTimeout> | undefined;

function svgMap(): SVGSVGElement {
  const found = document.querySelector<SVGSVGElement>('#svg-map');
  if (!found) throw new Error('The page has no map');
  return found;
}

function present(next: typeof content): void {
  content = next;
  update();
}

const update = () => fill(answerElement, content());

/** Shows parts of the page that have been read. */
function add(more: PageParts): void {
  parts = { ...parts, ...more };
  update();
}

/** Shows another address, and adds it to the history. */
function go(next: PlaceAddress): void {
  history.pushState(null, '', writeAddress(next) || location.pathname);
  void show();
}

function pick(at: Point): void {
  const { on, ballot, lang } = address;
  go({ at: rounded(at), ...(on && { on }), ...(ballot && { ballot }), ...(lang && { lang }) });
}

const stageSize = () => svgMap().getBoundingClientRect();

/** Writes the camera into the address of a place when it rests. */
function keepCamera(map: Camera): void {
  clearTimeout(resting);
  if (!address.at || address.vs) return;
  resting = setTimeout(() => {
    address = { ...address, map };
    history.replaceState(null, '', writeAddress(address));
  }, CAMERA_REST_MS);
}

/** Shows what the fragment says. */
async function show(): Promise<void> {
  const before = address;
  address = readAddress(location.hash);
  clearTimeout(retry);
  clearTimeout(resting);
  working.abort();
  working = new AbortController();
  const { signal } = working;
  try {
    if (!address.at && !address.area && !address.zip) showStart();
    if (!apiKey()) showNotSetUp();
    else if (!address.at && !address.area && !address.zip) return;
    else if (!address.at) await showArea(signal);
    else if (address.vs) await showComparison(address.at, address.vs, signal);
    else await showPlace(address.at, before, signal);
  } catch (error) {
    if (!signal.aborted) showProblem(error);
  }
}

function showStart(): void {
  answer = undefined;
  closePair();
  // While the page loads, somebody may be typing in its first HTML.
  if (!answerElement.querySelector('.hello')) present(() => startNodes);
  writeFindable();
  document.title = 'Ballotgraph';
  byId('legend').hidden = true;
  byId('regions').hidden = false;
  draw({ day: today, outlines: [], label: scene.label });
  moveTo(frameOf(LOWER_48, 0.03));
}

/** Writes what can be typed here to the label of the field, with an example in it and, without those of the sample, below it. */
function writeFindable(): void {
  if (!answerElement.querySelector('.hello')) {
    update();
    return;
  }
  const examples = examplesIn(ofPage.findable);
  for (const label of document.querySelectorAll('label[for=q]')) label.textContent = findableWords(ofPage.findable);
  document.getElementById('q')?.setAttribute('placeholder', examples[0] ?? '');
  const shown = document.querySelector('.try');
  if (shown && shown.childElementCount === 0 && examples.length > 0)
    fill(
      shown,
      html`<span>Try</span>${examples.map((text) => html`<button class="btn slim" type="button" data-action="try" data-text="${text}">${text}</button>`)}`,
    );
}

async function readFindable(): Promise<void> {
  if (!apiKey()) return;
  ofPage.findable = (await ask('Findable', {}, AbortSignal.timeout(FINDABLE_MS))).findable;
  writeFindable();
}

/** Leaves the answer that is shown for a question about another text. */
function leaveAnswer(): void {
  if (!address.at && !address.area && !address.zip) return;
  working.abort();
  address = {};
  history.pushState(null, '', location.pathname);
  showStart();
}

/** Shows the districts that an area lies in. */
async function showArea(signal: AbortSignal): Promise<void> {
  closePair();
  answer = undefined;
  const [shown] = await Promise.all([waitFor(readArea(address, signal), undefined), readingFindable]);
  if (signal.aborted) return;
  if (!shown) {
    showStart();
    return;
  }
  byId('regions').hidden = true;
  byId('legend').hidden = true;
  document.title = `${shown.title} · Ballotgraph`;
  parts = { sources: parts.sources };
  const shownAddress = address;
  showContent(() => areaPage(shown, shownAddress, parts));
  answerElement.querySelector('h1')?.focus({ preventScroll: true });
  statusElement.textContent = `${shown.title}. ${counted(shown.layers.length, 'kind')} of districts.`;
  moveTo(areaFrame(shown));
  draw(await areaScene(shown, address.on, undefined));
  if (view.drawsShapes) draw(await areaScene(shown, address.on, signal));
  if (shown.state?.state) await showMissing(shown.state.state, shown.title, shown.state.name, signal);
}

/** Finds the districts of the point and its ballots, unless they are known. */
async function showPlace(at: Point, before: PlaceAddress, signal: AbortSignal): Promise<void> {
  closePair();
  const { on } = address;
  const isSamePoint = answer && answer.at.latitude === at.latitude && answer.at.longitude === at.longitude;
  const ballots: Ballots = answer && isSamePoint ? answer.ballots : { read: new Map() };
  const reading = readBallots(at, ballots, signal);
  const votingRead = readVoting(at, address, signal);
  votingRead.catch(() => undefined);
  const known = answer && isSamePoint ? { date: parts.date, ballot: parts.ballot, voting: parts.voting } : {};
  if (!answer || !isSamePoint || answer.on !== on) {
    answer = await waitFor(readAnswer(at, on, ballots, signal), at);
    if (signal.aborted) return;
    parts = { sources: parts.sources, ...known };
  }
  const isMoved =
    before.at?.latitude !== at.latitude ||
    before.at?.longitude !== at.longitude ||
    answerElement.querySelector('.ladder') === null;
  // What was opened of another place is closed.
  if (isMoved) present(() => '');
  renderPlace(answer);
  markSection(answerElement);
  if (isMoved) {
    answerElement.querySelector('h1')?.focus({ preventScroll: true });
    showMap();
    statusElement.textContent = `${titleOf(answer.rungs, address.name)}. ${counted(answer.rungs.length, 'district')}.`;
  }
  if (answer.rungs.length === 0) {
    if (isMoved) moveToPlace(answer);
    draw({ day: on ?? today, outlines: [], pin: at, label: 'Map. No districts at the chosen point.' });
    return;
  }
  const isBallotChosen = !isMoved && before.ballot !== address.ballot;
  const ballotShown = showElections(answer, reading, isBallotChosen, signal);
  // Drawing the map takes longer than the text, which is shown first.
  await Promise.race([ballotShown.catch(() => undefined), pause(MAP_WAIT_MS)]);
  await Promise.race([painted(), pause(MAP_WAIT_MS)]);
  if (signal.aborted) return;
  if (isMoved) moveToPlace(answer);
  await Promise.all([drawOutlines(answer, signal), ballotShown, showVoting(answer, votingRead, before.lang, signal)]);
  await Promise.all([drawStamps(answer, signal), showLimits(answer, signal)]);
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
/** Resolves when what has been rendered is on the screen. */
const painted = () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** Shows where the point is until the outlines of its districts are drawn. */
function drawPin(shown: Answer): void {
  moveToPlace(shown);
  draw({ day: shown.on ?? today, outlines: [], pin: shown.at, label: scene.label });
}

/** Moves the map to the camera of the address, otherwise to the surroundings of the point. */
function moveToPlace({ rungs, at }: Answer): void {
  const { width, height } = stageSize();
  const camera = address.map ?? (rungs.length === 0 ? { ...at, zoom: FAR_ZOOM } : undefined);
  moveTo(camera ? frameAt(camera, width, height) : arrivalFrame(rungs));
}

/** Shows where, when and how one votes, and draws the precinct. */
async function showVoting(
  shown: Answer,
  reading: ReturnType<typeof readVoting>,
  languageBefore: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const voting = await reading;
  if (signal.aborted) return;
  add({ voting });
  if (address.lang !== languageBefore) statusElement.textContent = 'The language of the deadlines has changed.';
  if (precinctOf(voting)) await drawOutlines(shown, signal);
}

/** Says whether the point is close to a line, and which data of its state are loaded. */
async function showLimits({ at, on, rungs }: Answer, signal: AbortSignal): Promise<void> {
  const close = await readCloseLines(at, on, rungs, signal);
  add({ close: closeLines(close) });
  const state = rungs.find(({ district }) => district.type === 'STATE')?.district;
  if (state?.state) await showMissing(state.state, titleOf(rungs, address.name), state.name, signal);
}

/** Says which data of a state are loaded on the day of the page. */
async function showMissing(state: string, title: string, stateName: string, signal: AbortSignal): Promise<void> {
  const coverage = await readCoverage(state, address.on ?? today, signal);
  if (coverage.length === 0 || signal.aborted) return;
  const place = title.split(',')[0] ?? stateName;
  add({ missing: missingLayers(coverage, place, stateName), coverage: coverageTable(coverage, stateName) });
}

/** What is read about the ballots of a point while its districts are read. */
interface BallotReading {
  readonly sizes: Promise<unknown>;
  readonly ballot: Promise<unknown>;
}

/** Counts the races of all days, and reads the ballot of the day to show. */
function readBallots(at: Point, ballots: Ballots, signal: AbortSignal): BallotReading {
  const { ballot: chosen } = address;
  const early = chosen ?? likelyDay;
  const sizes = countRaces(at, ballots, signal);
  const earlyBallot = early ? readBallot(at, ballots, early, signal) : Promise.resolve(undefined);
  const ballot = chosen
    ? earlyBallot
    : sizes.then((found) => {
        const date = dayToShow(found, address.on);
        if (date === early) return earlyBallot;
        return date ? readBallot(at, ballots, date, signal) : undefined;
      });
  // If the districts cannot be read, their error is shown and nothing waits for these.
  for (const each of [sizes, earlyBallot, ballot]) each.catch(() => undefined);
  return { sizes, ballot };
}

/** Shows the days of elections and the ballot of one as soon as they have been read. */
async function showElections(
  shown: Answer,
  reading: BallotReading,
  isBallotChosen: boolean,
  signal: AbortSignal,
): Promise<void> {
  await reading.sizes;
  const date = ballotDay(shown, address);
  if (shown.ballots.isExcluded || !date) return add({ date: null });
  // Until another ballot has been read, the one that is shown stays, with its day.
  if (!parts.ballot) add({ date });
  await reading.ballot;
  const ballot = await readBallot(shown.at, shown.ballots, date, signal);
  if (signal.aborted) return;
  if (!address.ballot) likelyDay = date;
  add({ date, ballot });
  if (isBallotChosen) focusOn(byId('ballot').querySelector('h2'));
  statusElement.textContent = `${titleOf(shown.rungs, address.name)}. ${counted(shown.rungs.length, 'district')}${address.on ? ` of ${longDay(address.on)}` : ''}, ${counted(raceCount(ballot), 'race')} on ${longDay(date)}.`;
}

function moveTo(next: Frame | undefined): void {
  if (!next) return;
  frame = next;
  view.fit(next);
}

function draw(next: Scene): void {
  scene = next;
  view.show(next);
}

/** Draws the districts of the point, and emphasizes the area of a race, otherwise the chosen district. */
async function drawOutlines(shown: Answer, signal: AbortSignal, race?: Area): Promise<void> {
  const precinct = precinctOf(parts.voting);
  const line = document.querySelector<HTMLElement>('#legend [data-type=PRECINCT]');
  if (line) line.hidden = !precinct;
  const { scene: first, withShapes } = placeScene(shown, address, titleOf(shown.rungs, address.name), race, precinct);
  draw(first);
  if (view.drawsShapes) draw(await withShapes(signal));
}

async function drawStamps({ rungs }: Answer, signal: AbortSignal): Promise<void> {
  add({ stamps: await outlinesOf(drawable(rungs), 1 / 60, signal) });
}

/** Waits for an answer, and says so after a moment. */
async function waitFor<Found>(reading: Promise<Found>, at: Point | undefined): Promise<Found> {
  const waiting = setTimeout(() => renderWaiting(at), PLACE_WAIT_MS);
  try {
    return await reading;
  } finally {
    clearTimeout(waiting);
  }
}

function renderWaiting(at: Point | undefined): void {
  if (answerElement.querySelector('.ladder, .same')) answerElement.classList.add('waiting');
  else present(() => waitingPage(at, address));
}

/** Shows an answer in place of what was waited for, and of what prevented it. */
function showContent(next: typeof content): void {
  answerElement.classList.remove('waiting');
  present(next);
  fill(byId('problem'), '');
}

function renderPlace(shown: Answer): void {
  const { rungs } = shown;
  byId('regions').hidden = rungs.length > 0;
  byId('legend').hidden = rungs.length === 0 || lacksGrant('boundaries');
  for (const line of document.querySelectorAll<HTMLElement>('#legend [data-type]'))
    line.hidden = !rungs.some(({ district }) => district.type === line.dataset.type);
  document.title = `${titleOf(rungs, address.name)} · Ballotgraph`;
  const shownAddress = address;
  showContent(() => placePage(shown, shownAddress, chosenOf(rungs, shownAddress), parts));
}

async function showComparison(at: Point, vs: string, signal: AbortSignal): Promise<void> {
  if (!answer || answer.at.latitude !== at.latitude || answer.at.longitude !== at.longitude) {
    answer = await waitFor(readAnswer(at, undefined, { read: new Map() }, signal), at);
  }
  const on = address.on ?? today;
  const days = on <= vs ? { first: on, second: vs } : { first: vs, second: on };
  const compared = await waitFor(readComparison(answer, titleOf(answer.rungs, address.name), days, signal), at);
  document.title = 'Two maps compared · Ballotgraph';
  const isNew = answerElement.querySelector('.same thead') === null;
  parts = { sources: parts.sources };
  const { rungs } = answer;
  showContent(() => comparisonPage(compared, rungs, parts));
  if (isNew) answerElement.querySelector('h1')?.focus({ preventScroll: true });
  const said = [...answerElement.querySelectorAll('.where .sentence, .where .notice')].map(
    ({ textContent }) => textContent,
  );
  statusElement.textContent = said.join(' ');
  closePair();
  byId('work').classList.add('compare');
  byId('pair').hidden = false;
  byId('regions').hidden = true;
  byId('legend').hidden = true;
  pair = await drawComparison(compared, (point) => go({ ...address, at: rounded(point), name: '' }), signal);
  // With nothing to compare, the map of the states is better than two empty ones.
  if (pair.length === 0) closePair();
  add({ shares: await mapShares(compared, signal) });
  add({ rules: await comparedRules(answer, compared, signal) });
}

function closePair(): void {
  for (const side of pair) side.close();
  pair = [];
  byId('work').classList.remove('compare');
  byId('pair').hidden = true;
  fill(byId('pair'), '');
}

/** Says that the page has no key; the question stays where it is. */
function showNotSetUp(): void {
  const isRejected = hasOwnKey();
  if (!document.getElementById('problem') && !document.getElementById('found')) showStart();
  fill(document.getElementById('problem') ?? byId('found'), notSetUp(isRejected));
  if (isRejected) answerElement.querySelector<HTMLInputElement>('[name="key"]')?.focus();
}

/** Says why there is no answer, and tries again where that helps. */
function showProblem(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  if (!(error instanceof NoAnswer)) throw error;
  if (error.reason === 'key') {
    showNotSetUp();
    return;
  }
  fill(document.getElementById('problem') ?? byId('found'), problemNotice(error));
  if (error.reason !== 'rejected') retry = setTimeout(() => void show(), error.seconds * 1_000);
}

const ACTIONS: Readonly<Record<string, (data: DOMStringMap) => void>> = {
  choose: ({ district }) => chooseDistrict(Number(district)),
  ballot: ({ day }) => {
    go({ ...address, ...(day && { ballot: day }) });
    document.getElementById('ballot')?.scrollIntoView();
  },
  'more-days': () => {
    if (!answer) return;
    answer.isWhole = true;
    update();
    const days = byId('days').querySelector<HTMLElement>('.days');
    focusOn(days);
    statusElement.textContent = `All ${counted(days?.children.length ?? 0, 'day')} of elections are listed.`;
  },
  compare: ({ day, other }) => {
    const change = chosenOf(answer?.rungs ?? [], address)?.boundary.startDate;
    const [first, second] = [day ?? address.on ?? change ?? today, other ?? today];
    go({ ...address, on: first, vs: first === second ? today : second });
  },
  'change-day': ({ day = today }) => go({ ...address, on: dayBefore(day), vs: today > day ? today : day }),
  back: () => {
    const { vs: _, on: __, ...place } = address;
    go(place);
  },
  today: () => {
    const { on: _, ...place } = address;
    go(place);
  },
  clear: () => {
    byId<HTMLInputElement>('q').value = '';
    byId('q').focus();
  },
  copy: () =>
    void navigator.clipboard.writeText(location.href).then(() => {
      statusElement.textContent = 'Link copied';
    }),
  print: () => {
    document.body.classList.add('ballot-only');
    addEventListener('afterprint', () => document.body.classList.remove('ballot-only'), { once: true });
    print();
  },
  coverage: () => {
    byId<HTMLDetailsElement>('coverage').open = true;
    byId('coverage').scrollIntoView();
  },
  'close-notice': () => {
    fill(byId('map-notice'), '');
    svgMap().focus();
  },
  again: () => void show(),
  try: ({ text = '' }) => {
    const field = byId('q') as HTMLInputElement;
    field.value = text;
    field.form?.requestSubmit();
  },
  locate: () => {
    const failed = (why: string) =>
      fill(
        byId('found'),
        notice('', 'warning', 'Your location is not known.', `${why} Type a place, or click the map.`),
      );
    // Browsers have no location for pages that are not encrypted.
    if (!isSecureContext || !('geolocation' in navigator))
      return failed('The browser gives it to pages with https only.');
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => pick(coords),
      ({ code, PERMISSION_DENIED }) =>
        failed(
          code === PERMISSION_DENIED ? 'The browser was not allowed to give it.' : 'The browser could not find it out.',
        ),
    );
  },
  theme: changeTheme,
  sheet: () => {
    const isEnd = scrollY + innerHeight > document.documentElement.scrollHeight - 40;
    scrollTo({ top: isEnd ? 0 : scrollY + innerHeight * 0.4 });
  },
  'zoom-in': () => eachMap((map) => map.zoom(1.5)),
  'zoom-out': () => eachMap((map) => map.zoom(1 / 1.5)),
  whole: () => moveTo(frameAround(chosenOf(answer?.rungs ?? [], address), 0.05) ?? frameOf(LOWER_48, 0.03)),
  precinct: () => {
    const precinct = precinctOf(parts.voting);
    const box = precinct?.boundary.boundingBox;
    if (box) moveTo(frameOf(visibleBox('PRECINCT', box), 0.3));
    showMap();
  },
  region: ({ box = '' }) => {
    const [west = 0, south = 0, east = 0, north = 0] = box.split(' ').map(Number);
    moveTo(frameOf({ west, south, east, north }, 0.05));
    for (const chip of byId('regions').children)
      chip.setAttribute('aria-pressed', String((chip as HTMLElement).dataset.box === box));
  },
};

const eachMap = (change: (map: MapView) => void) => (pair.length > 0 ? pair.slice(0, 1) : [view]).forEach(change);
const dayBefore = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);

/** On small screens, where the page may cover the map, shows all of the map. */
function showMap(): void {
  if (matchMedia(SMALL_SCREEN).matches) scrollTo({ top: 0 });
}

function chooseDistrict(district: number): void {
  if (!answer) return;
  const { map: _, ...place } = address;
  address = { ...place, d: district };
  history.replaceState(null, '', writeAddress(address));
  renderPlace(answer);
  ACTIONS.whole?.({} as DOMStringMap);
  showMap();
  drawOutlines(answer, working.signal).catch(showProblem);
}

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const button = target?.closest<HTMLElement>('[data-action]');
  if (button) {
    if (button instanceof HTMLAnchorElement) event.preventDefault();
    const { action = '' } = button.dataset;
    return Object.hasOwn(ACTIONS, action) ? ACTIONS[action]?.(button.dataset) : undefined;
  }
  const query = target?.closest<HTMLElement>('a[data-query]');
  if (query) {
    event.preventDefault();
    const date = answer && ballotDay(answer, address);
    const { at, on, vs } = address;
    const name = query.dataset.query ?? '';
    const own = {
      Place: at && placeVariables(at, on),
      Ballot: { date },
      Voting: at && votingVariables(at, address),
      Compare: { first: on, second: vs },
    }[name];
    void graphiqlAddress(name, { ...at, ...own }).then((url) => location.assign(url));
    return;
  }
  const inPage = target?.closest<HTMLAnchorElement>('a[href^="#"]');
  if (inPage && !inPage.hash.includes('=')) {
    event.preventDefault();
    const section = document.getElementById(inPage.hash.slice(1));
    section?.scrollIntoView();
    if (inPage.classList.contains('skip')) section?.focus({ preventScroll: true });
  }
});
document.addEventListener('submit', (event) => {
  event.preventDefault();
  const values = new FormData(event.target as HTMLFormElement);
  const key = values.get('key');
  if (typeof key === 'string') {
    if (key.trim() === '') return;
    keepKey(key.trim());
    const typed = address.at || address.area || address.zip ? undefined : document.getElementById('q')?.closest('form');
    void show().then(() => {
      typed?.requestSubmit();
      if (!document.getElementById('key-form')) void startMovingMap();
    });
  }
});
document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLSelectElement && target.id === 'lang') go({ ...address, lang: target.value });
  if (!(target instanceof HTMLInputElement) || target.value === '') return;
  const { day } = target.dataset;
  if (day === 'on' || day === 'first') go({ ...address, on: target.value });
  if (day === 'second') go({ ...address, vs: target.value });
});
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    document.getElementById('q')?.focus();
  }
});
/** The race whose area is drawn. */
let drawnRace: number | undefined;

/** Draws the area of the race that is pointed at or has the focus: its map may not be that of the day. */
function drawRaceOf({ target }: Event): void {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-race]') : null;
  const race = element ? Number(element.dataset.race) : undefined;
  if (!answer || race === drawnRace) return;
  drawnRace = race;
  drawOutlines(answer, working.signal, race === undefined ? undefined : areaOf(answer, address, race)).catch(
    showProblem,
  );
}

/** Shows all data sets when their list is opened. */
async function showSources(details: HTMLDetailsElement): Promise<void> {
  if (!details.open || parts.sources) return;
  const { sources } = await ask('Sources', {}, working.signal);
  add({ sources: sourcesTable(sources ?? []) });
}

// The event does not bubble.
answerElement.addEventListener(
  'toggle',
  ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.id === 'sources') showSources(target).catch(showProblem);
  },
  { capture: true },
);
answerElement.addEventListener('pointerover', drawRaceOf);
answerElement.addEventListener('focusin', drawRaceOf);
openFind(
  (found) => go({ ...(address.on && { on: address.on }), ...(address.lang && { lang: address.lang }), ...found }),
  leaveAnswer,
  showProblem,
  (center, name) => {
    const { width, height } = stageSize();
    draw({ day: today, outlines: [], pin: center, label: `Map around ${name}.` });
    moveTo(frameAt({ ...center, zoom: TOWN_ZOOM }, width, height));
  },
);
addEventListener('popstate', () => void show());
addEventListener('scroll', () => markSection(answerElement), { passive: true });
layOutForPaper(answerElement, () => {
  if (answer && !pair.length && scene.pin !== answer.at) drawPin(answer);
  return pair.length > 0 ? pair : [view];
});

/** Replaces the first map by the moving one, unless the browser cannot draw it. */
async function startMovingMap(): Promise<void> {
  if (view !== firstView) return;
  if (!document.createElement('canvas').getContext('webgl2')) return sayNoWebGl();
  try {
    const { openGlMap } = await import('./gl-map.ts');
    // Until it has loaded, the map below it is seen and takes the clicks.
    byId('gl-map').inert = true;
    byId('gl-map').style.visibility = 'hidden';
    byId('gl-map').hidden = false;
    const moving = await openGlMap(byId('gl-map'), { onPick: pick, onMove: keepCamera, frame, scene });
    byId('gl-map').inert = false;
    byId('gl-map').style.visibility = '';
    view.close();
    view = moving;
    svgMap().style.visibility = 'hidden';
    view.show(scene);
    view.fit(frame);
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: the visitor is told what it means; the cause is for those who look into it.
    if (!(error instanceof NoAnswer)) console.warn(error);
    byId('gl-map').hidden = true;
    byId('gl-map').replaceChildren();
    if (!(error instanceof NoAnswer)) sayNoWebGl();
  }
}

function sayNoWebGl(): void {
  fill(
    byId('map-notice'),
    html`<div class="notice info" role="status">${icon('map')}<div><p><b>The moving map cannot run in this browser.</b></p><p>You see a simple map instead. Everything else works, and the list names every district.</p></div><button class="clear" type="button" data-action="close-notice" aria-label="Close">${icon('close')}</button></div>`,
  );
}

moveTo(frame);
void show();
if (apiKey()) requestIdleCallback(() => void startMovingMap());
