import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { beyondLimits, type OperationLimits } from './limits.ts';
import { measure } from './measure.ts';

const MOST_ERRORS = 5;
/** Characters of the documents that are kept, of all together. */
const KEPT_CHARACTERS = 4_000_000;

export type Prepared =
  | { readonly document: DocumentNode }
  | { readonly errors: readonly GraphQLError[] }
  | { readonly beyond: GraphQLError };

type Known = { readonly document: DocumentNode; isValid: boolean } | { readonly errors: readonly GraphQLError[] };

/**
 * Reads documents against a schema: parses them, holds them to the limits, validates them. In that order, because
 * validating a hostile document can take longer than running an honest one. The most recently used are kept, so that
 * parsing and validating happen once; the limits are looked at each time, as they depend on the variables.
 */
export function createDocuments(
  schema: GraphQLSchema,
  limits: OperationLimits,
  { introspection = true }: { readonly introspection?: boolean } = {},
) {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const kept = new LRUCache<string, Known>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (_, source) => source.length + 1,
  });

  return function prepare(source: string, variables: Readonly<Record<string, unknown>>): Prepared {
    let known = kept.get(source);
    if (!known) {
      known = read(source, limits.tokens);
      kept.set(source, known);
    }
    if ('errors' in known) return known;
    const beyond = beyondLimits(measure(schema, known.document, variables), limits);
    if (beyond) return { beyond };
    if (!known.isValid) {
      // Suggestions would tell of fields that nobody asked for.
      const errors = validate(schema, known.document, rules, { maxErrors: MOST_ERRORS, hideSuggestions: true });
      if (errors.length > 0) {
        kept.set(source, { errors });
        return { errors };
      }
      known.isValid = true;
    }
    return { document: known.document };
  };
}

function read(source: string, maxTokens: number): Known {
  try {
    return { document: parse(source, { maxTokens }), isValid: false };
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}
