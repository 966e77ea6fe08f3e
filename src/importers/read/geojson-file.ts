import { ImportError } from '../exchange/import-rows.ts';
import { isObject } from './geometry.ts';
import type { NamedFile } from './named-file.ts';
import { parseJson } from './read-documents.ts';
import { checkedChunks, inFile, TextFileError } from './text-file.ts';

export interface GeoJsonFeature {
  /** Counted from 1. */
  readonly number: number;
  readonly feature: Record<string, unknown>;
}

/**
 * Yields the Features of a GeoJSON file one by one: those of a FeatureCollection of any size, those of a text sequence (one
 * Feature a line, with or without the separators of RFC 8142), or the single Feature of the file, or its single polygon as a
 * Feature without properties.
 * @returns the member `crs` of the file, known after all Features have been read.
 * @throws ImportError if the file is not GeoJSON, is truncated, or has a Feature of over 64 MiB.
 */
export async function* geoJsonFeatures(
  { name, read }: NamedFile,
  onBytes: (count: number) => void,
): AsyncGenerator<GeoJsonFeature, unknown> {
  const splitter = new FeatureSplitter();
  let number = 0;
  try {
    for await (const chunk of checkedChunks(read(), { quotes: false, onBytes })) {
      for (const { text, line } of splitter.next(chunk))
        yield { number: ++number, feature: featureOf(name, text, line, splitter.isSequence) };
    }
  } catch (error) {
    throw inFile(error, name);
  }
  if (splitter.isSequence) {
    const last = splitter.end().trim();
    if (last !== '') parseObject(name, last, splitter.line);
    return undefined;
  }
  const rest = parseObject(name, splitter.end());
  if (rest.type === 'Feature') yield { number: 1, feature: rest };
  else if (rest.type === 'Polygon' || rest.type === 'MultiPolygon')
    yield { number: 1, feature: { type: 'Feature', properties: {}, geometry: rest } };
  else if (rest.type !== 'FeatureCollection')
    throw new ImportError('is neither a GeoJSON Feature nor a FeatureCollection', name);
  return rest.crs;
}

function parseObject(name: string, text: string, firstLine = 1): Record<string, unknown> {
  const value = parseJson(name, text, firstLine);
  if (isObject(value)) return value;
  throw new ImportError('is not a JSON object', name, firstLine);
}

/** Returns an object of a FeatureCollection, or of a sequence, in which nothing else says that it is a Feature. */
function featureOf(name: string, text: string, line: number, isSequence: boolean): Record<string, unknown> {
  const feature = parseObject(name, text, line);
  if (isSequence && feature.type !== 'Feature') throw new ImportError('is not a GeoJSON Feature', name, line);
  return feature;
}

const LARGEST_PART = 64 * 1024 * 1024;
const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [LF, SPACE, RECORD_SEPARATOR] = [0x0a, 0x20, 0x1e];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

interface Part {
  readonly text: string;
  /** The line on which the Feature begins. */
  readonly line: number;
}

/**
 * Extracts the elements of the top-level member `features` from a JSON text that arrives in chunks, or the objects of a
 * sequence of them, which the second object without that member before it shows. The rest, with a 0
 * and the same number of line breaks in place of each element, is small and is parsed at the end: this verifies that
 * the whole text is JSON without holding it in memory.
 */
class FeatureSplitter {
  #depth = 0;
  #inText = false;
  #escaped = false;
  /** The last complete string, or the beginning of the current one, which may be the name of a member. */
  #text = '';
  #member = '';
  #inFeatures = false;
  #hasFeatures = false;
  #capturing = false;
  /** The depth of the objects that are extracted: 2 for the elements of `features`, 0 for those of a sequence. */
  #partDepth = 2;
  #part: Buffer[] = [];
  #rest: Buffer[] = [];
  #partSize = 0;
  #restSize = 0;
  #line = 1;
  #partLine = 1;
  #isFirstEnded = false;

  /** True once a second object shows that the text is a sequence. */
  get isSequence(): boolean {
    return this.#partDepth === 0;
  }

  /** The line on which the part that is being read began. */
  get line(): number {
    return this.#partLine;
  }

  /** Returns the elements that end in this chunk. */
  next(chunk: Buffer): Part[] {
    const ended: Part[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === LF) this.#line++;
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === BACKSLASH) this.#escaped = true;
        else if (byte === QUOTE) this.#inText = false;
        if (this.#inText && this.#depth === 1 && this.#text.length < 16) this.#text += String.fromCharCode(byte);
        continue;
      }
      switch (byte) {
        case QUOTE:
          this.#inText = true;
          this.#text = '';
          break;
        case RECORD_SEPARATOR:
          if (this.#depth === 0) chunk[at] = SPACE;
          break;
        case COLON:
          if (this.#depth === 1) this.#member = this.#text;
          break;
        case OPEN_OBJECT:
          if (this.#depth === 0 && this.#isFirstEnded && !this.#hasFeatures && !this.isSequence) {
            this.#keep(chunk.subarray(from, at));
            from = at;
            ended.push({ text: this.end(), line: this.#partLine });
            this.#rest = [];
            this.#restSize = 0;
            this.#partDepth = 0;
          }
          if (this.#depth === 0 && !this.isSequence) this.#partLine = this.#line;
          if (this.#depth === this.#partDepth && (this.#inFeatures || this.isSequence)) {
            this.#keep(chunk.subarray(from, at));
            from = at;
            this.#capturing = true;
            this.#partLine = this.#line;
          }
          this.#depth++;
          break;
        case OPEN_LIST:
          if (this.#depth === 1 && this.#member === 'features') this.#inFeatures = this.#hasFeatures = true;
          this.#depth++;
          break;
        case CLOSE_LIST:
          this.#depth--;
          if (this.#depth === 1) this.#inFeatures = false;
          break;
        case CLOSE_OBJECT:
          this.#depth--;
          if (this.#depth === 0) this.#isFirstEnded = true;
          if (this.#capturing && this.#depth === this.#partDepth) {
            this.#keep(chunk.subarray(from, at + 1));
            from = at + 1;
            ended.push({ text: Buffer.concat(this.#part).toString('utf8'), line: this.#partLine });
            this.#capturing = false;
            this.#part = [];
            this.#partSize = 0;
            if (!this.isSequence) this.#keep(Buffer.from(`0${'\n'.repeat(this.#line - this.#partLine)}`));
          }
      }
    }
    this.#keep(chunk.subarray(from));
    return ended;
  }

  end(): string {
    return Buffer.concat([...this.#rest, ...this.#part]).toString('utf8');
  }

  #keep(bytes: Buffer): void {
    if (this.#capturing) {
      this.#part.push(bytes);
      this.#partSize += bytes.length;
    } else {
      this.#rest.push(bytes);
      this.#restSize += bytes.length;
    }
    if (this.#partSize > LARGEST_PART || this.#restSize > LARGEST_PART) {
      const line = this.#capturing ? this.#partLine : this.#line;
      throw new TextFileError(
        line,
        `a Feature, or the text between two Features, is longer than ${LARGEST_PART / 1024 / 1024} MiB`,
      );
    }
  }
}
