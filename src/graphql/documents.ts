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
import { beyondLimits, type OperationLimits, tooManyTokens } from './limits.ts';
import { measure } from './measure.ts';
import { checkTexts, type TextArguments, textArgumentsOf } from './text-arguments.ts';

const MOST_ERRORS = 5;
/** Memory for the documents that are kept, all together. */
const KEPT_BYTES = 16 * 1024 * 1024;
/** What a parsed document takes at most, as measured: in any case, and for each of its characters. */
const DOCUMENT_BYTES = 3_000;
const CHARACTER_BYTES = 140;
/** What the errors of a document that cannot be parsed take, besides its text. */
const ERROR_BYTES = 1_000;

/** Reads a document for variables. */
export type Prepare = (source: string, variables: Readonly<Record<string, unknown>>) => Prepared;

export type Prepared =
  | { readonly document: DocumentNode }
  | { readonly errors: readonly GraphQLError[] }
  | { readonly beyond: GraphQLError };

/** What is cached of a document: how it was parsed and validated. */
type Read =
  | { readonly kind: 'unreadable'; readonly errors: readonly PlainError[] }
  | { readonly kind: 'too long'; readonly tokens: number }
  | {
      readonly kind: 'parsed';
      readonly document: DocumentNode;
      /** Of validation; undefined until the document is within the limits. */
      errors?: readonly PlainError[];
      /** Undefined until the document is valid. */
      texts?: TextArguments;
    };

/** An error without what it holds on to: its stack has all that was at work, its nodes the whole document. */
type PlainError = Pick<GraphQLError, 'message' | 'positions'>;

/**
 * Reads documents against a schema: parses them, holds them to the limits, validates them. In that order, because
 * validating a hostile document can take longer than running an honest one. The most recently used are cached, valid or
 * not, so that each is parsed and validated once; the limits are checked each time, as they depend on the variables.
 */
export function createDocuments(
  schema: GraphQLSchema,
  limits: OperationLimits,
  { introspection = true, caches = new Caches() }: { readonly introspection?: boolean; readonly caches?: Caches } = {},
): Prepare {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const cached = caches.open<string, Read>('documents', {
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ kind }, source) =>
      kind === 'parsed' ? DOCUMENT_BYTES + CHARACTER_BYTES * source.length : ERROR_BYTES + 2 * source.length,
  });

  return function prepare(source: string, variables: Readonly<Record<string, unknown>>): Prepared {
    const known = cached.get(source);
    const read = known ?? readDocument(source, limits.tokens);
    if (!known) cached.set(source, read);
    if (read.kind === 'unreadable') return { errors: located(read.errors, source) };
    if (read.kind === 'too long') return { beyond: tooManyTokens(read.tokens, limits.tokens) };
    const { document } = read;
    const beyond = beyondLimits(measure(schema, document, variables), limits);
    if (beyond) return { beyond };
    // Suggestions would tell of fields that nobody asked for.
    read.errors ??= validate(schema, document, rules, { maxErrors: MOST_ERRORS, hideSuggestions: true }).map(plain);
    if (read.errors.length > 0) return { errors: located(read.errors, source) };
    read.texts ??= textArgumentsOf(schema, document);
    const rejected = checkTexts(read.texts, variables);
    return rejected ? { beyond: rejected } : { document };
  };
}

function readDocument(source: string, maxTokens: number): Read {
  try {
    return { kind: 'parsed', document: parse(source, { maxTokens }) };
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const tokens = tokensIn(source);
    return tokens > maxTokens ? { kind: 'too long', tokens } : { kind: 'unreadable', errors: [plain(error)] };
  }
}

function plain({ message, positions }: GraphQLError): PlainError {
  return { message, positions };
}

/** The errors anew, as an error that is thrown or sent may be changed. */
function located(errors: readonly PlainError[], text: string): GraphQLError[] {
  const source = new Source(text);
  return errors.map(({ message, positions }) => new GraphQLError(message, { source, positions }));
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
