/** Called with the name of a request's statement before it waits for a connection. */
export type ObserveStatement = (name: string) => ObservedStatement | undefined;

export interface ObservedStatement {
  /** Called when the statement has a connection; for several attempts, on the first. */
  connected(): void;
  /** Called when the statement has ended, after all attempts; with the error if it failed. */
  ended(error?: unknown): void;
}

/** Returns one observer that calls all; undefined if there is none. */
export function observeAll(observers: readonly (ObserveStatement | undefined)[]): ObserveStatement | undefined {
  const present = observers.filter((each) => each !== undefined);
  if (present.length < 2) return present[0];
  return (name) => {
    const observed = present.map((observe) => observe(name)).filter((each) => each !== undefined);
    return {
      connected: () => {
        for (const each of observed) each.connected();
      },
      ended: (error) => {
        for (const each of observed) each.ended(error);
      },
    };
  };
}
