/**
 * Numbers the distinct pairs of two integers, from 0 in the order in which they occur. A hash table in typed arrays: a file
 * of results has millions of pairs, for which keys of a Map would be strings.
 */
export class PairNumbers {
  #size = 0;
  /** The number of the pair before. */
  #last = 0;
  #firsts = new Int32Array(512);
  #seconds = new Int32Array(512);
  /** The number of a pair plus 1; 0 for a free slot. At most half of the slots are taken. */
  #slots = new Int32Array(1024);

  /** The number of distinct pairs. */
  get size(): number {
    return this.#size;
  }

  /** Returns the number of a pair, which is `size` before the call if the pair is new. */
  of(first: number, second: number): number {
    const firsts = this.#firsts;
    const seconds = this.#seconds;
    const last = this.#last;
    if (firsts[last] === first && seconds[last] === second && last < this.#size) return last;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hashOf(first, second) & mask;
    for (let taken = slots[slot] as number; taken > 0; taken = slots[slot] as number) {
      if (firsts[taken - 1] === first && seconds[taken - 1] === second) {
        this.#last = taken - 1;
        return this.#last;
      }
      slot = (slot + 1) & mask;
    }
    return this.#add(first, second, slot);
  }

  /** Returns the number of a pair that is known; -1 for another one. */
  find(first: number, second: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hashOf(first, second) & mask; ; slot = (slot + 1) & mask) {
      const taken = slots[slot] as number;
      if (taken === 0) return -1;
      if (this.#firsts[taken - 1] === first && this.#seconds[taken - 1] === second) return taken - 1;
    }
  }

  /** Returns the first integer of a pair. */
  firstOf(number: number): number {
    return this.#firsts[number] ?? 0;
  }

  /** Returns the second integer of a pair. */
  secondOf(number: number): number {
    return this.#seconds[number] ?? 0;
  }

  #add(first: number, second: number, slot: number): number {
    const number = this.#size++;
    if (number === this.#firsts.length) {
      this.#firsts = grown(this.#firsts);
      this.#seconds = grown(this.#seconds);
      this.#slots = new Int32Array(2 * this.#slots.length);
      for (let each = 0; each < number; each++)
        this.#slots[this.#freeSlot(this.firstOf(each), this.secondOf(each))] = each + 1;
      this.#slots[this.#freeSlot(first, second)] = number + 1;
    } else this.#slots[slot] = number + 1;
    this.#firsts[number] = first;
    this.#seconds[number] = second;
    return number;
  }

  #freeSlot(first: number, second: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(first, second) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    return slot;
  }
}

function hashOf(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** Returns a function that numbers distinct texts, from 0 in the order in which they occur. */
export function numbering(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  };
}

/** Returns a copy of a typed array with twice the length. */
export function grown<T extends Int32Array | Float64Array | Uint8Array>(values: T): T {
  const longer = new (values.constructor as new (length: number) => T)(2 * values.length);
  longer.set(values);
  return longer;
}
