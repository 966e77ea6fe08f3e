import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Lexer,
  NoSchemaIntrospectionCustomRule,
  parse,
  Source,
  specifiedRules,
  TokenKind,
  validate,
} from 'graphql';
import { Caches } from '../observe/caches.ts';
import { beyondLimits, beyondTokens, type OperationLimits } from './limits.ts';
import { measure } from './measure.ts';
import { checkTexts, type TextArguments, textArgumentsOf } from './text-arguments.ts';

const MOST_ERRORS = 5;
/** Memory for the documents that are kept, all together. */
const KEPT_BYTES = 16 * 1024 * 1024;
/** What a parsed document takes at most, as measured: in any case, and for each of its characters. */
const DOCUMENT_BYTES = 3_000;
const CHARACTER_BYTES = 140;

/** Reads a document for variables. */
export type Prepare = (source: string, variables: Readonly<Record<string, unknown>>) => Prepared;

interface ValidDocument {
  readonly document: DocumentNode;
  readonly texts: TextArguments;
}

export type Prepared =
  | { readonly document: DocumentNode }
  | { readonly errors: readonly GraphQLError[] }
  | { readonly beyond: GraphQLError };

/**
 * Reads documents against a schema: parses them, holds them to the limits, validates them. In that order, because
 * validating a hostile document can take longer than running an honest one. The most recently used valid ones are kept,
 * so that parsing and validating happen once; the limits are looked at each time, as they depend on the variables. What
 * is wrong is not kept: each error would hold on to all that was at work when it was found.
 */
export function createDocuments(
  schema: GraphQLSchema,
  limits: OperationLimits,
  { introspection = true, caches = new Caches() }: { readonly introspection?: boolean; readonly caches?: Caches } = {},
): Prepare {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const kept = caches.open<string, ValidDocument>('documents', {
    maxSize: KEPT_BYTES,
    sizeCalculation: (_, source) => DOCUMENT_BYTES + CHARACTER_BYTES * source.length,
  });

  return function prepare(source: string, variables: Readonly<Record<string, unknown>>): Prepared {
    const known = kept.get(source);
    const read = known ?? parsed(source, limits.tokens);
    if (!('document' in read)) return read;
    const { document } = read;
    const beyond = beyondLimits(measure(schema, document, variables), limits);
    if (beyond) return { beyond };
    if (!known) {
      // Suggestions would tell of fields that nobody asked for.
      const errors = validate(schema, document, rules, { maxErrors: MOST_ERRORS, hideSuggestions: true });
      if (errors.length > 0) return { errors };
    }
    const valid = known ?? { document, texts: textArgumentsOf(schema, document) };
    const refused = checkTexts(valid.texts, variables);
    if (refused) return { beyond: refused };
    if (!known) kept.set(source, valid);
    return { document };
  };
}

function parsed(source: string, maxTokens: number): Prepared {
  try {
    return { document: parse(source, { maxTokens }) };
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const beyond = beyondTokens(tokensIn(source), maxTokens);
    return beyond ? { beyond } : { errors: [error] };
  }
}

/** How many tokens a text has, as far as it has any: characters that begin none end the count. */
function tokensIn(source: string): number {
  const lexer = new Lexer(new Source(source));
  let count = 0;
  try {
    while (lexer.advance().kind !== TokenKind.EOF) count++;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
  }
  return count;
}
