/** Resolves in the next turn of the event loop, after what waits for this one. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
