/** A part of an answer that is JSON already, as the store has worded it. */
export class JsonText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get isEmptyList(): boolean {
    return this.#text === '[]';
  }

  /** Where `wordJson` asks, a mark for the text; else what it says, so that every other way to word JSON is right too. */
  toJSON(): unknown {
    if (!collected) return JSON.parse(this.#text);
    collected.push(this.#text);
    return MARK;
  }
}

/** No text in PostgreSQL holds a NUL, so none is taken for it. */
const MARK = '\0';
const MARKED = JSON.stringify(MARK);

/** The texts that have been met; undefined while nobody collects them. */
let collected: string[] | undefined;

/** As `JSON.stringify`, with what is JSON already put in as it is. */
export function wordJson(value: unknown): string {
  const texts: string[] = [];
  collected = texts;
  try {
    const worded = JSON.stringify(value);
    if (texts.length === 0) return worded;
    const [first = '', ...rest] = worded.split(MARKED);
    return rest.reduce((whole, part, index) => whole + texts[index] + part, first);
  } finally {
    collected = undefined;
  }
}
