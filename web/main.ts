import { apiKey, ask, graphiqlAddress, keepKey, NoAnswer } from './api.ts';
import { ballotPaper, ballotSummary, noBallot, notice, raceCount, resultsNote } from './ballot.ts';
import { changeTheme } from './change-theme.ts';
import { type Comparison, changeIn, comparison, drawComparison, type ElectionRule, mapRules } from './compare.ts';
import {
  type Ballot,
  type BallotSize,
  type Election,
  type ElectionDay,
  electionDays,
  hasBallot,
  placeName,
  type Rung,
} from './data.ts';
import { elections } from './elections.ts';
import { openFind } from './find.ts';
import { byId, fill, type Html, html } from './html.ts';
import { icon } from './icons.ts';
import { holderDates, ladder, stamp } from './ladder.ts';
import { closeLines, coverageTable, missingLayers, readCloseLines, readCoverage, sourcesTable } from './limits.ts';
import type { MapView, Outline, Scene } from './map-view.ts';
import { outlinesOf } from './outlines.ts';
import {
  type Camera,
  type PlaceAddress,
  type Point,
  pointText,
  readAddress,
  rounded,
  writeAddress,
} from './place-address.ts';
import { cameraOf, type Frame, frameAt, frameOf, LOWER_48, visibleBox } from './projection.ts';
import { openSvgMap } from './svg-map.ts';
import { counted, listed, longDay } from './words.ts';

/** What is known about the point that the page shows. */
interface Answer {
  readonly at: Point;
  readonly on: string | undefined;
  readonly rungs: readonly Rung[];
  readonly elections: readonly Election[];
  readonly ballots: Ballots;
  /** Whether the list has all days of elections. */
  isWhole: boolean;
}

/** The ballots of a point, as far as they have been read. */
interface Ballots {
  sizes?: readonly BallotSize[];
  readonly read: Map<string, Ballot>;
}

const answerElement = byId('answer');
const statusElement = byId('status');
const startHtml = answerElement.innerHTML;
const today = document.body.dataset.today ?? '';
const PLACE_WAIT_MS = 300;
const CAMERA_REST_MS = 500;
/** The longest time that the map waits for the text. */
const MAP_WAIT_MS = 300;

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

/** Shows another address, and adds it to the history. */
function go(next: PlaceAddress): void {
  history.pushState(null, '', writeAddress(next) || location.pathname);
  void show();
}

function pick(at: Point): void {
  const { on, ballot } = address;
  go({ at: rounded(at), ...(on && { on }), ...(ballot && { ballot }) });
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
    if (!address.at) showStart();
    else if (!apiKey()) showKeyForm();
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
  if (!answerElement.querySelector('.hello')) answerElement.innerHTML = startHtml;
  document.title = 'Ballotgraph';
  byId('legend').hidden = true;
  byId('regions').hidden = false;
  draw({ day: today, outlines: [], label: scene.label });
  moveTo(frameOf(LOWER_48, 0.03));
}

/** Returns the variables for the districts of a point and its elections, from ten years ago to four years from now. */
function placeVariables(at: Point, on?: string) {
  const year = Number(today.slice(0, 4));
  return { ...at, on, from: `${year - 10}-01-01`, to: `${year + 4}-12-31` };
}

async function readPlace(at: Point, on: string | undefined, ballots: Ballots, signal: AbortSignal): Promise<Answer> {
  const { location: found } = await ask('Place', placeVariables(at, on), signal);
  const { districtsWithBoundary, elections: held } = found;
  return { at, on, rungs: districtsWithBoundary ?? [], elections: held ?? [], ballots, isWhole: false };
}

