/** Told of a statement of a request when it is about to wait for a connection, by its name in the code. */
export type ObserveStatement = (name: string) => ObservedStatement | undefined;

export interface ObservedStatement {
  /** It has a connection; of several attempts, the first. */
  connected(): void;
  /** It has ended, with all attempts; with an error if it failed. */
  ended(error?: unknown): void;
}

/** One observer that tells all; undefined when there is none. */
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
