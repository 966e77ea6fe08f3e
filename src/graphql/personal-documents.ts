import { type DocumentNode, Kind, visit } from 'graphql';

/** The root fields whose text arguments say where a person lives. */
const PERSONAL_FIELDS: ReadonlySet<string> = new Set(['geocode', 'location']);
const PERSONAL_TEXT = /\b(?:geocode|address)\b/;

/**
 * Returns whether a document contains an address, as a literal or as the default value of a variable; such a document is
 * not cached.
 * @param document the parsed document; undefined if the text cannot be parsed.
 */
export function holdsAddress(source: string, document: DocumentNode | undefined): boolean {
  if (!PERSONAL_TEXT.test(source)) return false;
  if (!document) return true;
  let found = false;
  visit(document, {
    [Kind.FIELD]: ({ name, arguments: given = [] }) => {
      if (PERSONAL_FIELDS.has(name.value) && given.some(({ value }) => value.kind === Kind.STRING)) found = true;
    },
    [Kind.VARIABLE_DEFINITION]: ({ defaultValue }) => {
      if (defaultValue?.kind === Kind.STRING) found = true;
    },
  });
  return found;
}
