import type { State } from '../../../base/words/states.ts';
import type { ImportRow } from '../../exchange/import-rows.ts';
import type { KnownDistricts } from '../../results/known-districts.ts';
import { textOf } from './elements.ts';
import type { Feed } from './feed.ts';
import { districtOf, type FeedDistrict } from './feed-districts.ts';
import type { XmlElement } from './xml-file.ts';

/** The districts of a feed, by the elements that describe them. */
export class FeedPlaces {
  readonly #feed: Feed;
  readonly #places = new Map<XmlElement, FeedDistrict | string>();

  /**
   * @param feedState the state of a single-state feed, which contains its districts without an OCD id.
   * @param known the districts that the database has.
   */
  constructor(feed: Feed, feedState: State | undefined, known: KnownDistricts) {
    this.#feed = feed;
    const administered = [...feed.all('locality')].filter((locality) => textOf(locality, 'ElectionAdministrationId'));
    for (const element of [...feed.all('district'), ...administered]) {
      const place = districtOf(feed, element, feedState, known);
      if (place === null) {
        feed.countSkipped(element.name, 'is a place where votes are cast or counted, without elected offices');
        this.#places.set(element, 'is a counting area');
      } else {
        if (typeof place === 'string') feed.countSkipped(element.name, place);
        this.#places.set(element, place);
      }
    }
  }

  /**
   * Returns the district that an id references; if it is not supported, `from` is left out and reported with that
   * reason.
   */
  find(id: string, from: XmlElement): { element: XmlElement; place: FeedDistrict } | undefined {
    const element = this.#feed.find('district', id, from);
    const place = element && this.#places.get(element);
    if (!element || !place) return undefined;
    if (typeof place !== 'string') return { element, place };
    this.#feed.countSkipped(from.attributes['xsi:type'] ?? from.name, `its district ${place}`);
    return undefined;
  }

  /** Returns the district of an element, if it is supported. */
  of(element: XmlElement): FeedDistrict | undefined {
    const place = this.#places.get(element);
    return typeof place === 'string' ? undefined : place;
  }

  get haveCountry(): boolean {
    return [...this.#places.values()].some((place) => typeof place !== 'string' && place.type === 'Country');
  }

  /**
   * Yields the rows of the districts that are matched by name in the database, or of those that are not: a batch has
   * rows of one kind only.
   */
  *rows(matched: boolean): Iterable<ImportRow> {
    const known = new Set<string>();
    for (const [element, place] of this.#places) {
      if (typeof place === 'string' || (place.row.match !== undefined) !== matched) continue;
      if (known.has(place.id.value)) continue;
      known.add(place.id.value);
      yield { ...place.row, record: this.#feed.record(element) };
    }
  }
}
