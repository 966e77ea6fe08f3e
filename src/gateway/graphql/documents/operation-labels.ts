import { hash } from 'node:crypto';
import { type DocumentNode, Kind, print, visit } from 'graphql';
import { LRUCache } from 'lru-cache';

/** Maximum number of documents with a label of their own; all others are labelled `other`. */
const MOST_LABELS = 100;
const LABELLED_AT_USE = 3;
const MAX_COUNTED = 1_000;

/**
 * Creates the function that labels documents in metrics by a prefix of the SHA-256 of the document without its
 * literals, because literals may reveal where a person lives. Documents are written by callers, so only the first
 * hundred that are used three times get a label.
 */
export function createOperationLabels(): (label: string) => string {
  const uses = new LRUCache<string, number>({ max: MAX_COUNTED });
  const labels = new Set<string>();

  return (label) => {
    if (labels.has(label)) return label;
    const count = (uses.get(label) ?? 0) + 1;
    uses.set(label, count);
    if (count < LABELLED_AT_USE || labels.size >= MOST_LABELS) return 'other';
    labels.add(label);
    return label;
  };
}

/** Returns the first 12 hexadecimal digits of the SHA-256 of a document without its literals. */
export function operationHash(document: DocumentNode): string {
  const bare = visit(document, {
    [Kind.INT]: (node) => ({ ...node, value: '0' }),
    [Kind.FLOAT]: (node) => ({ ...node, value: '0' }),
    [Kind.STRING]: (node) => ({ ...node, value: '' }),
    [Kind.LIST]: (node) => ({ ...node, values: [] }),
    [Kind.OBJECT]: (node) => ({ ...node, fields: [] }),
  });
  return hash('sha256', print(bare)).slice(0, 12);
}
