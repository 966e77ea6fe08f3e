import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import { LRUCache } from 'lru-cache';

const MOST_TOKENS = 1_000;
const MOST_ERRORS = 5;
/** Characters of the documents that are kept, of all together. */
const KEPT_CHARACTERS = 4_000_000;

export type Prepared = { readonly document: DocumentNode } | { readonly errors: readonly GraphQLError[] };

/** Parses and validates documents against a schema, once each: the most recently used are kept, refused ones too. */
export function createDocuments(schema: GraphQLSchema): (source: string) => Prepared {
  const kept = new LRUCache<string, Prepared>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (_, source) => source.length + 1,
  });
  return (source) => {
    let prepared = kept.get(source);
    if (!prepared) {
      prepared = prepare(schema, source);
      kept.set(source, prepared);
    }
    return prepared;
  };
}

function prepare(schema: GraphQLSchema, source: string): Prepared {
  try {
    const document = parse(source, { maxTokens: MOST_TOKENS });
    // Suggestions would tell of fields that nobody asked for.
    const errors = validate(schema, document, undefined, { maxErrors: MOST_ERRORS, hideSuggestions: true });
    return errors.length > 0 ? { errors } : { document };
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}
