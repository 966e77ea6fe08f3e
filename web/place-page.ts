import { html } from 'lit-html';
import { type Answer, daysOf, titleOf, today } from './answer.ts';
import { lacksGrant } from './api.ts';
import { ballotPaper, ballotSummary, lacking, noBallot, notice, resultsNote } from './ballot.ts';
import { type Comparison, comparison } from './compare.ts';
import { type Ballot, hasBallot, type Rung } from './data.ts';
import type { Html } from './dom.ts';
import { elections } from './elections.ts';
import { examplesIn, findableWords, ofPage } from './findable.ts';
import { icon } from './icons.ts';
import { holderDates, ladder } from './ladder.ts';
import { exchangedText, type PlaceAddress, type Point, pointText } from './place-address.ts';
import { VOTING_EXCLUDED, type Voting, votingCard } from './voting.ts';
import { votingHelp } from './voting-help.ts';
import { isolated, listed, longDay, notIncluded, updatedText } from './words.ts';

/** The handle of the list on a phone, where it covers the map. */
const SHEET_HANDLE = html`<button class="grab" type="button" data-action="sheet" aria-label="Show more of the list"></button>`;

/** Takes the place of what is being read. */
const SKELETON = html`<span class="sk"></span>`;
const WAITING_WIDTHS = [35, 80, 60, 90, 45];

/** Returns the page while the districts of a point are looked up. */
export function waitingPage(at: Point | undefined, address: PlaceAddress): Html {
  return html`${head('Looking up the districts of this point…', address, at)}<section class="section">${WAITING_WIDTHS.map((width) => html`<p><span class="sk" .style="width:${width}%"></span></p>`)}</section>`;
}

/** What is read after the answer that a page is for; each part is shown as soon as it is there. */
export interface PageParts {
  readonly close?: Html;
  readonly missing?: Html;
  readonly coverage?: Html;
  readonly sources?: Html | undefined;
  /** The outlines in the pictures of the districts, by the `databaseId` of the boundary. */
  readonly stamps?: ReadonlyMap<number, unknown>;
  /** The day whose ballot is shown; null if there is none. */
  readonly date?: string | null | undefined;
  readonly ballot?: Ballot | undefined;
  /** Null if there is no election, or the package does not include it. */
  readonly voting?: Voting | null | undefined;
  readonly shares?: Html;
  readonly rules?: Html;
}

/** Returns the page of a point: its districts, and places for its elections and a ballot. */
export function placePage(answer: Answer, address: PlaceAddress, chosen: Rung | undefined, parts: PageParts): Html {
  const { rungs, hasDistricts, at, loaded, looksExchanged } = answer;
  if (!hasDistricts)
    return html`${head('Districts not included', address, at)}<div class="pad">${notice('info', 'key', notIncluded('Districts'), 'Ask the operator of this server for the grant “districts”.')}</div>`;
  if (rungs.length === 0)
    return html`${head('No districts here', address, at)}<div class="pad">${notice('info', 'pin', 'No districts here.', looksExchanged ? exchangedText({ latitude: at.longitude, longitude: at.latitude }) : 'This point is at sea or outside the United States. Click somewhere on land.')}</div>`;
  return html`${head(titleOf(rungs, address.name), address, at)}
    <nav class="jump" aria-label="On this page"><a href="#people" aria-current="true">Who represents you</a><a href="#elections">Elections</a><a href="#voting">How to vote</a><a href="#ballot">Ballot</a></nav>
    <section class="section" id="people"><header><h2>Who represents you</h2>${graphiqlLink('Place')}<p>Your districts ${address.on ? `on ${longDay(address.on)}` : 'today'}, from the country down, and who holds office in each${asOfText(rungs)}.</p></header>
      <div id="close">${parts.close}</div>${lacksGrant('boundaries') ? notice('info', 'key', notIncluded('Outlines'), 'The map shows the point without its districts.') : ''}${ladder(rungs, chosen?.district.databaseId, at, parts.stamps)}<div id="missing">${parts.missing}</div></section>
    <section class="section" id="elections"><header><h2>Elections here</h2>${graphiqlLink('Place')}<p>Filled marks have a ballot you can open. Large open marks are still to come; small ones are past, without a ballot in the data.</p></header><div id="days">${parts.date === undefined ? SKELETON : dayList(answer, parts.date ?? undefined)}</div>${loaded}</section>
    <section class="section" id="voting">${votingSection(answer, address, parts)}</section>
    <section class="section" id="ballot">${ballotSection(answer, parts)}</section>${footer(rungs, parts)}`;
}

