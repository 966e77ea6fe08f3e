import { html } from 'lit-html';
import { lacksGrant } from './api.ts';
import type { Ballot, BallotPart, Candidate, Measure, Race } from './data.ts';
import { type Html, isWebsite } from './dom.ts';
import { icon } from './icons.ts';
import { isOtherMap, mapRule } from './map-rule.ts';
import { hasRounds, rankedChoice } from './ranked-choice.ts';
import {
  counted,
  grouped,
  kindOf,
  longDay,
  measureName,
  notIncluded,
  partyClass,
  partyTag,
  percent,
  textOf,
} from './words.ts';

export interface BallotOptions {
  readonly ballot: Ballot;
  readonly date: string;
  readonly today: string;
}

/** More candidates than this are behind a button. */
const MOST_SHOWN = 6;

export const raceCount = ({ districts }: Ballot) => districts.reduce((sum, { races }) => sum + races.length, 0);
const questionCount = ({ districts }: Ballot) =>
  districts.reduce((sum, { ballotMeasures }) => sum + ballotMeasures.length, 0);

/** Returns what is on a ballot, for the line under its heading. */
export function ballotSummary({ ballot, date, today }: BallotOptions): string {
  const what = [
    raceCount(ballot) > 0 ? counted(raceCount(ballot), 'race') : '',
    questionCount(ballot) > 0 ? counted(questionCount(ballot), 'question') : '',
  ].filter(Boolean);
  const verb = date >= today ? 'votes' : 'voted';
  const counts = `${what.join(' and ')} in ${counted(ballot.districts.length, 'district')}.`;
  return [
    `${ballot.notKnown.length > 0 ? 'In the data' : `What this point ${verb} on`}: ${counts}`,
    ...ballot.notKnown.slice(0, 1),
  ].join(' ');
}

/** Says what else a ballot lacks than in the line under its heading. */
export function lacking({ notKnown: [, ...others] }: Ballot): Html {
  if (others.length === 0) return '';
  return html`<details class="lacking"><summary class="small">${counted(others.length, 'more thing')} that the data lack for this ballot</summary><ul class="small">${others.map((sentence) => html`<li>${sentence}</li>`)}</ul></details>`;
}

/** Renders a ballot with its races, measures and results. */
export function ballotPaper({ ballot, date, today }: BallotOptions): Html {
  const parts = ballot.districts;
  const opened = parts
    .flatMap(({ races, district }) => races.map((race) => ({ race, maps: district.boundaries })))
    .find(({ race, maps }) => isOtherMap(race, maps, date))?.race;
  return html`${lacksGrant('results') && date < today ? notice('info', 'key', notIncluded('Results'), 'Races and candidates are shown by name. Ask the operator of this server for the grant “results”.') : ''}
    <div class="paper">${parts.map((part) => districtPart(part, date, today, opened))}</div>`;
}

function districtPart(
  { district, races, ballotMeasures }: BallotPart,
  date: string,
  today: string,
  opened: Race | undefined,
): Html {
  const isOneMap = races.length > 0 && races.every(({ boundary }) => boundary?.reason === 'ONLY_ONE_MAP');
  return html`<section data-district="${district.databaseId}"><div class="of"><h3>${district.name}</h3><span class="small">${kindOf(district.type)}</span></div>
    ${races.map((race) => renderRace(race, district.boundaries, date, today, race === opened, isOneMap))}
    ${ballotMeasures.map(renderMeasure)}
    </section>`;
}

function renderRace(
  race: Race,
  maps: BallotPart['district']['boundaries'],
  date: string,
  today: string,
  isOpen: boolean,
  isOneMap: boolean,
): Html {
  const { name, candidates, numberOfSeats } = race;
  const shown = candidates.slice(0, MOST_SHOWN).map(renderCandidate);
  const rest = candidates.slice(MOST_SHOWN).map(renderCandidate);
  return html`<article class="race" data-race="${race.databaseId}"><header><h4>${name}</h4>
    ${race.isRankedChoice ? html`<span class="tag">Ranked choice</span>` : ''}
    ${candidates.length === 1 ? html`<span class="tag">One candidate</span>` : ''}
    ${numberOfSeats !== null && numberOfSeats > 1 ? html`<p class="small">${numberOfSeats} seats</p>` : race.isRankedChoice ? html`<p class="small">One seat</p>` : ''}</header>
    ${
      hasRounds(race)
        ? rankedChoice(race)
        : html`
      ${candidates.length === 0 ? html`<p class="none">No candidates are in the data.</p>` : html`<ol>${shown}</ol>`}
      ${rest.length > 0 ? html`<details class="rest"><summary class="quiet">Show ${counted(rest.length, 'more candidate')}</summary><ol>${rest}</ol></details>` : ''}
      ${
        race.totalVotes !== null && race.totalVotes !== undefined
          ? html`<p class="sum"><span>${counted(race.totalVotes, 'vote')} counted</span>${
              race.margin !== null &&
              race.margin !== undefined &&
              candidates.length > 1 &&
              candidates.some(({ isWinner }) => isWinner)
                ? html`<span>Ahead by ${grouped(race.margin)}</span>`
                : ''
            }</p>`
          : ''
      }${race.resultNote ? html`<p class="cav">${race.resultNote}</p>` : ''}`
    }
    ${!isOneMap ? mapRule({ race, maps, electionDay: date, today, isOpen }) : ''}</article>`;
}

