import {
  type GraphQLField,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isScalarType,
} from 'graphql';
import { z } from 'zod';
import { plainWords } from '../../../base/words/address-words.ts';
import { schema } from '../../../graph/schema.ts';
import { namesMeant } from '../../names/similar-names.ts';
import { toolInput } from '../inputs.ts';
import { defineTool, shortened } from '../tool.ts';

const MAX_LENGTH = 100;
/** How many elements are listed of which none has all words. */
const MOST_CLOSE = 10;
/** The rank of an element whose own name has a word. */
const OF_NAME = 30;

/** An element of the schema with the words of its name, and those of its description. */
interface Element {
  readonly name: string;
  readonly definition: string;
  readonly description: string | null;
  readonly nameWords: readonly string[];
  readonly otherWords: readonly string[];
}

export const searchSchema = defineTool({
  name: 'search_schema',
  title: 'Search the GraphQL schema',
  description:
    'Finds the types, fields, arguments and values of the GraphQL schema whose names or descriptions have all words of a text, or else the most telling of them: what to write in run_graphql, without reading the whole schema. The name of a type lists its fields first.',
  input: toolInput({
    text: z
      .string()
      .min(1)
      .max(MAX_LENGTH)
      .describe('Words, for example `ballot point`, or the name of a type or field, for example `Race.margin`.'),
  }),
  list: 'elements',
  entry: z.object({
    name: z.string().describe('The schema coordinate, for example `Location.ballot`.'),
    definition: z.string().describe('The definition in the schema language.'),
    description: z.string().optional(),
  }),
  extra: { found: z.int().describe('Number of elements with all words; if it is 0, those are listed that have some.') },
  async read({ text }) {
    const words = wordsOf(text);
    const all = elements();
    const withAll = bestOf(all, (element) => rankOf(element, words, text.trim()));
    const found = withAll.length > 0 ? withAll : closest(all, words);
    const entries = found.map(({ name, definition, description }) => ({
      name,
      definition,
      description: shortened(description),
    }));
    const notKnown =
      withAll.length > 0
        ? []
        : [`No element of the schema has all of these words${found.length > 0 ? '; these have some' : ''}: try fewer.`];
    return { entries, extra: { found: withAll.length }, notKnown, data: null };
  },
});

/** Returns the elements with a rank, the best first. */
function bestOf(all: readonly Element[], rankOf: (element: Element) => number): Element[] {
  return all
    .map((element) => ({ element, rank: rankOf(element) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ element }) => element);
}

/**
 * Returns elements with the stems of some of the words, or with what a word means that no name has. A word tells the more, the fewer
 * elements have it: `who` and `my` tell next to nothing.
 */
function closest(all: readonly Element[], words: readonly string[]): Element[] {
  const ranks = words.map((word) => {
    const stem = word.length > 5 ? word.slice(0, -2) : word;
    const isNamed = all.some(({ nameWords }) => nameWords.some((other) => other.startsWith(stem)));
    const ofWord = new Map(
      all.map((element) => {
        const isMeant = !isNamed && namesMeant(word, element.name.split('.').slice(-1)).length > 0;
        return [element, isMeant ? OF_NAME : rankOf(element, [stem], stem)];
      }),
    );
    const weight = Math.log(all.length / (1 + [...ofWord.values()].filter((rank) => rank > 0).length));
    return (element: Element) => weight * Math.log1p(ofWord.get(element) ?? 0);
  });
  return bestOf(all, (element) => ranks.reduce((sum, rank) => sum + rank(element), 0)).slice(0, MOST_CLOSE);
}

/** Returns how well an element answers words, each of which begins one of its own: 0 if it lacks one. */
function rankOf({ name, nameWords, otherWords }: Element, words: readonly string[], text: string): number {
  if (name === text) return 1_000;
  if (name.startsWith(`${text}.`)) return 900;
  const ownWords = wordsOf(name.slice(name.indexOf('.') + 1));
  const ranks = words.map((word) => {
    if (ownWords.includes(word)) return OF_NAME;
    if (nameWords.includes(word)) return 20;
    if (nameWords.some((other) => other.startsWith(word))) return 10;
    if (otherWords.includes(word)) return 2;
    return otherWords.some((other) => other.startsWith(word)) ? 1 : 0;
  });
  // Of two elements that have the words, the one with the shorter name has less else in it.
  return ranks.includes(0) ? 0 : ranks.reduce<number>((sum, rank) => sum + rank, 0) + 1 / nameWords.length;
}

/** Returns all elements but those of introspection: some 10 ms for a search, in place of state of the module or of a slower start. */
function elements(): Element[] {
  return Object.values(schema.getTypeMap()).flatMap((type) => (isIntrospectionType(type) ? [] : elementsOf(type)));
}

function elementsOf(type: GraphQLNamedType): Element[] {
  const members: readonly Member[] = isEnumType(type)
    ? type.getValues()
    : 'getFields' in type
      ? Object.values(type.getFields())
      : [];
  const keyword = isEnumType(type)
    ? 'enum'
    : isInputObjectType(type)
      ? 'input'
      : isScalarType(type)
        ? 'scalar'
        : 'type';
  return [
    elementOf(type.name, `${keyword} ${type.name}`, type.description),
    ...members.map(({ name, type: result, args = [], description }) => {
      const given = args.map((argument) => `${argument.name}: ${argument.type}`).join(', ');
      const definition = `${name}${given && `(${given})`}${result ? `: ${result}` : ''}`;
      const ofArguments = args.map((argument) => argument.description).join(' ');
      return elementOf(`${type.name}.${name}`, definition, description, ofArguments);
    }),
  ];
}

/** A field, or a value of an enum. */
type Member = Pick<GraphQLField<unknown, unknown>, 'name' | 'description'> &
  Partial<Pick<GraphQLField<unknown, unknown>, 'type' | 'args'>>;

function elementOf(name: string, definition: string, description: string | null | undefined, more = ''): Element {
  return {
    ...{ name, definition, description: description ?? null },
    nameWords: wordsOf(name),
    otherWords: wordsOf(`${definition} ${description ?? ''} ${more}`),
  };
}

/** Returns the words of a text in lower case: `Location.ballotMeasures` has three. */
function wordsOf(text: string): string[] {
  return plainWords(text.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' '));
}
