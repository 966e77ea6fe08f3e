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
import type { OperationLimits } from '../../../base/config/limits.ts';
import { inPortions, type WorkingRequest } from '../../../base/event-loop-turns.ts';
import { Caches } from '../../../base/lru-caches.ts';
import { personalFields } from '../../../graph/builder/root-fields.ts';
import { analyse, type DocumentAnalysis } from './analysis.ts';
import {
  checkLimits,
  checkRepetition,
  computeComplexity,
  type DocumentComplexity,
  isForVariables,
} from './query-complexity.ts';
import { withMeaning } from './suggestions.ts';

const MOST_ERRORS = 5;
/** Memory for all cached documents together, in bytes. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** The measured maximum size of a parsed document in memory: a constant part, and a part for each character. */
const DOCUMENT_BYTES = 3_000;
const CHARACTER_BYTES = 140;
/** The size of the errors of a document that cannot be parsed, in addition to its text. */
const ERROR_BYTES = 1_000;

/** Counting the tokens of more characters would take longer than reading any document that is allowed. */
const COUNTED_CHARACTERS = 20_000;

/** A valid document with what is known of it. Operations are executed with it, whoever wrote the document. */
export interface PreparedDocument {
  readonly document: DocumentNode;
  readonly analysis: DocumentAnalysis;
  /** The estimated number of records of the result; 0 for the documents of REST and MCP. */
  readonly cost: number;
}

/**
 * Parses, limits and validates a document for the given variables. A document that is not known takes turns with those of
 * other API keys; one that is known is prepared at once.
 */
export type Prepare = (
  source: string,
  variables: Readonly<Record<string, unknown>>,
  request: WorkingRequest,
) => Prepared | Promise<Prepared>;

export type Prepared =
  | PreparedDocument
  | { readonly errors: readonly GraphQLError[] }
  | { readonly exceeded: GraphQLError };

/** Prepares a document of the program, which is valid and has no limits. */
export function prepareValid(schema: GraphQLSchema, document: DocumentNode): PreparedDocument {
  return { document, analysis: analyse(schema, document), cost: 0 };
}

/** What is cached for a document: the results of parsing and validating it. */
type Read =
  | { readonly kind: 'unreadable'; readonly errors: readonly PlainError[] }
  | { readonly kind: 'too long'; readonly tokens: number }
  | {
      readonly kind: 'parsed';
      readonly document: DocumentNode;
      readonly analysis: DocumentAnalysis;
      /** The errors of validation; undefined until the document has passed the limits. */
      errors?: readonly PlainError[];
      /** That of the last request, unless it depends on texts or lists. */
      complexity?: DocumentComplexity;
    };

/**
 * An error without references to large objects: its stack refers to the call's objects, its nodes to the whole
 * document.
 */
interface PlainError extends Pick<GraphQLError, 'message' | 'positions'> {
  readonly code: 'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED';
}

/**
 * Creates the function that prepares documents against a schema: it parses them, checks the limits, then validates
 * them. In that order, because validating a hostile document can take longer than executing an honest one. The most
 * recently used documents are cached, valid or not, so that each is parsed and validated once; the limits are checked
 * for each request, as they may depend on the variables.
 */
export function createDocuments(
  schema: GraphQLSchema,
  limits: OperationLimits,
  { introspection = true, caches = new Caches() }: { readonly introspection?: boolean; readonly caches?: Caches } = {},
): Prepare {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const personal = personalFields(schema);
  const cached = caches.open<string, Read>('documents', {
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ kind }, source) =>
      kind === 'parsed' ? DOCUMENT_BYTES + CHARACTER_BYTES * source.length : ERROR_BYTES + 2 * source.length,
  });

  /** Returns whether the text of a document may contain an address or a point; if it cannot be parsed, by its fields. */
  function mayHoldPlace(source: string, read: Read): boolean {
    return read.kind === 'parsed' ? read.analysis.holdsPlace : personal.some((name) => source.includes(name));
  }

  /** Each step takes some milliseconds at most. */
  function* prepareInSteps(
    source: string,
    cachedRead: Read | undefined,
    variables: Readonly<Record<string, unknown>>,
    keyId: number,
  ): Generator<undefined, Prepared> {
    const read = cachedRead ?? readDocument(schema, source, limits.tokens);
    if (!cachedRead && !mayHoldPlace(source, read)) cached.set(source, read, keyId);
    if (read.kind === 'unreadable') return { errors: located(read.errors, source) };
    if (read.kind === 'too long') return { exceeded: tooManyTokens(read.tokens, limits.tokens) };
    const { document, analysis } = read;
    if (!cachedRead) yield;
    const last = read.complexity;
    const complexity =
      last && isForVariables(last, variables) ? last : computeComplexity(schema, analysis.definitions, variables);
    if (complexity.inputs) read.complexity = complexity;
    const exceeded = checkLimits(complexity, limits);
    if (exceeded) return { exceeded };
    if (!read.errors) {
      const repeated = checkRepetition(analysis.definitions);
      if (repeated) return { exceeded: repeated };
      yield;
    }
    // Suggestions reveal names of the schema.
    read.errors ??= validate(schema, document, rules, { maxErrors: MOST_ERRORS, hideSuggestions: !introspection }).map(
      ({ message, positions }) =>
        plain(
          { message: introspection ? withMeaning(message, schema) : message, positions },
          'GRAPHQL_VALIDATION_FAILED',
        ),
    );
    if (read.errors.length > 0) return { errors: located(read.errors, source) };
    return { document, analysis, cost: complexity.cost };
  }

  return (source, variables, request) => {
    const cachedRead = cached.get(source);
    const steps = prepareInSteps(source, cachedRead, variables, request.caller.keyId);
    if (!cachedRead || (cachedRead.kind === 'parsed' && !cachedRead.errors)) return inPortions(request, steps);
    return steps.next().value as Prepared;
  };
}

function readDocument(schema: GraphQLSchema, source: string, maxTokens: number): Read {
  let document: DocumentNode;
  try {
    document = parse(source, { maxTokens });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const tokens = tokensIn(source);
    return tokens > maxTokens
      ? { kind: 'too long', tokens }
      : { kind: 'unreadable', errors: [plain(error, 'GRAPHQL_PARSE_FAILED')] };
  }
  return { kind: 'parsed', document, analysis: analyse(schema, document) };
}

function plain(
  { message, positions }: Pick<GraphQLError, 'message' | 'positions'>,
  code: PlainError['code'],
): PlainError {
  return { message, positions, code };
}

function tooManyTokens(actual: number, most: number): GraphQLError {
  return new GraphQLError(
    `The document has ${actual} tokens; at most ${most} are allowed. Request less data at once.`,
    { extensions: { code: 'QUERY_TOO_LONG', limit: most, value: actual } },
  );
}

/** Creates new error objects from cached ones, since an error may be modified after it is thrown or sent. */
function located(errors: readonly PlainError[], text: string): GraphQLError[] {
  const source = new Source(text);
  return errors.map(
    ({ message, positions, code }) => new GraphQLError(message, { source, positions, extensions: { code } }),
  );
}

/** Returns the number of tokens in a text, up to the first character that cannot start a token; of a long text, of its beginning. */
function tokensIn(source: string): number {
  const lexer = new Lexer(new Source(source.slice(0, COUNTED_CHARACTERS)));
  let count = 0;
  try {
    while (lexer.advance().kind !== TokenKind.EOF) count++;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
  }
  return count;
}
