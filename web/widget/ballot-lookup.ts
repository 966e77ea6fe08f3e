import { html } from 'lit-html';

import { areaVariables, dividedSentence, layerContent, layersOf, layerTitle, type Share } from '../area.ts';
import { renderCandidate } from '../ballot.ts';
import { electionLink } from '../calendar.ts';
import type { Office, Race } from '../data.ts';
import { fill, type Html } from '../dom.ts';
import { findableWords, howToChoose } from '../findable.ts';
import type {
  AreaQuery,
  FindableQuery,
  GeocodeQuery,
  LooksExchangedQuery,
  WidgetBallotQuery,
  WidgetChangesQuery,
  WidgetPlaceQuery,
} from '../generated/operations.ts';
import { holderDates, holders, outdated } from '../ladder.ts';
import { exchangedText, readExchanged, readPoint } from '../place-address.ts';
import { dayIn, inZone, linked, localText, statusOf, untilDeadline, VOTING_EXCLUDED } from '../voting.ts';
import { loadedElections, votingHelp } from '../voting-help.ts';
import {
  counted,
  daysFrom,
  kindOf,
  longDay,
  measureName,
  moveSentences,
  notIncluded,
  unknownLayers,
} from '../words.ts';
import css from './ballot-lookup.css?inline';

interface Results {
  readonly Area: AreaQuery;
  readonly Findable: FindableQuery;
  readonly Geocode: GeocodeQuery;
  readonly LooksExchanged: LooksExchangedQuery;
  readonly WidgetPlace: WidgetPlaceQuery;
  readonly WidgetBallot: WidgetBallotQuery;
  readonly WidgetChanges: WidgetChangesQuery;
}
type Documents = Readonly<Record<string, { readonly id: string }>>;
type Point = { readonly latitude: number; readonly longitude: number };
type Match = GeocodeQuery['geocode']['matches'][number];

const WEEKDAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });
/** The confidence from which a match is taken without asking, as in the schema. */
const CERTAIN = 0.8;

/** Returns today, which ends where it ends last in the country, after all polls: in American Samoa, as on the gateway. */
function localDay(): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Pago_Pago' }).format(new Date());
}

/** Returns how far a coming day is: `today`, `in 3 days`. */
const untilDay = (today: string, day: string) =>
  day === today ? 'today' : `in ${counted(daysFrom(today, day), 'day')}`;

/** Why there is no answer, in words for the visitor. */
class NoAnswer extends Error {}

/**
 * `<ballot-lookup endpoint key levels date since theme>`: the officeholders, the next election and the ballot of an address,
 * and how its districts changed since a day, for pages of other sites. It stores nothing, and sends requests to the gateway of `endpoint` alone.
 */
class BallotLookup extends HTMLElement {
  static observedAttributes = ['endpoint', 'key', 'levels', 'date', 'since', 'theme'];

  #documents: Promise<Documents> | undefined;
  /** The grants that the package of the key lacks, as far as responses have said. */
  #missingGrants = new Set<string>();
  #matches: readonly Match[] = [];
  /** Shows again what is shown, after an attribute has changed. */
  #again: (() => Promise<void>) | undefined;

