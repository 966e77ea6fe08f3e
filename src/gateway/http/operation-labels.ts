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