/** Returns the page of a comparison. */
export function comparisonPage(compared: Comparison, rungs: readonly Rung[], parts: PageParts): Html {
  return html`${SHEET_HANDLE}${comparison(compared)}<div id="shares">${parts.shares}</div><div id="rules">${parts.rules}</div>${footer(rungs, parts)}`;
}

/** Returns the days of elections; the ballot of one of them is shown. */
function dayList(answer: Answer, shown: string | undefined): Html {
  const redrawn = answer.rungs.filter(({ district }) => district.boundaries.length > 1).at(-1);
  if (answer.elections === null) return html`<p class="none">${notIncluded('Elections')}</p>`;
  const hasBallots = !answer.ballots.isExcluded;
  const { isWhole, today } = answer;
  return elections({ days: daysOf(answer), shown, today, redrawn, isWhole, hasBallots });
}

/** Returns the section on where, when and how one votes, and whom to ask. */
function votingSection({ today, electionOffice }: Answer, address: PlaceAddress, { voting }: PageParts): Html {
  const none = lacksGrant('voting')
    ? VOTING_EXCLUDED
    : address.ballot
      ? `No election is known here on ${longDay(address.ballot)}.`
      : 'No coming election here is in the data.';
  return html`<header><h2>How to vote</h2>${graphiqlLink('Voting')}${voting ? html`<p>${voting.election.name}, ${longDay(voting.date)}</p>` : ''}</header>
    ${voting ? votingCard(voting, address, today) : voting === null ? html`<p class="none">${none}</p>` : SKELETON}${votingHelp(electionOffice)}`;
}

/** Returns the section with the ballot of a day; without a ballot it names the nearest days with one. */
function ballotSection(answer: Answer, { date, ballot }: PageParts): Html {
  if (answer.ballots.isExcluded) return noBallots(notIncluded('Ballots'));
  if (date === null) return noBallots('No ballots here are in the data.');
  if (!date || !ballot) return SKELETON;
  const { today } = answer;
  const days = daysOf(answer);
  const near = [
    days.findLast((day) => day.date < date && hasBallot(day)),
    days.find((day) => day.date > date && hasBallot(day)),
  ];
  const nearest = near.flatMap((day) => (day ? [day.date] : []));
  const isEmpty = ballot.districts.length === 0;
  const note = resultsNote(ballot);
  return html`<header><h2>Ballot of ${longDay(date)}</h2>${graphiqlLink('Ballot')}${!isEmpty ? html`<p>${ballotSummary({ ballot, date, today })}</p>${lacking(ballot)}` : ''}</header>
    ${
      isEmpty
        ? noBallot(
            date,
            days.some((day) => day.date === date),
            nearest,
          )
        : ballotPaper({ ballot, date, today })
    }
    ${!isEmpty ? html`<p class="small">${updatedText('races and questions', recordsOf(ballot))}</p><div class="foot"><button class="quiet" type="button" data-action="print">${icon('printer')}Print this ballot</button></div>` : ''}
    ${note ? html`<p class="small">${note}</p>` : ''}`;
}

/** Returns what a ballot shows. */
const recordsOf = ({ districts }: Ballot) =>
  districts.flatMap(({ races, ballotMeasures }) => [
    ...races.flatMap((race) => [race, ...race.candidates]),
    ...ballotMeasures,
  ]);

const noBallots = (why: string) => html`<header><h2>Ballot</h2></header><p class="none">${why}</p>`;

/** Returns as of which days the people are known, if that is not the day of the page. */
export function asOfText(shown: readonly Sourced[]): string {
  const days = holderDates(shown.flatMap(({ district }) => district.offices ?? [])).map(({ asOf }) => asOf);
  const dates = [...new Set([days[0], days.at(-1)])]
    .filter((day) => day !== undefined && day !== today)
    .map((day) => longDay(day ?? ''));
  return dates.length > 0 ? `, as of ${dates[0]}${dates.length > 1 ? ' or later' : ''}` : '';
}

