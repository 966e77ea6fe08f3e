import { renderCandidate } from '../ballot.ts';
import type { Race } from '../data.ts';
import type { GeocodeQuery, WidgetBallotQuery, WidgetPlaceQuery } from '../generated/operations.ts';
import { fill, type Html, html } from '../html.ts';
import { holderDates, holders } from '../ladder.ts';
import { readPoint } from '../place-address.ts';
import { counted, daysFrom, kindOf, longDay } from '../words.ts';
import css from './ballot-lookup.css?inline';

interface Results {
  readonly Geocode: GeocodeQuery;
  readonly WidgetPlace: WidgetPlaceQuery;
  readonly WidgetBallot: WidgetBallotQuery;
}
type Documents = Readonly<Record<string, { readonly id: string }>>;
type Point = { readonly latitude: number; readonly longitude: number };
type Match = GeocodeQuery['geocode']['matches'][number];

const WEEKDAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' });
/** The confidence from which a match is taken without asking, as in the schema. */
const CERTAIN = 0.8;

/** Why there is no answer, in words for the visitor. */
class NoAnswer extends Error {}

/**
 * `<ballot-lookup endpoint key levels date theme>`: the officeholders, the next election and the ballot of an address, for
 * pages of other sites. It stores nothing, and sends requests to the gateway of `endpoint` alone.
 */
class BallotLookup extends HTMLElement {
  static observedAttributes = ['endpoint', 'key', 'levels', 'date', 'theme'];

  #documents: Promise<Documents> | undefined;
  #matches: readonly Match[] = [];
  #shown: { readonly at: Point; readonly name: string } | undefined;

  connectedCallback(): void {
    if (this.shadowRoot) return;
    const root = this.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
    fill(
      root as unknown as Element,
      html`<section class="widget" aria-label="Ballot lookup"><form class="find"><label for="q">Find your ballot</label>
        <div class="field"><input id="q" autocomplete="off" spellcheck="false" placeholder="Address, town or ZIP code"><button>Find</button></div></form>
        <div id="answer" aria-live="polite" hidden></div><p class="by"><span id="as-of"></span><a id="page" href="${this.#endpoint}/">Full page</a></p></section>`,
    );
    root.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#run(() => this.#find(this.#part<HTMLInputElement>('q').value.trim()));
    });
    root.addEventListener('click', ({ target }) => {
      const match =
        target instanceof Element ? this.#matches[Number(target.getAttribute('data-match') ?? -1)] : undefined;
      if (match) this.#run(() => this.#show(match.point, match.label));
    });
  }

  attributeChangedCallback(name: string, before: string | null): void {
    if (name === 'endpoint') this.#documents = undefined;
    const shown = this.#shown;
    if (shown && before !== null && name !== 'theme') this.#run(() => this.#show(shown.at, shown.name));
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
      const hint = error instanceof TypeError && isOther && `It is out of reach, or does not allow ${location.origin}.`;
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
    const { data, errors } = await response.json();
    if (!data) throw new NoAnswer(errors?.[0]?.message ?? 'The server did not take this request.');
    return data;
  }

  async #find(text: string): Promise<void> {
    const at = readPoint(text);
    if (at) return this.#show(at, text);
    if (text === '') return;
    const { geocode } = await this.#ask('Geocode', { text: text.slice(0, 200) });
    this.#matches = geocode.matches.filter(({ kind }) => kind !== 'ZIP');
    const [first] = this.#matches;
    if (first && !geocode.ambiguous && first.confidence >= CERTAIN) return this.#show(first.point, first.label);
    if (first) {
      this.#fill(
        html`<p>Several places match “${text}”. Choose one.</p><ul>${this.#matches.map(({ label }, index) => html`<li><button class="match" type="button" data-match="${index}">${label}</button></li>`)}</ul>`,
      );
    } else if (geocode.matches.length > 0) {
      this.#fill(html`<p><b>A ZIP code can lie in several districts.</b> Type a street address to be sure.</p>`);
    } else {
      this.#fill(
        geocode.addressesLoaded
          ? html`<p><b>No place found for “${text}”.</b> Check the spelling.</p>`
          : html`<p><b>Street addresses are not loaded on this server.</b> Type a point such as 44.3106, -69.7795.</p>`,
      );
    }
  }

  async #show({ latitude, longitude }: Point, name: string): Promise<void> {
    const at = { latitude, longitude };
    this.#shown = { at, name };
    const date = this.getAttribute('date');
    const [{ location: place }, ballot] = await Promise.all([
      this.#ask('WidgetPlace', at),
      date ? this.#ask('WidgetBallot', { ...at, date }) : undefined,
    ]);
    this.#part<HTMLInputElement>('q').value = name;
    this.#part<HTMLAnchorElement>('page').href =
      `${this.#endpoint}/#at=${latitude},${longitude}&name=${encodeURIComponent(name)}${date ? `&ballot=${date}` : ''}`;
    const levels = (this.getAttribute('levels') ?? '')
      .toUpperCase()
      .split(/[\s,]+/)
      .filter(Boolean);
    const districts = (place.districts ?? []).map((district) => ({
      ...district,
      offices: district.offices?.filter(({ level }) => levels.length === 0 || levels.includes(level)) ?? null,
    }));
    if (districts.length === 0) {
      this.#fill(html`<p><b>No districts here.</b> This point is at sea or outside the United States.</p>`);
      return;
    }
    const days = holderDates(districts.flatMap(({ offices }) => offices ?? [])).map(({ asOf }) => asOf);
    const dates = [...new Set([days[0], days.at(-1)])].filter((day) => day !== undefined).map(longDay);
    this.#part('as-of').textContent = dates.length > 0 ? `Data of ${dates.join(' to ')}` : '';
    const [next] = place.elections ?? [];
    this.#fill(html`<h3>Who represents you</h3>${districts
      .filter(({ offices }) => offices === null || offices.length > 0)
      .map(({ type, name: district, offices }) => html`<h4>${district}</h4>${holders(offices, kindOf(type))}`)}
      <h3>Next election</h3>${next ? html`<p>${WEEKDAY.format(new Date(`${next.date}T00:00:00Z`))}</p><p class="small">${next.type} election, in ${counted(Math.max(0, daysFrom(new Date().toISOString().slice(0, 10), next.date)), 'day')}</p>` : html`<p class="small">No coming election here is in the data.</p>`}
      ${ballot && date && this.#ballot(ballot, date)}`);
  }

  #ballot({ location: { ballot } }: WidgetBallotQuery, date: string): Html {
    const districts = ballot?.districts ?? [];
    return html`<h3>Ballot of ${longDay(date)}</h3>${districts.length === 0 && html`<p class="small">No election is known here on ${longDay(date)}.</p>`}
      ${districts.map(
        ({ district, races, ballotMeasures }) => html`<h4>${district.name}</h4>
        ${races.map(({ office, candidates }) => html`<p class="office"><b>${[office.name, office.seat].filter(Boolean).join(', ')}</b></p><ol>${(candidates as Race['candidates']).map(renderCandidate)}</ol>`)}
        ${ballotMeasures.map(({ name }) => html`<p class="office"><b>${name}</b></p>`)}`,
      )}`;
  }
}

customElements.define('ballot-lookup', BallotLookup);
