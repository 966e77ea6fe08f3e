/** An empty relation is null, never an empty list (contract, Shapes). */
export function listOrNull<Item>(items: Item[] | null | undefined): Item[] | null {
  return items && items.length > 0 ? items : null;
}

/** The specification has a text here, never null: an unknown one is empty. */
export function textOrEmpty(text: string | null | undefined): string {
  return text ?? '';
}
