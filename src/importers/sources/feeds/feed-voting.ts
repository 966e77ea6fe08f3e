import { addDays } from '../../../base/dates.ts';
import type { State } from '../../../base/words/states.ts';
import type { Edition, ExternalId, ImportRow } from '../../exchange/import-rows.ts';
import { isWebAddress } from '../../exchange/web-address.ts';
import { countyOf } from '../../facts/counties.ts';
import { nameInCounty } from '../../facts/district-names.ts';
import { childOf, childrenOf, dateOf, flagOf, identifierOf, localText, plain, textOf } from './elements.ts';
import type { Feed, FeedElection } from './feed.ts';
import type { FeedPlaces } from './feed-places.ts';
import type { XmlElement } from './xml-file.ts';

/** The state of a feed, its election, and the file that newer ones replace. */
export interface VotingScope {
  readonly state: State;
  readonly election: FeedElection;
  readonly electionId: ExternalId;
  readonly edition: Edition;
}

const ELECTION_DAY = 'Election day';
/** A schedule of more days is not one of an election. */
const MOST_DAYS = 100;

/** The precincts of a feed that have places to vote, as districts without boundary, and the places. */
export class FeedVoting {
  readonly #feed: Feed;
  readonly #scope: VotingScope;
  readonly #precincts = new Map<string, ImportRow>();
  readonly #precinctsOf = new Map<string, Set<string>>();

  constructor(feed: Feed, scope: VotingScope) {
    this.#feed = feed;
    this.#scope = scope;
    for (const element of feed.all('precinct')) {
      const places = feed.findAll('place', element, 'PollingLocationIds');
      const row = places.length > 0 ? this.#precinct(element) : undefined;
      const id = row?.ids?.[0]?.value;
      if (!row || id === undefined) continue;
      this.#precincts.set(id, this.#precincts.get(id) ?? row);
      for (const place of places) {
        const of = this.#precinctsOf.get(feed.idOf(place)) ?? new Set();
        this.#precinctsOf.set(feed.idOf(place), of.add(id));
      }
    }
  }

  /** Returns the rows of the precincts. */
  districts(): Iterable<ImportRow> {
    return this.#precincts.values();
  }

  /** Yields the rows of the places: one for each kind that a location is of. */
  *places(): Iterable<ImportRow> {
    for (const element of this.#feed.all('place')) {
      const [isDropBox, isEarly] = [flagOf(element, 'IsDropBox'), flagOf(element, 'IsEarlyVoting')];
      const kinds = [...(isDropBox ? ['Drop box'] : []), ...(isEarly ? ['Early voting'] : [])];
      for (const kind of kinds.length > 0 ? kinds : [ELECTION_DAY]) yield this.#place(element, kind);
    }
  }

  /** Returns the district of a precinct by its name, or its number, within the county of its locality. */
  #precinct(element: XmlElement): ImportRow | undefined {
    const { state } = this.#scope;
    const whole = textOf(element, 'Name') ?? textOf(element, 'Number');
    if (!whole) return undefined;
    const name = [whole, textOf(element, 'PrecinctSplitName')].filter(Boolean).join(' ');
    const locality = this.#feed.peek('locality', textOf(element, 'LocalityId') ?? '');
    const ocdId = locality && identifierOf(locality, 'ocd-id');
    const isCounty = locality && textOf(locality, 'Type') === 'county';
    const of = { name: (locality && textOf(locality, 'Name')) ?? '', ocdId, geoid: undefined };
    const county = isCounty ? countyOf(state, this.#feed.day, of) : '';
    return {
      table: 'districts',
      record: this.#feed.record(element),
      ids: [
        typeof county === 'string'
          ? this.#feed.externalId(element)
          : nameInCounty(state, 'Precinct', county.geoid, name),
      ],
      values: { type: 'Precinct', name, state: state.postal },
    };
  }

