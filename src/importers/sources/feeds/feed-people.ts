import { normalName } from '../../../base/words/normal-name.ts';
import type { ExternalId, ImportRow } from '../../exchange/import-rows.ts';
import { isNoneOfThese } from '../../facts/names.ts';
import type { Feed } from './feed.ts';
import type { FeedCandidate } from './feed-candidates.ts';
import { contactRows, websiteOf } from './feed-contacts.ts';
import type { FeedHolder } from './feed-holders.ts';
import type { FeedOffice } from './feed-offices.ts';
import { namesOf, personIds, personLabels } from './feed-persons.ts';
import type { FeedRace } from './feed-races.ts';
import type { XmlElement } from './xml-file.ts';

interface FeedPerson {
  readonly element: XmlElement;
  readonly candidates: XmlElement[];
  readonly onBallot: string | undefined;
  readonly office: FeedOffice;
  /** Identifiers of candidacies: the same name and office identify one person across all elections. */
  readonly candidacies: ExternalId[];
}

/** The persons of a feed who are candidates or officeholders, each once. */
export class FeedPeople {
  readonly #feed: Feed;
  readonly #people = new Map<XmlElement, FeedPerson>();

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  addCandidates({ office, candidates }: FeedRace, entries: readonly FeedCandidate[]): void {
    for (const { element, person, name } of entries) {
      const onBallot = this.#personOf(person ?? element, office, name);
      onBallot.candidates.push(element);
      const isAlone = candidates.filter((each) => normalName(each.name) === normalName(name)).length === 1;
      if (office.common && isAlone) {
        const of = isNoneOfThese(name) ? '' : `${office.common.value} `;
        onBallot.candidacies.push({ scheme: 'candidacy', value: `${of}${normalName(name)}` });
      }
    }
  }

  addHolder({ person, office }: FeedHolder): void {
    this.#personOf(person, office, undefined);
  }

  /** Returns the identifier in the feed of a person that was added. */
  idOf(element: XmlElement): ExternalId {
    return this.#feed.externalId(element);
  }

  *rows(): Iterable<ImportRow> {
    for (const { element, candidates, onBallot, office, candidacies } of this.#people.values()) {
      const person = element.name === 'Person' ? element : undefined;
      const names = namesOf(person, onBallot);
      if (!names) {
        this.#feed.report.add(this.#feed.record(element), 'left-out', `line ${element.line}: has no name`);
        continue;
      }
      const [first] = candidates;
      yield {
        table: 'persons',
        record: this.#feed.record(element),
        ids: [...personIds(this.#feed, person, first), ...candidacies],
        labels: person ? personLabels(person) : [],
        values: { ...names, url: websiteOf(person, ...candidates) },
        match: { by: 'candidacy', office: office.id },
      };
    }
  }

  *contacts(): Iterable<ImportRow> {
    for (const { element, candidates } of this.#people.values()) {
      const owner = { person_id: this.idOf(element) };
      for (const each of new Set([element, ...candidates])) yield* contactRows(this.#feed, each, owner);
    }
  }

  /** Counts persons who are neither candidates nor officeholders. */
  leaveOthers(): void {
    const [persons, candidates] = [[...this.#feed.all('person')], [...this.#feed.all('candidate')]];
    const running = new Set([...this.#people.values()].flatMap((each) => each.candidates));
    const others = persons.filter((each) => !this.#people.has(each)).length;
    this.#feed.countSkipped('Person', 'neither runs for an imported office nor holds one', others);
    const idle = candidates.filter((each) => !running.has(each)).length;
    this.#feed.countSkipped(
      'Candidate',
      'is not the first candidate of a ballot selection in an imported contest, like running mates',
      idle,
    );
  }

  #personOf(element: XmlElement, office: FeedOffice, onBallot: string | undefined): FeedPerson {
    const known = this.#people.get(element);
    if (known) return known;
    const person: FeedPerson = { element, candidates: [], onBallot, office, candidacies: [] };
    this.#people.set(element, person);
    return person;
  }
}