  connectedCallback(): void {
    if (this.shadowRoot) return;
    const root = this.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
    fill(
      root,
      html`<section class="widget" aria-label="Ballot lookup"><form class="find"><label for="q">Find your ballot</label>
        <div class="field"><input id="q" autocomplete="off" spellcheck="false" placeholder="Place"><button>Find</button></div></form>
        <div id="answer" aria-live="polite" hidden></div><p class="by"><span id="as-of"></span><a id="page" href="${this.#endpoint}/">Full page</a></p></section>`,
    );
    // Nothing is requested before a visitor uses it. Without an answer the example stays `Place`; a lookup says what is wrong.
    const writeWords = () =>
      this.#ask('Findable', {}).then(
        ({ findable }) => {
          this.#part<HTMLInputElement>('q').placeholder = findableWords(findable);
        },
        () => undefined,
      );
    root.addEventListener('focusin', writeWords, { once: true });
    root.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#run(() => this.#find(this.#part<HTMLInputElement>('q').value.trim()));
    });
    root.addEventListener('click', ({ target }) => {
      const match =
        target instanceof Element ? this.#matches[Number(target.getAttribute('data-match') ?? -1)] : undefined;
      if (match) this.#run(() => this.#take(match));
    });
  }

  attributeChangedCallback(name: string, before: string | null): void {
    if (name === 'endpoint') this.#documents = undefined;
    const again = this.#again;
    if (again && before !== null && name !== 'theme') this.#run(again);
  }

  get #endpoint(): string {
    return (this.getAttribute('endpoint') ?? '').replace(/\/+$/, '');
  }

  #part<E extends HTMLElement>(id: string): E {
    return this.shadowRoot?.getElementById(id) as E;
  }

  #fill(content: Html): void {
    const answer = this.#part('answer');
    answer.hidden = false;
    fill(answer, content);
  }

  #run(task: () => Promise<void>): void {
    task().catch((error) => {
      const text = error instanceof NoAnswer ? error.message : 'The server did not answer.';
      // Browsers do not tell pages whether a server is out of reach or has rejected their origin.
      const isOther = new URL(this.#endpoint, location.href).origin !== location.origin;
      const hint =
        error instanceof TypeError && isOther ? `It is out of reach, or does not allow ${location.origin}.` : '';
      this.#fill(html`<p role="alert"><b>${text}</b> ${hint}</p>`);
    });
  }

  async #ask<Name extends keyof Results>(name: Name, variables: object): Promise<Results[Name]> {
    this.#documents ??= fetch(`${this.#endpoint}/web/documents.json`).then((response) => response.json());
    const documents = await this.#documents.catch((error) => {
      this.#documents = undefined;
      throw error;
    });
    const response = await fetch(`${this.#endpoint}/graphql`, {
      method: 'POST',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'x-api-key': this.getAttribute('key') ?? '',
      },
      body: JSON.stringify({ documentId: documents[name]?.id, variables }),
    });
    if (response.status === 401) throw new NoAnswer('The API key of this page is not valid.');
    if (response.status === 429 || response.status === 503) {
      throw new NoAnswer('That was too many lookups in a short time. Try again in a few seconds.');
    }
    const { data, errors, extensions } = await response.json();
    for (const { grant } of extensions?.notInPackage ?? []) this.#missingGrants.add(String(grant));
    if (!data) throw new NoAnswer(errors?.[0]?.message ?? 'The server did not take this request.');
    return data;
  }

  async #find(text: string): Promise<void> {
    const at = readPoint(text);
    if (at) return this.#show(at, text);
    const exchanged = readExchanged(text);
    if (exchanged) return this.#fill(html`<p><b>No place found for “${text}”.</b> ${exchangedText(exchanged)}</p>`);
    if (text === '') return;
    const { geocode } = await this.#ask('Geocode', { text: text.slice(0, 200) });
    this.#matches = geocode.matches;
    const [first] = this.#matches;
    if (first && !geocode.ambiguous && first.confidence >= CERTAIN) return this.#take(first);
    this.#again = undefined;
    const [missing] = geocode.missing;
    if (first && missing !== 'ADDRESSES') {
      const isOne = this.#matches.length === 1;
      this.#fill(
        html`<p>${isOne ? `Do you mean this place?` : `Several places match “${text}”. Choose one.`}</p><ul>${this.#matches.map(({ label }, index) => html`<li><button class="match" type="button" data-match="${index}">${label}</button></li>`)}</ul>`,
      );
      return;
    }
    const map = html`Or choose your place on the map of the full page.`;
    this.#fill(
      html`<p><b>No place found for “${text}”.</b> ${geocode.reason ? `${geocode.reason} Type the name of ${missing === 'ADDRESSES' ? 'the town' : 'a county'} or state.` : 'Check the spelling.'} ${map}</p>`,
    );
  }

  async #take({ kind, label, point, center, source, district }: Match): Promise<void> {
    if (center) {
      const { findable } = await this.#ask('Findable', {});
      return this.#fill(
        html`<p><b>${label}</b> is known only by a point on the map, so its districts are not known. ${howToChoose(findable, 'choose your place on the map of the full page')}.</p>${source ? html`<p class="small">${source.name}${source.license ? ` (${source.license})` : ''}</p>` : ''}`,
      );
    }
    if (point) return this.#show(point, label);
    return this.#showArea(kind === 'ZIP' ? undefined : district?.databaseId, kind === 'ZIP' ? label : undefined, label);
  }

  /** Returns the levels of offices that are shown; all without any. */
  #isShown(level: string): boolean {
    const levels = (this.getAttribute('levels') ?? '').toUpperCase().split(/[\s,]+/);
    return levels.every((each) => each === '') || levels.includes(level);
  }

  #found(name: string, fragment: string, offices: readonly Pick<Office, 'officeholders'>[]): Html {
    this.#part<HTMLInputElement>('q').value = name;
    this.#part<HTMLAnchorElement>('page').href = `${this.#endpoint}/#${fragment}&name=${encodeURIComponent(name)}`;
    const days = holderDates(offices).map(({ asOf }) => asOf);
    const dates = [...new Set([days[0], days.at(-1)])].filter((day) => day !== undefined).map(longDay);
    this.#part('as-of').textContent = dates.length > 0 ? `Data of ${dates.join(' to ')}` : '';
    return dates.length > 0 ? html`<p class="small">As of ${dates.join(' to ')}</p>` : '';
  }

  /** Shows the districts that an area lies in: a district by its `databaseId`, or a ZIP code. */
  async #showArea(area: number | undefined, zip: string | undefined, name: string): Promise<void> {
    this.#again = () => this.#showArea(area, zip, name);
    const [found, { findable }] = await Promise.all([
      this.#ask('Area', areaVariables(area, zip)),
      this.#ask('Findable', {}),
    ]);
    const { districts } = found.area ?? found.zip ?? {};
    if (districts === null) return this.#fill(html`<p><b>${notIncluded('Districts')}</b></p>`);
    const shares = (districts ?? []).map((share) => ({
      ...share,
      district: {
        ...share.district,
        offices: share.district.offices?.filter(({ level }) => this.#isShown(level)) ?? null,
      },
    })) as Share[];
    const layers = layersOf(shares).filter(({ shares: ofType }) =>
      ofType.some(({ district: { offices } }) => offices === null || offices.length > 0),
    );
    const divided = dividedSentence(layers, name);
    const asOf = this.#found(
      name,
      zip ? `zip=${zip}` : `area=${area}`,
      shares.flatMap(({ district }) => district.offices ?? []),
    );
    this.#fill(html`<h3>Who represents ${name}</h3>${asOf}
      ${divided ? html`<p><b>${divided}</b> ${howToChoose(findable, 'choose your place on the map of the full page')} to see which one is yours.</p>` : ''}
      ${layers.map((layer) => html`<h4>${layerTitle(layer)}</h4>${layerContent(layer)}`)}
      <h3>Next election</h3><p class="small">What is on a ballot depends on the address.</p>${votingHelp(shares.find(({ district }) => district.type === 'STATE')?.district.electionOffice)}`);
  }

  async #show({ latitude, longitude }: Point, name: string): Promise<void> {
    const at = { latitude, longitude };
    this.#again = () => this.#show(at, name);
    const date = this.getAttribute('date');
    const since = this.getAttribute('since');
    const today = localDay();
    const [{ location: place }, ballot, changes] = await Promise.all([
      this.#ask('WidgetPlace', { ...at, language: this.closest('[lang]')?.getAttribute('lang') }),
      date ? this.#ask('WidgetBallot', { ...at, date }) : undefined,
      since && since <= today ? this.#ask('WidgetChanges', { ...at, from: since, to: today }) : undefined,
    ]);
    const districts = (place.districts ?? []).map((district) => ({
      ...district,
      offices: district.offices?.filter(({ level }) => this.#isShown(level)) ?? null,
    }));
    const fragment = `at=${latitude},${longitude}${date ? `&ballot=${date}` : ''}`;
    const asOf = this.#found(
      name,
      fragment,
      districts.flatMap(({ offices }) => offices ?? []),
    );
    if (!place.districts) return this.#fill(html`<p><b>${notIncluded('Districts')}</b></p>`);
    if (districts.length === 0) {
      const { looksExchanged } = (await this.#ask('LooksExchanged', at)).location;
      const other = { latitude: longitude, longitude: latitude };
      this.#fill(
        html`<p><b>No districts here.</b> ${looksExchanged ? exchangedText(other) : 'This point is at sea or outside the United States.'}</p>`,
      );
      return;
    }
    const coming = place.nextElections;
    const [next] = coming?.elections ?? [];
    this.#fill(html`<h3>Who represents you</h3>${asOf}${districts
      .filter(({ offices }) => offices === null || offices.length > 0)
      .map(
        ({ type, name: district, offices, newerMap }) =>
          html`<h4>${district}</h4>${outdated({ newerMap })}${holders(offices, kindOf(type))}`,
      )}
      ${since && changes && movesSince(since, changes.location.changes)}
      <h3>Next election in the data</h3>${next && coming ? html`<p>${WEEKDAY.format(new Date(`${next.date}T00:00:00Z`))}</p><p class="small">${next.name}, ${untilDay(coming.today, next.date)} ${electionLink({ day: next.date, summary: next.name, url: new URL(`${this.#endpoint}/`, location.href).href, today: coming.today })}</p>` : html`<p class="small">${coming ? 'No coming election here is in the data.' : notIncluded('Elections')}</p>`}
      ${place.voting && coming ? votingBrief(place.voting, coming.today) : this.#missingGrants.has('voting') ? html`<p class="small">${VOTING_EXCLUDED}</p>` : ''}
      ${loadedElections(place.states)}${votingHelp(place.states?.[0]?.electionOffice)}
      ${ballot && date && this.#ballot(ballot, date)}`);
  }

  #ballot({ location: { ballot } }: WidgetBallotQuery, date: string): Html {
    const districts = ballot?.districts ?? [];
    return html`<h3>Ballot of ${longDay(date)}</h3>${districts.length === 0 ? html`<p class="small">${ballot === null ? notIncluded('Ballots') : `No election is known here on ${longDay(date)}.`}</p>` : ''}
      ${districts.length > 0 && this.#missingGrants.has('results') ? html`<p class="small">${notIncluded('Results')}</p>` : ''}
      ${ballot && ballot.notKnown.length > 0 ? html`<p class="small">${ballot.notKnown.join(' ')}</p>` : ''}
      ${districts.map(
        ({ district, races, ballotMeasures }) => html`<h4>${district.name}</h4>
        ${races.map(({ name, candidates }) => html`<p class="office"><b>${name}</b></p><ol>${(candidates as Race['candidates']).map(renderCandidate)}</ol>`)}
        ${ballotMeasures.map(({ name }) => html`<p class="office"><b>${measureName(name)}</b></p>`)}`,
      )}`;
  }
}

type Voting = NonNullable<WidgetPlaceQuery['location']['voting']>;

/** More places than this are on the full page. */
const MOST_PLACES = 2;

/** Renders where one votes on election day and the next deadline. */
function votingBrief({ precinct, notKnown, office, places, deadlines }: Voting, today: string): Html {
  const onDay = places.filter(({ place: { kind } }) => kind === 'ELECTION_DAY' || kind === 'VOTE_CENTER');
  const shown = onDay.slice(0, MOST_PLACES);
  const next = deadlines.find(({ day }) => day !== null && day >= today);
  return html`<h3>How to vote</h3>${precinct && html`<p class="small">Precinct <bdi>${precinct.name}</bdi></p>`}
    ${notKnown && html`<p>${linked(notKnown, office)}</p>`}
    ${shown.map(({ place }) => html`<p><b><bdi>${place.name}</bdi></b></p>${statusOf(place)}<p class="small"><bdi>${place.address}</bdi> <bdi>${place.hours}</bdi>${place.hours && inZone(place.timeZone)}</p>`)}
    ${places.length > shown.length ? html`<p class="small">${counted(places.length - shown.length, 'more place')} to vote on the full page.</p>` : ''}
    ${
      next?.day
        ? html`<p><b>${localText(next.label)}</b></p><p class="small">${localText(dayIn(next.label.language, next.day, next.time, next.timeZone))} (${untilDeadline(next, today).toLowerCase()})${next.basis === 'RULE' ? `, computed from a rule${next.asOf ? ` as of ${longDay(next.asOf)}` : ''}${next.isOlderThanElection ? ', which may have changed since' : ''}` : ''}</p>`
        : deadlines.length > 0
          ? html`<p class="small">No coming deadline is known.</p>`
          : ''
    }`;
}

type Layers = NonNullable<WidgetChangesQuery['location']['changes']>;

/** Says how the districts of a point changed since a day, and of which layers that is not known. */
function movesSince(since: string, layers: Layers | null): Html {
  if (!layers) return html`<h3>Districts since ${longDay(since)}</h3><p class="small">${notIncluded('Districts')}</p>`;
  const moves = moveSentences(layers);
  const unknown = unknownLayers(layers);
  return html`<h3>Districts since ${longDay(since)}</h3>
    ${moves.map((sentence) => html`<p>${sentence}</p>`)}
    ${moves.length === 0 ? html`<p>No move to another district is known here.</p>` : ''}
    ${unknown ? html`<p class="small">${unknown}</p>` : ''}`;
}

customElements.define('ballot-lookup', BallotLookup);
