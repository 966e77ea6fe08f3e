import { normalName } from '../../../base/words/normal-name.ts';
import { referencesOf, textOf } from './elements.ts';
import type { Feed, FeedContest } from './feed.ts';
import { countryPlace } from './feed-districts.ts';
import { type FeedOffice, feedOffice } from './feed-offices.ts';
import type { FeedPlaces } from './feed-places.ts';
import type { XmlElement } from './xml-file.ts';

/** The offices of a feed: those that it lists and those that its contests name, each once. */
export class FeedOffices {
  readonly #feed: Feed;
  readonly #places: FeedPlaces;
  readonly #offices = new Map<string, FeedOffice>();
  readonly #ofContest = new Map<FeedContest, string>();
  readonly #ofElement = new Map<XmlElement, string | null>();

  constructor(feed: Feed, places: FeedPlaces) {
    this.#feed = feed;
    this.#places = places;
  }

  /** Collects the offices of the contests, then the others. */
  gather(contests: readonly FeedContest[]): void {
    const isOfContest = new Set<XmlElement>();
    for (const contest of contests) {
      if (contest.type === 'BallotMeasureContest') continue;
      const [element, ...more] = ['OfficeIds', 'OfficeId'].flatMap((name) =>
        this.#feed.findAll('office', contest.element, name),
      );
      for (const each of element ? [element, ...more] : []) isOfContest.add(each);
      // The second office of a ticket is the running mate's.
      if (more.length > 0)
        this.#feed.countSkipped('OfficeIds', 'is the second office of a contest, whose race has one', more.length);
      const key = this.#add(contest.element, element, textOf(contest.element, 'ElectoralDistrictId'), contest);
      if (key) this.#ofContest.set(contest, key);
    }
    for (const element of this.#feed.all('office')) {
      const hasHolders = referencesOf(element, 'OfficeHolderPersonIds').length > 0;
      if (!isOfContest.has(element) || hasHolders) this.ofElement(element);
    }
    this.#settle();
  }

  get haveCountry(): boolean {
    return [...this.#offices.values()].some(({ districtId }) => districtId.value === countryPlace.id.value);
  }

  all(): Iterable<FeedOffice> {
    return this.#offices.values();
  }

  ofContest(contest: FeedContest): FeedOffice | undefined {
    return this.#offices.get(this.#ofContest.get(contest) ?? '');
  }

  /** Returns an office in the district that its element names. */
  ofElement(element: XmlElement): FeedOffice | undefined {
    let key = this.#ofElement.get(element);
    if (key === undefined) {
      key = this.#add(element, element, textOf(element, 'ElectoralDistrictId')) ?? null;
      this.#ofElement.set(element, key);
    }
    return this.#offices.get(key ?? '');
  }

  ofTenure(tenure: XmlElement): FeedOffice | undefined {
    const [element] = this.#feed.findAll('office', tenure, 'OfficeId');
    const key = element && this.#add(tenure, element, textOf(tenure, 'ElectoralDistrictId'));
    return this.#offices.get(key ?? '');
  }

  #add(from: XmlElement, element: XmlElement | undefined, districtId = '', contest?: FeedContest): string | undefined {
    const district = this.#places.find(districtId, from);
    if (!district) return undefined;
    const named = contest && element && this.#feed.peek('district', textOf(element, 'ElectoralDistrictId') ?? '');
    const own = named && this.#places.of(named);
    // An office of a whole chamber or board has contests in its parts; that of a part has none in the state.
    if (own && own.type !== 'State' && own.type !== 'Country' && district.place.type === 'State') {
      this.#feed.report.add(this.#feed.record(from), 'left-out', 'its office is one of a part of the district');
      return undefined;
    }
    const office = feedOffice(this.#feed, {
      element,
      district: district.element,
      place: district.place,
      title: textOf(from, 'Name'),
      year: contest && !contest.election.isSpecial ? Number(contest.election.date.slice(0, 4)) : undefined,
      from,
    });
    if (typeof office === 'string') {
      this.#feed.report.add(this.#feed.record(from), 'left-out', office);
      return undefined;
    }
    const key = office.id.value;
    const known = this.#offices.get(key);
    if (!known || (!known.common && office.common)) this.#offices.set(key, office);
    return key;
  }

  /**
   * Removes common identifiers that several offices of the feed share, since they identify none of them. An office and the rest of
   * its term, which a special election fills, are one office.
   */
  #settle(): void {
    const byCommon = Map.groupBy(this.#offices.values(), ({ common }) => common && `${common.scheme} ${common.value}`);
    for (const [common, offices] of byCommon) {
      if (common === undefined || offices.length === 1) continue;
      const terms = new Set(offices.map(({ isTermUnexpired }) => isTermUnexpired));
      const names = new Set(offices.map(({ name }) => normalName(name)));
      if (names.size === 1 && terms.size === offices.length) continue;
      for (const office of offices) this.#offices.set(office.id.value, { ...office, common: undefined });
    }
  }
}
