interface Result {
  readonly data?: unknown;
  readonly errors?: readonly { readonly path?: readonly (string | number)[] }[];
}

/**
 * Returns whether two results are the same, as far as graphql-js itself is deterministic: where several errors
 * null the same object above them, those that come after the first may be left out, and which comes first depends on when
 * each field was there. All else is compared: the bytes of a result without errors, the data, the errors of every null
 * that are at that null, and that each other null has an error below it.
 */
export function isSameResult(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [readResult(one), readResult(other)];
  if (!first?.errors || !second?.errors) return false;
  if (JSON.stringify(first.data) !== JSON.stringify(second.data)) return false;
  return JSON.stringify(errorsByNull(first)) === JSON.stringify(errorsByNull(second));
}

function readResult(body: string): Result | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The errors as texts, sorted; instead of those that came from further below, where the null is. */
function errorsByNull({ data, errors = [] }: Result): string[] {
  const texts = errors.map((error) => {
    const depth = depthOfNull(data, error.path ?? []);
    return depth === error.path?.length ? JSON.stringify(error) : `below ${error.path?.slice(0, depth).join('.')}`;
  });
  return [...new Set(texts)].sort();
}

/** How far a path leads into the data until it comes to null. */
function depthOfNull(data: unknown, path: readonly (string | number)[]): number {
  let value = data;
  let depth = 0;
  for (const step of path) {
    if (value === null || value === undefined) break;
    value = (value as Record<string | number, unknown>)[step];
    depth++;
  }
  return depth;
}
