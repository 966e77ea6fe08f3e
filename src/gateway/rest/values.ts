/** Returns null for an empty relation, never an empty list (contract, Shapes). */
export function listOrNull<Item>(items: Item[] | null | undefined): Item[] | null {
  return items && items.length > 0 ? items : null;
}

/** Returns an empty string for an unknown text: the specification never has null here. */
export function textOrEmpty(text: string | null | undefined): string {
  return text ?? '';
}
