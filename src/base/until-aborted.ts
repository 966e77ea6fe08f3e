/** Resolves or rejects with a promise, or rejects with the reason of a signal as soon as it is aborted. */
export function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
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