export function renderCandidate({
  name,
  person,
  parties,
  isWinner,
  isWriteIn,
  votes,
  share,
  runningMate,
}: Candidate): Html {
  const [party] = parties;
  const hasVotes = votes !== null && votes !== undefined;
  const hasShare = share !== null && share !== undefined;
  const website = isWebsite(person.url)
    ? html` <a class="small" href="${person.url}">Website<span class="vh"> of ${name}</span></a>`
    : '';
  return html`<li class="cand"><span class="who"><span><bdi>${name}</bdi>${runningMate ? html` and <bdi>${runningMate}</bdi>` : ''}</span>${
    isWinner ? html`<span class="tag solid">${icon('check')}Elected</span>` : ''
  }${isWriteIn ? html`<span class="tag">Write-in</span>` : ''}</span><span class="pct">${hasShare ? percent(share) : ''}</span>
    ${parties.length > 1 || website ? html`<span>${(party ? parties : [party]).map(partyTag)}${website}</span>` : partyTag(party)}<span class="votes">${hasVotes ? counted(votes, 'vote') : ''}</span>
    ${hasShare ? html`<span class="bar ${partyClass(party)}" aria-hidden="true"><span .style="--v:${(share * 100).toFixed(1)}"></span></span>` : ''}</li>`;
}

const OUTCOMES: ReadonlyMap<string, string> = new Map([
  ['APPROVED', 'Approved'],
  ['DEFEATED', 'Defeated'],
]);

function renderMeasure({
  name,
  officialTitle,
  statusCode,
  yesVote,
  noVote,
  yesVotesTotal,
  noVotesTotal,
  yesShare,
}: Measure): Html {
  const outcome = OUTCOMES.get(statusCode ?? '');
  const hasVotes =
    typeof yesVotesTotal === 'number' && typeof noVotesTotal === 'number' && typeof yesShare === 'number';
  return html`<article class="race"><header><h4>${measureName(name)}</h4>${outcome ? html`<span class="tag solid">${outcome}</span>` : ''}</header>
    ${officialTitle && officialTitle !== name ? html`<p class="ask">${textOf(officialTitle)}</p>` : ''}
    ${yesVote || noVote ? html`<dl class="means">${yesVote ? html`<div><dt>Yes means</dt><dd>${textOf(yesVote)}</dd></div>` : ''}${noVote ? html`<div><dt>No means</dt><dd>${textOf(noVote)}</dd></div>` : ''}</dl>` : ''}
    ${
      hasVotes
        ? html`<div class="yn"><div class="ends"><span><b>Yes ${percent(yesShare)}</b> ${grouped(yesVotesTotal)}</span><span>${grouped(noVotesTotal)} <b>${percent(1 - yesShare)} No</b></span></div>
      <div class="split" role="img" aria-label="Yes ${(yesShare * 100).toFixed(1)} percent, no ${(100 - yesShare * 100).toFixed(1)} percent; the line marks half"><span .style="--v:${yesShare * 100}"></span><span .style="--v:${100 - yesShare * 100}"></span></div></div>
      <p class="sum"><span>${counted(yesVotesTotal + noVotesTotal, 'vote')} counted</span><span>The line marks half</span></p>`
        : outcome
          ? html`<p class="cav">We know the outcome. The vote counts of this question are not in the data.</p>`
          : ''
    }</article>`;
}

/** Says where the results are from if they are not the certified totals; undefined if there are none. */
export function resultsNote({ districts }: Ballot): string | undefined {
  const races = districts.flatMap(({ races }) => races).filter(({ totalVotes }) => (totalVotes ?? 0) > 0);
  if (races.length === 0 || races.every(({ resultsCertified }) => resultsCertified)) return undefined;
  const names = [...new Set(races.flatMap(({ sources }) => sources.map(({ name }) => name)))];
  return `Results: ${names.join(', ')}, sums of precincts, not the certified totals.`;
}

/** Returns the text for a day without a ballot. */
export function noBallot(date: string, isKnown: boolean, nearest: readonly string[]): Html {
  if (isKnown) {
    return notice(
      'info',
      'info',
      'The election is known, its candidates are not.',
      `${longDay(date)}. The ballot will show here once candidates are loaded.`,
    );
  }
  const near = nearest.map(longDay).join(' and ');
  return notice(
    'info',
    'info',
    `No election is known here on ${longDay(date)}.`,
    near ? `The nearest days with a ballot are ${near}.` : 'No ballots here are in the data.',
    nearest.length > 0
      ? html`<p>${nearest.map((day) => html`<button class="btn slim" type="button" data-action="ballot" data-day="${day}">${longDay(day)}</button> `)}</p>`
      : '',
  );
}

/** Renders a notice: a bold sentence, one more, at most one action. */
export function notice(
  kind: '' | 'info' | 'bad',
  symbol: 'info' | 'key' | 'warning' | 'search' | 'pin' | 'map' | 'envelope',
  title: string,
  text: string | Html,
  action: Html = '',
): Html {
  return html`<div class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${icon(symbol)}<div><p><b>${title}</b></p><p>${text}</p>${action}</div></div>`;
}
