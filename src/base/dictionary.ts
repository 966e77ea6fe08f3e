/**
 * Returns an object without a prototype that has the given entries. Looking up a name that a client, a file or a database
 * gives finds these entries alone: in an ordinary object, `constructor` and `toString` would be found as well, and
 * `__proto__` could not be stored.
 */
export function dictionary<Value>(
  entries: Readonly<Record<string, Value>> | Iterable<readonly [string, Value]> = {},
): Record<string, Value> {
  const own = Symbol.iterator in entries ? Object.fromEntries(entries) : entries;
  return Object.assign(Object.create(null), own);
}