/** What the end of the page says of the districts above it. */
export interface Sourced {
  readonly district: Pick<Rung['district'], 'offices' | 'updatedAt'>;
  readonly boundary: Pick<Rung['boundary'], 'sources' | 'updatedAt'>;
}

/** Returns the end of the page: where its data come from. */
export function footer(rungs: readonly Sourced[], { coverage, sources }: PageParts): Html {
  const maps = new Map(rungs.flatMap(({ boundary }) => boundary.sources).map((source) => [source.name, source]));
  const offices = rungs.flatMap(({ district }) => district.offices ?? []);
  const holders = offices.flatMap(({ officeholders }) => officeholders ?? []);
  const persons = holders.flatMap(({ person, sources }) => (person ? { updatedAt: person.updatedAt, sources } : []));
  const shown = [
    ...rungs.flatMap(({ district, boundary }) => [boundary, district]),
    ...holders,
    ...persons,
    ...offices,
  ];
  const people = new Map(holders.flatMap(({ sources }) => sources).map((source) => [source.name, source]));
  const named = ({ name, license }: { readonly name: string; readonly license: string | null }) =>
    license ? `${name} (${license})` : name;
  const days = holderDates(offices);
  return html`<footer class="end"><p><b>Data in this gateway.</b> ${
    days.length > 0
      ? `Officeholders as of ${listed(days.map(({ asOf, name }) => (days.length > 1 ? `${longDay(asOf)} (${name})` : longDay(asOf))))}.`
      : ''
  } ${updatedText('districts and people', shown)}</p>
    <ul>${maps.size > 0 ? html`<li>Boundaries: ${[...maps.values()].map(named).join('; ')}</li>` : ''}${people.size > 0 ? html`<li>Officeholders: ${[...people.values()].map(named).join('; ')}</li>` : ''}</ul>
    <p>Not an official source. For how and where to vote, ask your state or local election office.</p>
    <details id="coverage" ?hidden=${!coverage}><summary>Coverage by state</summary>${coverage}</details>
    <details id="sources"><summary>All sources and licenses</summary>${sources}</details>
    <p class="links"><a href="/docs">Docs</a><a href="/ready">Status</a></p></footer>`;
}

/** @param at the point; an area has none, and its days cannot be compared. */
export function head(title: string, { on, name }: PlaceAddress, at?: Point): Html {
  return html`${SHEET_HANDLE}
    <div class="pad where">${findForm(name ?? (at ? `${at.latitude}, ${at.longitude}` : ''))}<h1 tabindex="-1">${isolated(title.split(', '))}</h1>
    <div class="coords"><span>${at ? pointText(at) : 'The whole area'}</span><button class="quiet" type="button" data-action="copy">${icon('share')}Copy link</button></div>
    <div class="asof"><label for="day">Districts and people on</label><input type="date" id="day" .value="${on ?? today}" data-day="on">
      <button class="btn slim" type="button" data-action="today" aria-pressed="${String(!on || on === today)}">Today</button>
      ${at ? html`<button class="btn slim" type="button" data-action="compare">${icon('compare')}Compare<span class="vh"> two days</span></button>` : ''}</div>
    ${on && on !== today ? notice('info', 'info', `Showing ${longDay(on)}.`, 'Districts and people of that day.') : ''}<div id="problem"></div></div>`;
}

function findForm(value: string): Html {
  return html`<form class="find" role="search"><label for="q">${findableWords(ofPage.findable)}</label><div class="field">${icon('search')}<input id="q" name="q" .value="${value}" placeholder="${examplesIn(ofPage.findable)[0] ?? ''}" role="combobox" aria-expanded="false" aria-autocomplete="list" aria-controls="q-list" autocomplete="off" spellcheck="false"><button class="clear" type="button" data-action="clear" aria-label="Clear">${icon('close')}</button><button>Find</button></div></form><div id="found" tabindex="-1"></div>`;
}

function graphiqlLink(name: string): Html {
  return document.body.dataset.graphiql === 'true'
    ? html`<a class="quiet" href="/graphql" data-query="${name}">${icon('braces')}Open in GraphiQL</a>`
    : '';
}
