import { normalName } from '../../../base/words/normal-name.ts';
import { type ExternalId, ImportError } from '../../exchange/import-rows.ts';
import type { Report } from '../../exchange/report.ts';
import { identifierOf, nameOf, otherTexts, referencesOf, textOf } from './elements.ts';
import type { XmlElement } from './xml-file.ts';

export type Kind =
  | 'administration'
  | 'election'
  | 'district'
  | 'office'
  | 'party'
  | 'person'
  | 'candidate'
  | 'contest'
  | 'hours'
  | 'locality'
  | 'place'
  | 'precinct'
  | 'selection'
  | 'tenure';

/** An election of a feed, in the terms of the exchange format. */
export interface FeedElection {
  readonly element: XmlElement;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly type: string;
  readonly stage: string;
  readonly isSpecial: boolean;
  readonly isRecall: boolean;
  readonly description: string | undefined;
  /** The id of the district that holds it. */
  readonly district: string;
  /** A status of the exchange format; undefined if the feed does not say. */
  readonly status: string | undefined;
}

/** A contest and the election that it is part of. */
export interface FeedContest {
  readonly element: XmlElement;
  /** True if the feed is of a part of the district, such as one county of a state: its votes are not all. */
  readonly isOfPart?: boolean;
  /** The number of counties of the state that votes on it; undefined for another district. */
  readonly counties?: number | undefined;
  /** `CandidateContest`, `BallotMeasureContest`, `RetentionContest`, … */
  readonly type: string;
  readonly election: FeedElection;
}

/** The elements of one feed that are used, by their ids. */
export class Feed {
  readonly file: string;
  readonly scheme: string;
  readonly report: Report;
  /** The day on which the feed was made. */
  readonly day: string;
  readonly elections: FeedElection[] = [];
  readonly contests: FeedContest[] = [];
  /** Whether the counts are final; undefined if the feed has none. */
  isCertified: boolean | undefined;
  /** The number of contests whose election has no day or no known type. */
  withoutElection = 0;
  readonly #idAttribute: string;
  readonly #byId = new Map<string, { kind: Kind; element: XmlElement }>();
  readonly #skipped = new Map<string, { count: number; reason: string }>();

  constructor(file: string, scheme: string, day: string, idAttribute: string, report: Report) {
    this.file = file;
    this.scheme = scheme;
    this.day = day;
    this.#idAttribute = idAttribute;
    this.report = report;
  }

  /**
   * Adds an element.
   * @throws ImportError if the element has no id, or the id of another element.
   */
  add(kind: Kind, element: XmlElement): void {
    const id = this.idOf(element);
    if (!id) throw this.#refuse(element, `has no ${this.#idAttribute}; every <${element.name}> needs one`);
    const other = this.#byId.get(id);
    if (other) {
      const reason = `the id ${id} is already used on line ${other.element.line}; ids must be unique in a feed`;
      throw this.#refuse(element, reason);
    }
    this.#byId.set(id, { kind, element });
    this.countSkipped('Text', 'is in another language than the imported text', otherTexts(element));
  }

  *all(kind: Kind): Iterable<XmlElement> {
    for (const each of this.#byId.values()) if (each.kind === kind) yield each.element;
  }

  idOf(element: XmlElement): string {
    return element.attributes[this.#idAttribute] ?? '';
  }

  /** Returns the element that an id references; a dangling id is reported. */
  find(kind: Kind, id: string, from: XmlElement): XmlElement | undefined {
    const found = this.#byId.get(id);
    if (found?.kind === kind) return found.element;
    const what = found ? `which is a <${found.element.name}>` : 'which the feed does not have';
    this.report.add(this.record(from), 'left-out', `line ${from.line}: refers to the ${kind} ${id}, ${what}`);
    return undefined;
  }

  /** Returns the elements referenced by the ids in all child elements of that name. */
  findAll(kind: Kind, from: XmlElement, name: string): XmlElement[] {
    return referencesOf(from, name).flatMap((id) => this.find(kind, id, from) ?? []);
  }

  /**
   * Returns the external id of a record in this feed. The next feed may give an element id to another record, so it identifies one only
   * together with its name; an id that the source declares stable is valid in all of its feeds.
   */
  externalId(element: XmlElement, ...more: string[]): ExternalId {
    const stable = identifierOf(element, 'stable');
    const id = this.idOf(element) || element.name;
    const own =
      stable ?? [this.elections[0]?.date ?? 'officeholders', id, normalName(nameOf(element))].join(' ').trim();
    return { scheme: this.scheme, value: [own, ...more].join(' ') };
  }

  /** Returns the element that an id references, if any, without reporting. */
  peek(kind: Kind, id: string): XmlElement | undefined {
    const found = this.#byId.get(id);
    return found?.kind === kind ? found.element : undefined;
  }

  /** Returns the type of the area (including precincts) that an id references. */
  typeOfArea(id: string): string | undefined {
    const area = this.peek('district', id);
    return area && textOf(area, 'Type');
  }

  /** Returns the name of an element in the report. */
  record(element: XmlElement): string {
    const record = `${this.file} ${element.attributes['xsi:type'] ?? element.name} ${this.idOf(element) || `of line ${element.line}`}`;
    return this.report.locate(record, this.file, element.line);
  }

  skipContest(type: string): void {
    this.withoutElection++;
    this.countSkipped(type, 'its election was skipped');
  }

  /** Counts elements that are left out for a reason that applies to their whole kind. */
  countSkipped(kind: string, reason: string, count = 1): void {
    if (count === 0) return;
    const key = `${kind}\n${reason}`;
    this.#skipped.set(key, { count: (this.#skipped.get(key)?.count ?? 0) + count, reason });
  }

  reportSkipped(): void {
    for (const [key, { count, reason }] of this.#skipped) {
      this.report.add(
        this.report.locate(`${this.file} ${key.split('\n')[0]}`, this.file),
        'left-out',
        `${count.toLocaleString('en')} skipped: ${reason}`,
      );
    }
  }

  #refuse({ line, name }: XmlElement, reason: string): ImportError {
    return new ImportError(`<${name}>: ${reason}`, this.file, line);
  }
}
