import { seeded } from '../cache/requests.ts';

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

/** A day some days later, or earlier. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}
