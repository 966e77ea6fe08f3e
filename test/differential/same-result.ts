interface Result {
  readonly data?: unknown;
  readonly errors?: readonly { readonly path?: readonly (string | number)[] }[];
}

/**
 * Returns whether two results are equal in everything that graphql-js determines. If several errors null the same
 * parent object, graphql-js may omit all but the first of them, and the order in which the fields complete decides
 * which is first. Everything else is compared: the bytes of a result without errors, the data, the errors located at
 * each null, and that every other null has an error below it.
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

/** Returns the errors as sorted texts; an error from below a null is replaced by the location of that null. */
function errorsByNull({ data, errors = [] }: Result): string[] {
  const texts = errors.map((error) => {
    const depth = depthOfNull(data, error.path ?? []);
    return depth === error.path?.length ? JSON.stringify(error) : `below ${error.path?.slice(0, depth).join('.')}`;
  });
  return [...new Set(texts)].sort();
}

/** Returns how many steps of a path exist in the data before it reaches null. */
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
