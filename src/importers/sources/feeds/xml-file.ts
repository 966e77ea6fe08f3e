import { SaxesParser, type SaxesTagNS } from 'saxes';
import { dictionary } from '../../../base/dictionary.ts';
import { ImportError } from '../../exchange/import-rows.ts';
import type { NamedFile } from '../../read/named-file.ts';
import { checkedChunks, inFile } from '../../read/text-file.ts';

/** An element with its content, without comments and processing instructions. */
export interface XmlElement {
  readonly name: string;
  /** Attributes by local name; the declared type of an element (`xsi:type`) has the name `xsi:type`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The line on which its opening tag ends. */
  readonly line: number;
  readonly children: XmlElement[];
  text: string;
}

/** An element that is a direct child of a container. */
export interface XmlRecord {
  readonly element: XmlElement;
  /** The containers around it, from the root down. */
  readonly parents: readonly XmlElement[];
}

/** The structure of a kind of feed. */
export interface XmlShape {
  readonly root: string;
  /** Returns whether the children of an element are read one by one; the root is a container. */
  isContainer(name: string): boolean;
  /** Returns whether an element is read completely; of others only the name and the attributes are read. */
  isCollected(name: string): boolean;
  /** Returns what is wrong with the root element, such as an unsupported version; undefined if it is valid. */
  rootError(root: XmlElement): string | undefined;
}

const DEEPEST = 32;
const LONGEST_RECORD = 4 * 1024 * 1024;
const LARGEST_FEED = 512 * 1024 * 1024;
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/**
 * Yields the elements of an XML file one by one, so that memory is bounded by the elements that are stored. Only the
 * five predefined XML entities are expanded, and nothing outside the file is ever read.
 * @throws ImportError with the line if the file is not well-formed UTF-8 XML of the expected structure, is truncated,
 * has a DOCTYPE, is nested more than 32 levels deep, contains an element over 4 MiB, or has more than 512 MiB of data
 * to store.
 */
export async function* readXml(
  file: NamedFile,
  shape: XmlShape,
  onBytes: (count: number) => void = () => {},
): AsyncGenerator<XmlRecord> {
  const reader = new Reader(file.name, shape);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of checkedChunks(file.read(), { quotes: false, onBytes })) {
      reader.write(decoder.decode(chunk, { stream: true }));
      yield* reader.take();
    }
  } catch (error) {
    throw inFile(error, file.name);
  }
  reader.close();
  yield* reader.take();
}

class Reader {
  readonly #file: string;
  readonly #shape: XmlShape;
  readonly #parser = new SaxesParser({ xmlns: true, position: true });
  readonly #open: XmlElement[] = [];
  #records: XmlRecord[] = [];
  /** The number of open elements that are containers. */
  #containers = 0;
  #collects = false;
  #isClosing = false;
  #from = 0;
  #collectedBytes = 0;

  constructor(file: string, shape: XmlShape) {
    this.#file = file;
    this.#shape = shape;
    const parser = this.#parser;
    parser.on('error', ({ message }) => this.#fail(wordsOf(message, this.#isClosing)));
    parser.on('doctype', () => this.#fail('has a DOCTYPE, and entities could be declared in it; remove it'));
    parser.on('xmldecl', ({ encoding }) => {
      if (encoding && !/^utf-?8$/i.test(encoding)) this.#fail(`declares the encoding ${encoding}; save it as UTF-8`);
    });
    parser.on('opentag', (tag) => this.#start(tag));
    parser.on('closetag', () => this.#end());
    parser.on('text', (text) => this.#text(text));
    parser.on('cdata', (text) => this.#text(text));
  }

  write(text: string): void {
    this.#parser.write(text);
    if (this.#parser.position - this.#from > LONGEST_RECORD)
      this.#fail('contains an element, or a gap, of more than 4 MiB');
  }

  close(): void {
    this.#isClosing = true;
    this.#parser.close();
  }

  take(): XmlRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  #start({ local, uri, attributes }: SaxesTagNS): void {
    const depth = this.#open.length;
    if (depth >= DEEPEST) this.#fail(`is nested deeper than ${DEEPEST} elements`);
    const isInRecord = depth > this.#containers;
    const element = isInRecord && !this.#collects ? SKIPPED : this.#element(local, attributes);
    if (depth === 0) this.#checkRoot(element, uri);
    else if (uri !== '')
      this.#fail(`<${local}> is in the namespace ${uri}; elements of a feed must not be in a namespace`);
    if (!isInRecord) {
      if (depth === 0 || this.#shape.isContainer(local)) {
        this.#containers++;
        this.#from = this.#parser.position;
      } else this.#collects = this.#shape.isCollected(local);
    } else if (this.#collects) this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
  }

  #element(name: string, attributes: SaxesTagNS['attributes']): XmlElement {
    const plain: Record<string, string> = dictionary();
    for (const { local, uri, value } of Object.values(attributes)) {
      if (uri === '') plain[local] = value.trim();
      // A type may have any prefix: only its local name matters.
      else if (uri === XSI && local === 'type') plain['xsi:type'] = value.trim().replace(/^.*:/, '');
    }
    return { name, attributes: plain, line: this.#parser.line, children: [], text: '' };
  }

  #checkRoot(element: XmlElement, uri: string): void {
    const { root } = this.#shape;
    if (element.name !== root) this.#fail(`begins with <${element.name}>; a feed begins with <${root}>`);
    if (uri !== '') this.#fail(`<${root}> is in the namespace ${uri}; it must not be in a namespace`);
    const error = this.#shape.rootError(element);
    if (error) this.#fail(error);
  }

  #end(): void {
    const element = this.#open.pop();
    const depth = this.#open.length;
    if (depth < this.#containers) {
      // The end of a container, which its elements already reference.
      this.#containers = depth;
    } else if (depth === this.#containers) {
      if (element) this.#records.push({ element, parents: [...this.#open] });
      if (this.#collects) this.#collectedBytes += this.#parser.position - this.#from;
      if (this.#collectedBytes > LARGEST_FEED)
        this.#fail('contains more than 512 MiB of contests, candidates and other records');
    }
    if (depth <= this.#containers) this.#from = this.#parser.position;
  }

  #text(text: string): void {
    const element = this.#open.at(-1);
    if (element && this.#open.length > this.#containers && this.#collects) element.text += text;
  }

  #fail(reason: string): never {
    throw new ImportError(reason, this.#file, this.#parser.line);
  }
}

const SKIPPED: XmlElement = { name: '', attributes: {}, line: 0, children: [], text: '' };

function wordsOf(message: string, isClosing: boolean): string {
  const reason = message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
  if (isClosing) return `the file is cut off: ${reason}`;
  return `is not well-formed XML: ${reason}`;
}
