/**
 * Resolves or rejects with a promise, or rejects with the reason of a signal as soon as it is aborted.
 * @param onAborted called in the second case.
 */
export function untilAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
  onAborted?: () => void,
): Promise<Value> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason);
      onAborted?.();
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const removeListener = () => signal.removeEventListener('abort', onAbort);
    promise.then(
      (value) => {
        removeListener();
        resolve(value);
      },
      (error) => {
        removeListener();
        reject(error);
      },
    );
  });
}