  #place(element: XmlElement, kind: string): ImportRow {
    const { state, election, electionId, edition } = this.#scope;
    const address = addressOf(element);
    const point = childOf(element, 'LatLng');
    const { intervals, text } = this.#hours(element, kind);
    const precincts = [...(this.#precinctsOf.get(this.#feed.idOf(element)) ?? [])].flatMap(
      (id) => this.#precincts.get(id)?.ids?.[0] ?? [],
    );
    return {
      table: 'voting_places',
      record: this.#feed.record(element),
      ids: [this.#feed.externalId(element, election.date, kind)],
      refs: { election_id: electionId, district_ids: precincts },
      values: {
        kind,
        state: state.postal,
        name: textOf(element, 'Name') ?? address[0],
        address: address.join(', '),
        longitude: point && textOf(point, 'Longitude'),
        latitude: point && textOf(point, 'Latitude'),
        hours: text ?? localText(element, 'Hours'),
        open_intervals: intervals.join(';'),
        notes: localText(element, 'Directions'),
      },
      editions: [edition],
    };
  }

  /**
   * Returns the hours of a place: as intervals if the days are stated, or are that of the election, otherwise as text. The feed has an
   * offset from UTC and no time zone.
   */
  #hours(element: XmlElement, kind: string): { intervals: string[]; text: string | undefined } {
    const { date, element: own } = this.#scope.election;
    const ofElection = kind === ELECTION_DAY ? textOf(own, 'HoursOpenId') : undefined;
    const hours = this.#feed.peek('hours', textOf(element, 'HoursOpenId') ?? ofElection ?? '');
    const [intervals, texts]: [Set<string>, string[]] = [new Set(), []];
    for (const schedule of hours ? childrenOf(hours, 'Schedule') : []) {
      const [from, to] = [dateOf(schedule, 'StartDate'), dateOf(schedule, 'EndDate')];
      const isPlain = !flagOf(schedule, 'IsOnlyByAppointment') && !flagOf(schedule, 'IsOrByAppointment');
      const days = from && to ? daysOf(from, to) : !from && !to && kind === ELECTION_DAY ? [date] : [];
      for (const each of childrenOf(schedule, 'Hours')) {
        const [start, end] = [textOf(each, 'StartTime'), textOf(each, 'EndTime')].map((time) => time?.slice(0, 5));
        if (!start || !end) continue;
        if (isPlain) for (const day of days) intervals.add(`${day}T${start}/${day}T${end}`);
        const period = [from, to && to !== from ? to : undefined].filter(Boolean).join(' to ');
        texts.push([period, `${start}-${end}`, isPlain ? '' : 'by appointment'].filter(Boolean).join(' '));
      }
    }
    return { intervals: [...intervals].sort(), text: texts.length > 0 ? texts.join('; ') : undefined };
  }
}

/** Yields the offices that conduct the elections of the state and of localities, by name and website. */
export function* electionOffices(feed: Feed, places: FeedPlaces): Iterable<ImportRow> {
  for (const element of [...feed.all('district'), ...feed.all('locality')]) {
    const [id, place] = [textOf(element, 'ElectionAdministrationId'), places.of(element)];
    const office = id && place && feed.find('administration', id, element);
    if (!office) continue;
    const contacts = childrenOf(office, 'Department').flatMap((each) => childOf(each, 'ContactInformation') ?? []);
    const name = contacts.map((each) => textOf(each, 'Name')).find(Boolean);
    const website = ['ElectionsUri', 'WhereDoIVoteUri'].map((each) => textOf(office, each)).find(Boolean);
    if (name && website && isWebAddress(website))
      yield {
        table: 'district_election_offices',
        record: feed.record(office),
        ids: [feed.externalId(office, place.id.value)],
        refs: { district_id: place.id },
        values: { name, website, as_of: feed.day },
      };
    else feed.countSkipped('ElectionAdministration', 'has no office with a name and a web address');
  }
}

function addressOf(element: XmlElement): string[] {
  const lines = childrenOf(element, 'AddressLine').flatMap((line) => plain(line) ?? []);
  const parts = childOf(element, 'AddressStructured');
  if (lines.length > 0 || !parts) return lines;
  const [state, zip, ...street] = ['State', 'Zip', 'Line1', 'Line2', 'Line3', 'City'].map((name) =>
    textOf(parts, name),
  );
  return [...street, [state, zip].filter(Boolean).join(' ')].flatMap((part) => part || []);
}

/** Returns the days from one to another; none if they are in the wrong order, or too many. */
function daysOf(from: string, to: string): string[] {
  const days = [];
  for (let day = from; day <= to; day = addDays(day, 1)) if (days.push(day) > MOST_DAYS) return [];
  return days;
}
