/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Random choices, the same for the same seed. */
export interface Draw {
  /** An integer from `from` to `to`, both included. */
  integer(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Each of the items with a probability. */
  some<Item>(items: readonly Item[], probability: number): Item[];
}

export function createDraw(seed: number): Draw {
  const random = seeded(seed);
  const integer = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  return {
    integer,
    chance: (probability) => random() < probability,
    pick: (items) => {
      if (items.length === 0) throw new Error('There is nothing to pick from');
      return items[integer(0, items.length - 1)] as (typeof items)[number];
    },
    some: (items, probability) => items.filter(() => random() < probability),
  };
}