/** Finds the districts of the point and its ballots, unless they are known. */
async function showPlace(at: Point, before: PlaceAddress, signal: AbortSignal): Promise<void> {
  closePair();
  const { on } = address;
  const isSamePoint = answer && answer.at.latitude === at.latitude && answer.at.longitude === at.longitude;
  const ballots: Ballots = answer && isSamePoint ? answer.ballots : { read: new Map() };
  const reading = readBallots(at, ballots, signal);
  if (!answer || !isSamePoint || answer.on !== on) {
    const waiting = setTimeout(() => renderWaiting(at), PLACE_WAIT_MS);
    try {
      answer = await readPlace(at, on, ballots, signal);
    } finally {
      clearTimeout(waiting);
    }
  }
  if (signal.aborted) return;
  const isMoved =
    before.at?.latitude !== at.latitude ||
    before.at?.longitude !== at.longitude ||
    answerElement.querySelector('.ladder') === null;
  renderPlace(answer);
  markSection();
  if (isMoved) {
    answerElement.querySelector('h1')?.focus({ preventScroll: true });
    statusElement.textContent = `${titleOf(answer.rungs)}. ${counted(answer.rungs.length, 'district')}.`;
  }
  if (answer.rungs.length === 0) {
    if (isMoved) moveToPlace(answer);
    draw({ day: on ?? today, outlines: [], pin: at, label: 'Map. No districts at the chosen point.' });
    return;
  }
  const ballotShown = showElections(answer, reading, isMoved, signal);
  // Drawing the map takes longer than the text, which is shown first.
  await Promise.race([ballotShown.catch(() => undefined), pause(MAP_WAIT_MS)]);
  await Promise.race([painted(), pause(MAP_WAIT_MS)]);
  if (signal.aborted) return;
  if (isMoved) moveToPlace(answer);
  await Promise.all([drawOutlines(answer, signal), ballotShown]);
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
function moveToPlace({ rungs }: Answer): void {
  const { width, height } = stageSize();
  moveTo(address.map ? frameAt(address.map, width, height) : arrivalFrame(rungs));
}

/** Says whether the point is close to a line, and which data of its state are loaded. */
async function showLimits({ at, on, rungs }: Answer, signal: AbortSignal): Promise<void> {
  const close = await readCloseLines(at, on, rungs, signal);
  fill(byId('close'), html`${closeLines(close)}`);
  const state = rungs.find(({ district }) => district.type === 'STATE')?.district;
  if (!state?.state) return;
  const coverage = await readCoverage(state.state, on ?? today, signal);
  if (coverage.length === 0) return;
  fill(byId('missing'), html`${missingLayers(coverage, titleOf(rungs).split(',')[0] ?? state.name, state.name)}`);
  fill(byId('coverage'), html`<summary>Coverage by state</summary>${coverageTable(coverage, state.name)}`);
  byId('coverage').hidden = false;
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
        const date = dayToShow(found);
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
  isMoved: boolean,
  signal: AbortSignal,
): Promise<void> {
  await reading.sizes;
  const date = ballotDay(shown);
  renderElections(shown, date);
  if (!date) {
    fill(byId('ballot'), html`<header><h2>Ballot</h2></header><p class="none">No ballots here are in the data.</p>`);
    return;
  }
  await reading.ballot;
  const ballot = await readBallot(shown.at, shown.ballots, date, signal);
  if (!address.ballot) likelyDay = date;
  renderBallot(shown, date, ballot);
  if (isMoved) {
    statusElement.textContent = `${titleOf(shown.rungs)}. ${counted(shown.rungs.length, 'district')}, ${counted(raceCount(ballot), 'race')} on ${longDay(date)}.`;
  }
}

async function countRaces(at: Point, ballots: Ballots, signal: AbortSignal): Promise<readonly BallotSize[]> {
  if (!ballots.sizes) {
    const { location: found } = await ask('BallotSizes', placeVariables(at), signal);
    ballots.sizes = found.ballots ?? [];
  }
  return ballots.sizes;
}

async function readBallot(at: Point, { read }: Ballots, date: string, signal: AbortSignal): Promise<Ballot> {
  const known = read.get(date);
  if (known) return known;
  const { location: found } = await ask('Ballot', { ...at, date }, signal);
  const ballot = found.ballot ?? { districts: [] };
  read.set(date, ballot);
  return ballot;
}

const daysOf = ({ elections: found, ballots }: Answer): ElectionDay[] => electionDays(found, ballots.sizes ?? []);

/** Returns the day of the ballot to show: the last one with races, otherwise the next. */
function dayToShow(days: readonly BallotSize[]): string | undefined {
  const past = days.findLast((day) => hasBallot(day) && day.date <= (address.on ?? today));
  return (past ?? days.find(hasBallot) ?? days.find(({ date }) => date >= today))?.date;
}

/** Returns the day whose ballot is shown: the chosen one, or that of `dayToShow`. */
const ballotDay = (shown: Answer) =>
  address.ballot ?? dayToShow(shown.ballots.sizes?.length ? shown.ballots.sizes : daysOf(shown));

/** Returns the district whose outline is drawn: the chosen one, the smallest with two maps, or that of Congress. */
function chosenOf(rungs: readonly Rung[]): Rung | undefined {
  const chosen = rungs.find(({ district }) => district.databaseId === address.d);
  const redrawn = rungs.filter(({ district }) => district.boundaries.length > 1).at(-1);
  return chosen ?? redrawn ?? rungs.find(({ district }) => district.type === 'CONGRESS') ?? rungs.at(-1);
}

/** Returns the frame of a point that was found: its county, or the smallest district. */
function arrivalFrame(rungs: readonly Rung[]): Frame | undefined {
  const around = rungs.find(({ district }) => district.type === 'COUNTY') ?? rungs.at(-1);
  return around?.boundary.boundingBox
    ? frameOf(visibleBox(around.district.type, around.boundary.boundingBox), 0.12)
    : undefined;
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

/** A district with one of its boundaries. */
interface Area {
  readonly district: Pick<Rung['district'], 'databaseId' | 'type' | 'name'>;
  readonly boundary: Pick<Rung['boundary'], 'id' | 'databaseId' | 'startDate' | 'boundingBox'>;
}

/** Draws the districts of the point, and emphasizes the area of a race, otherwise the chosen district. */
async function drawOutlines({ rungs, at, on }: Answer, signal: AbortSignal, race?: Area): Promise<void> {
  const chosen: Area | undefined = race ?? chosenOf(rungs);
  const isChosen = (each: Area) => each.district.databaseId === chosen?.district.databaseId;
  const lines: (readonly [Area, string])[] = [
    ...rungs.filter(({ district }) => district.type === 'COUNTY').map((each) => [each, 'm-d county'] as const),
    ...rungs.filter(({ district }) => district.type === 'CITY_TOWN').map((each) => [each, 'm-d city'] as const),
    ...(chosen ? [[chosen, 'm-d on'] as const] : []),
  ].filter(([each, css]) => !isChosen(each) || css === 'm-d on');
  const sceneWith = (shapes: ReadonlyMap<number, unknown>): Scene => ({
    day: on ?? today,
    pin: at,
    label: `Map of ${titleOf(rungs)}, with its districts drawn. The list beside the map names them all. Arrow keys move the map, Enter chooses its center.`,
    outlines: lines.map(
      ([{ district, boundary }, css]): Outline => ({
        ...{ databaseId: boundary.databaseId, type: district.type, css, name: district.name },
        day: boundary === race?.boundary ? boundary.startDate : undefined,
        shape: shapes.get(boundary.databaseId),
      }),
    ),
  });
  draw(sceneWith(new Map()));
  if (view.drawsShapes) draw(sceneWith(await outlinesOf(drawable(lines.map(([each]) => each)), 1 / 400, signal)));
}

function drawable(areas: readonly Area[]) {
  return areas.flatMap(({ district, boundary: { id, databaseId, boundingBox } }) =>
    boundingBox ? [{ id, databaseId, type: district.type, box: boundingBox }] : [],
  );
}

async function drawStamps({ rungs, at }: Answer, signal: AbortSignal): Promise<void> {
  const shapes = await outlinesOf(drawable(rungs), 1 / 60, signal);
  for (const rung of rungs) {
    const button = answerElement.querySelector(`.stamp[data-district="${rung.district.databaseId}"]`);
    const shape = shapes.get(rung.boundary.databaseId);
    if (button && shape) fill(button, stamp(rung, shape, at));
  }
}

function findForm(value: string): Html {
  return html`<form class="find" role="search"><label for="q">Address, town or ZIP code</label><div class="field">${icon('search')}<input id="q" name="q" value="${value}" placeholder="16 Cony St, Augusta ME" role="combobox" aria-expanded="false" aria-autocomplete="list" aria-controls="q-list" autocomplete="off" spellcheck="false"><button class="clear" type="button" data-action="clear" aria-label="Clear">${icon('close')}</button><button>Find</button></div><div id="found"></div></form>`;
}

function head(title: string, at: Point): Html {
  const { on, name } = address;
  return html`<button class="grab" type="button" data-action="sheet" aria-label="Show more of the list"></button>
    <div class="pad where">${findForm(name ?? `${at.latitude}, ${at.longitude}`)}<h1 tabindex="-1">${title}</h1>
    <div class="coords"><span>${pointText(at)}</span><button class="quiet" type="button" data-action="copy">${icon('share')}Copy link</button></div>
    <div class="asof"><label for="day">Districts and people on</label><input type="date" id="day" value="${on ?? today}" data-day="on">
      <button class="btn slim" type="button" data-action="today" aria-pressed="${String(!on || on === today)}">Today</button>
      <button class="btn slim" type="button" data-action="compare">${icon('compare')}Compare<span class="vh"> two days</span></button></div>
    ${on && on !== today && notice('info', 'info', `Showing ${longDay(on)}.`, 'Districts and people of that day.')}<div id="problem"></div></div>`;
}

function renderWaiting(at: Point): void {
  if (answerElement.querySelector('.ladder')) {
    answerElement.classList.add('waiting');
    return;
  }
  fill(
    answerElement,
    html`${head('Looking up the districts of this point…', at)}<section class="section">${[35, 80, 60, 90, 45].map((width) => html`<p><span class="sk" data-css="width:${width}%"></span></p>`)}</section>`,
  );
}

function renderPlace({ rungs, at }: Answer): void {
  answerElement.classList.remove('waiting');
  byId('regions').hidden = true;
  byId('legend').hidden = rungs.length === 0;
  document.title = `${titleOf(rungs)} · Ballotgraph`;
  if (rungs.length === 0) {
    fill(
      answerElement,
      html`${head('No districts here', at)}<div class="pad">${notice('info', 'pin', 'No districts here.', 'This point is at sea or outside the United States. Click somewhere on land.')}</div>`,
    );
    return;
  }
  fill(
    answerElement,
    html`${head(titleOf(rungs), at)}
    <nav class="jump" aria-label="On this page"><a href="#people" aria-current="true">Who represents you</a><a href="#elections">Elections</a><a href="#ballot">Ballot</a></nav>
    <section class="section" id="people"><header><h2>Who represents you</h2>${graphiqlLink('Place')}<p>Your districts ${address.on ? `on ${longDay(address.on)}` : 'today'}, from the country down, and who holds office in each.</p></header>
      <div id="close"></div>${ladder(rungs, chosenOf(rungs)?.district.databaseId)}<div id="missing"></div></section>
    <section class="section" id="elections"><header><h2>Elections here</h2>${graphiqlLink('Place')}<p>Filled marks have a ballot you can open. Open marks are still to come.</p></header><div id="days"><span class="sk"></span></div></section>
    <section class="section" id="ballot"><span class="sk"></span></section>${footer(rungs)}`,
  );
}

function renderElections(shown: Answer, date: string | undefined): void {
  const redrawn = shown.rungs.filter(({ district }) => district.boundaries.length > 1).at(-1);
  fill(byId('days'), elections({ days: daysOf(shown), shown: date, today, redrawn, isWhole: shown.isWhole }));
}

function renderBallot(shown: Answer, date: string, ballot: Ballot): void {
  const days = daysOf(shown);
  const near = [
    days.findLast((day) => day.date < date && hasBallot(day)),
    days.find((day) => day.date > date && hasBallot(day)),
  ];
  const nearest = near.flatMap((day) => (day ? [day.date] : []));
  const isEmpty = ballot.districts.length === 0;
  const note = resultsNote(ballot);
  fill(
    byId('ballot'),
    html`<header><h2>Ballot of ${longDay(date)}</h2>${graphiqlLink('Ballot')}${!isEmpty && html`<p>${ballotSummary({ ballot, date, today })}</p>`}</header>
    ${
      isEmpty
        ? noBallot(
            date,
            days.some((day) => day.date === date),
            nearest,
          )
        : ballotPaper({ ballot, date, today })
    }
    ${!isEmpty && html`<div class="foot"><button class="quiet" type="button" data-action="print">${icon('printer')}Print this ballot</button></div>`}
    ${note && html`<p class="small">${note}</p>`}`,
  );
}

/** Returns the name of the place: what was found with the whole name of its state, otherwise that of its districts. */
function titleOf(rungs: readonly Rung[]): string {
  const state = rungs.find(({ district }) => district.type === 'STATE')?.district;
  const { name } = address;
  if (!name) return placeName(rungs);
  return state?.state ? name.replace(new RegExp(`, ${state.state}$`), `, ${state.name}`) : name;
}

/** How far down the window a section is being read: a share of its height, and at least below what stays in place. */
const READING_SHARE = 0.3;
const READING_PIXELS = 120;

/** Marks the link to the section that is being read; at the end of the page that is the last one, however short it is. */
function markSection(): void {
  const sections = [...answerElement.querySelectorAll('.section[id]')];
  const isEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
  const line = Math.max(innerHeight * READING_SHARE, READING_PIXELS);
  const begun = sections.filter((each) => each.getBoundingClientRect().top < line);
  const current = (isEnd ? sections : begun).at(-1) ?? sections[0];
  for (const link of answerElement.querySelectorAll<HTMLAnchorElement>('.jump a')) {
    if (link.hash === `#${current?.id}`) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

addEventListener('scroll', markSection, { passive: true });

function graphiqlLink(name: string): Html | false {
  return (
    document.body.dataset.graphiql === 'true' &&
    html`<a class="quiet" href="/graphql" data-query="${name}">${icon('braces')}Open in GraphiQL</a>`
  );
}

function footer(rungs: readonly Rung[]): Html {
  const maps = new Map(rungs.flatMap(({ boundary }) => boundary.sources).map((source) => [source.name, source]));
  const people = new Map(
    rungs
      .flatMap(({ district }) => district.offices ?? [])
      .flatMap(({ officeholders }) => officeholders ?? [])
      .flatMap(({ sources }) => sources)
      .map((source) => [source.name, source]),
  );
  const named = ({ name, license }: { readonly name: string; readonly license: string | null }) =>
    license ? `${name} (${license})` : name;
  const days = holderDates(rungs.flatMap(({ district }) => district.offices ?? []));
  return html`<footer class="end"><p><b>Data in this gateway.</b> ${
    days.length > 0 &&
    `Officeholders as of ${listed(days.map(({ asOf, name }) => (days.length > 1 ? `${longDay(asOf)} (${name})` : longDay(asOf))))}.`
  }</p>
    <ul>${maps.size > 0 && html`<li>Boundaries: ${[...maps.values()].map(named).join('; ')}</li>`}${people.size > 0 && html`<li>Officeholders: ${[...people.values()].map(named).join('; ')}</li>`}</ul>
    <p>Not an official source. For how and where to vote, ask your state or local election office.</p>
    <details id="coverage" hidden></details>
    <details id="sources"><summary>All sources and licenses</summary></details>
    <p class="links"><a href="/docs">Docs</a><a href="/ready">Status</a></p></footer>`;
}

async function showComparison(at: Point, vs: string, signal: AbortSignal): Promise<void> {
  const first = address.on ?? today;
  const [before, after] = first <= vs ? [first, vs] : [vs, first];
  if (!answer || answer.at.latitude !== at.latitude || answer.at.longitude !== at.longitude) {
    answer = await readPlace(at, undefined, { read: new Map() }, signal);
  }
  const { location: found } = await ask('Compare', { ...at, first: before, second: after }, signal);
  const changes = [
    ...new Set(
      answer.rungs.flatMap(({ district }) =>
        district.boundaries
          .map(({ startDate }) => startDate)
          .sort()
          .slice(1),
      ),
    ),
  ].sort();
  const compared: Comparison = {
    ...{ at, place: titleOf(answer.rungs), first: before, second: after, today, changes },
    ...{ before: found.first ?? [], after: found.second ?? [] },
  };
  document.title = 'Two maps compared · Ballotgraph';
  fill(
    answerElement,
    html`<button class="grab" type="button" data-action="sheet" aria-label="Show more of the list"></button>${comparison(compared)}<div id="rules"></div>${footer(answer.rungs)}`,
  );
  answerElement.querySelector('h1')?.focus({ preventScroll: true });
  closePair();
  byId('work').classList.add('compare');
  byId('pair').hidden = false;
  byId('regions').hidden = true;
  byId('legend').hidden = true;
  pair = await drawComparison(compared, (point) => go({ ...address, at: rounded(point), name: '' }), signal);
  await showRules(answer, compared, signal);
}

/** The number of races whose rule is shown below a comparison, and of the ballots that are read to find them. */
const MOST_RULES = 2;
const MOST_BALLOTS = 4;

/** Says which of two maps counts in the last races before the change: it may not be the one in effect on election day. */
async function showRules({ at, ballots }: Answer, compared: Comparison, signal: AbortSignal): Promise<void> {
  const change = changeIn(compared);
  if (!change) return;
  const { type } = change.new.district;
  const sizes = await countRaces(at, ballots, signal);
  const days = sizes.filter((day) => hasBallot(day) && day.date < change.new.boundary.startDate).reverse();
  const rules: ElectionRule[] = [];
  for (const { date } of days.slice(0, MOST_BALLOTS)) {
    const { districts } = await readBallot(at, ballots, date, signal);
    const part = districts.find(({ district }) => district.type === type);
    const race = part?.races.find(({ boundary }) => boundary && boundary.reason !== 'ONLY_ONE_MAP');
    if (part && race) rules.push({ race, date, maps: part.district.boundaries });
    if (rules.length === MOST_RULES) break;
  }
  fill(byId('rules'), html`${mapRules(rules, type, today)}`);
}

function closePair(): void {
  for (const side of pair) side.close();
  pair = [];
  byId('work').classList.remove('compare');
  byId('pair').hidden = true;
  byId('pair').replaceChildren();
}

/** @param isRejected whether the server has rejected the key of this tab. */
function showKeyForm(isRejected = false): void {
  closePair();
  fill(
    answerElement,
    html`<div class="pad"><form class="stack" id="key-form"><h1 class="vh">API key</h1><p><b>This server asks for an API key.</b> It is kept in this tab only and gone when you close it.</p>
    ${isRejected && notice('bad', 'key', 'The server did not take this key.', 'Check it for typing errors, or ask the operator of this server.')}
    <label class="key"><span class="small">API key</span><input class="in" name="key" placeholder="bg_…" autocomplete="off"></label><button class="btn primary">Use this key</button></form></div>`,
  );
  if (isRejected) answerElement.querySelector('input')?.focus();
}

/** Says why there is no answer, and tries again where that helps. */
function showProblem(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  if (!(error instanceof NoAnswer)) throw error;
  if (error.reason === 'key') {
    showKeyForm(apiKey() !== undefined);
    return;
  }
  const place = document.getElementById('problem') ?? byId('found');
  if (error.reason === 'rejected') {
    fill(place, notice('', 'warning', 'The server did not take this request.', error.message));
    return;
  }
  const isBusy = error.reason === 'too many';
  retry = setTimeout(() => void show(), error.seconds * 1_000);
  fill(
    place,
    isBusy
      ? notice(
          '',
          'warning',
          'That was too many lookups in a short time.',
          `We will try again in ${counted(error.seconds, 'second')}. Your place and day are kept.`,
        )
      : notice(
          'bad',
          'warning',
          'The server did not answer.',
          'What you see is from before. Nothing is lost; the page tries again by itself.',
          html`<p><button class="btn slim" type="button" data-action="again">Try again now</button></p>`,
        ),
  );
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
    renderElections(answer, ballotDay(answer));
  },
  compare: ({ day, other }) => {
    const change = chosenOf(answer?.rungs ?? [])?.boundary.startDate;
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
  print: () => print(),
  coverage: () => {
    byId<HTMLDetailsElement>('coverage').open = true;
    byId('coverage').scrollIntoView();
  },
  'close-notice': () => byId('map-notice').replaceChildren(),
  again: () => void show(),
  locate: () => navigator.geolocation.getCurrentPosition(({ coords }) => pick(coords)),
  theme: changeTheme,
  sheet: () => {
    const isEnd = scrollY + innerHeight > document.documentElement.scrollHeight - 40;
    scrollTo({ top: isEnd ? 0 : scrollY + innerHeight * 0.4 });
  },
  'zoom-in': () => eachMap((map) => map.zoom(1.5)),
  'zoom-out': () => eachMap((map) => map.zoom(1 / 1.5)),
  whole: () => {
    const box = chosenOf(answer?.rungs ?? []);
    moveTo(
      box?.boundary.boundingBox
        ? frameOf(visibleBox(box.district.type, box.boundary.boundingBox), 0.05)
        : frameOf(LOWER_48, 0.03),
    );
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

function chooseDistrict(district: number): void {
  if (!answer) return;
  const { map: _, ...place } = address;
  address = { ...place, d: district };
  history.replaceState(null, '', writeAddress(address));
  for (const rung of answerElement.querySelectorAll<HTMLElement>('.rung')) {
    const isChosen = Number(rung.dataset.district) === district;
    rung.classList.toggle('on', isChosen);
    rung.querySelector('.stamp')?.setAttribute('aria-pressed', String(isChosen));
  }
  ACTIONS.whole?.({} as DOMStringMap);
  if (matchMedia('(max-width: 68.75rem)').matches) scrollTo({ top: 0 });
  drawOutlines(answer, working.signal).catch(showProblem);
}

document.addEventListener('click', (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const button = target?.closest<HTMLElement>('[data-action]');
  if (button) {
    if (button instanceof HTMLAnchorElement) event.preventDefault();
    return ACTIONS[button.dataset.action ?? '']?.(button.dataset);
  }
  const query = target?.closest<HTMLElement>('a[data-query]');
  if (query) {
    event.preventDefault();
    const date = query.dataset.day ?? (answer && ballotDay(answer));
    const { at, on, vs } = address;
    const name = query.dataset.query ?? '';
    const own = { Place: at && placeVariables(at, on), Ballot: { date }, Compare: { first: on, second: vs } }[name];
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
    void show().then(() => {
      if (!document.getElementById('key-form')) void startMovingMap();
    });
  }
});
document.addEventListener('change', ({ target }) => {
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
  drawOutlines(answer, working.signal, race === undefined ? undefined : areaOf(answer, race)).catch(showProblem);
}

function areaOf(shown: Answer, databaseId: number): Area | undefined {
  for (const { district, races } of shown.ballots.read.get(ballotDay(shown) ?? '')?.districts ?? []) {
    const boundary = races.find((race) => race.databaseId === databaseId)?.boundary?.boundary;
    if (boundary) return { district, boundary };
  }
  return undefined;
}

/** Shows all data sets when their list is opened. */
async function showSources(details: HTMLDetailsElement): Promise<void> {
  if (!details.open || details.querySelector('table')) return;
  const { sources } = await ask('Sources', {}, working.signal);
  fill(details, html`<summary>All sources and licenses</summary>${sourcesTable(sources ?? [])}`);
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
openFind(({ at, name }) => go({ ...(address.on && { on: address.on }), at, ...(name && { name }) }), showProblem);
addEventListener('popstate', () => void show());

/** What restores the page after it has been printed. */
let restore: (() => void) | undefined;

/** Gives the map the size that it has on paper, and shows all candidates: nobody can open a list on paper. */
function layOutForPrint(): void {
  restore?.();
  if (answer && !pair.length && scene.pin !== answer.at) drawPin(answer);
  const closed = [...answerElement.querySelectorAll<HTMLDetailsElement>('.race > details.rest:not([open])')];
  for (const details of closed) details.open = true;
  const views = pair.length > 0 ? pair : [view];
  const restoreViews = views.map((each) => each.print(resizeForPaper));
  restore = () => {
    for (const details of closed) details.open = false;
    for (const restoreView of restoreViews) restoreView();
    restore = undefined;
  };
}

/** Gives the map its height on paper, and the width that shows the same part of the world as the screen. */
function resizeForPaper(): () => void {
  const work = byId('work');
  const { width, height } = byId('stage').getBoundingClientRect();
  if (!work.classList.contains('printing')) work.style.setProperty('--shape', String(width / height));
  work.classList.add('printing');
  return () => work.classList.remove('printing');
}

addEventListener('beforeprint', layOutForPrint);
addEventListener('afterprint', () => restore?.());

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
