import { personId } from './ids.ts';
import { displayName, nameKey, splitName } from './names.ts';
import type { Row } from './tables.ts';
import type { KnownPerson } from './terms.ts';

/** A candidate as a person of the sample. */
export interface Person {
  id: number;
  row: Row<'persons'>;
  /** The data of the term sources about the person; null if none has the person. */
  known: KnownPerson | null;
}

/**
 * Finds the persons behind the names of candidates: within one state the same first and last name is the same person.
 */
export class People {
  readonly persons = new Map<string, Person>();
  readonly #known: KnownPerson[];

  constructor(known: KnownPerson[]) {
    this.#known = known;
  }

  /** Returns the person of a candidacy in a state. */
  find(postal: string, name: string): Person {
    const key = nameKey(name);
    const person = this.persons.get(`${postal} ${key}`) ?? this.#meet(postal, name, key);
    this.persons.set(`${postal} ${key}`, person);
    return person;
  }

  #meet(postal: string, name: string, key: string): Person {
    const known = this.#known.find(({ states, keys }) => states.has(postal) && keys.has(key)) ?? null;
    const [anyKey = key] = known?.keys ?? [];
    const id = known?.holder?.id ?? personId(`${postal} ${anyKey}`);
    const shown = name === name.toUpperCase() ? displayName(name) : name;
    return { id, row: { ...(known?.holder ?? { name: shown, ...splitName(shown) }), id }, known };
  }
}
