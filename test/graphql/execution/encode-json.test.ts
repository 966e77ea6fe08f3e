import { describe, expect, it } from 'vitest';
import { encodeJson, RawJson, stringifyJson } from '../../../src/graph/builder/raw-json.ts';

const large = (letter: string) => new RawJson(`[${JSON.stringify(letter.repeat(600_000))}]`);
const VALUES: Readonly<Record<string, unknown>> = {
  'without raw JSON': { data: { a: [1, null, 'é', undefined, { b: undefined, c: 1.5 }] } },
  'with short raw JSON': {
    data: { a: new RawJson('[{"b":"ü"}]'), 'c"d': [new RawJson('1'), new RawJson('2')], e: undefined },
  },
  'with large raw JSON': {
    data: { nodes: [large('a'), null, large('é'), [large('\u{1F5F3}')], new Date(0)], last: true },
  },
  'that is large raw JSON': large('x'),
  'of empty lists and objects': { a: [], b: {}, c: [{}, []], d: new RawJson('[]') },
};

describe('a value', () => {
  it.each(Object.entries(VALUES))('%s has the same text whether it is encoded or made a string', async (_, value) => {
    const text = stringifyJson(value);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    const encoded = async (limits?: { bytes: number }) => Buffer.from(await encodeJson(value, limits));
    expect((await encoded()).equals(Buffer.from(text))).toBe(true);
    const bytes = Buffer.byteLength(text);
    expect((await encoded({ bytes })).length).toBe(bytes);
    await expect(encoded({ bytes: bytes - 1 })).rejects.toThrow(`more than ${bytes - 1} bytes`);
    expect(stringifyJson(value, { bytes })).toBe(text);
    expect(() => stringifyJson(value, { bytes: bytes - 1 })).toThrow(`more than ${bytes - 1} bytes`);
  });

  it('with many large parts is encoded over several turns of the event loop', async () => {
    let turns = 0;
    const count = () => {
      turns++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    await encodeJson(Array.from({ length: 10 }, () => large('a')));
    clearImmediate(counting);
    expect(turns).toBeGreaterThanOrEqual(9);
  });
});
