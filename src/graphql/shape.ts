import { RawJson } from './raw-json.ts';

/**
 * Another shape for the objects at one place of an answer than that of the schema: its members by name, in their order.
 * The store can word it as well as what the schema answers (see `sql/statement.ts`).
 */
export type Shape = Readonly<Record<string, Member>>;

export interface Member {
  /** Where its value stands in the answer of the schema: names of fields, each within the one before. */
  readonly from: readonly string[];
  /** What it is without a value, and a list without items. */
  readonly otherwise: null | '' | false | readonly [];
  /** The texts of the names of an enum: those that the store has for them. Or that it is a text, whatever its type. */
  readonly texts?: Readonly<Record<string, string>> | 'as it is';
  /** The shape of an object, or of the items of a list. */
  readonly items?: Shape;
}

type Path<Found> = {
  [One in keyof Found]-?: readonly [One] | PathWithin<One, NonNullable<Found[One]>>;
}[keyof Found];

type PathWithin<One, Found> = Found extends string | number | boolean | readonly unknown[]
  ? never
  : readonly [One, ...Path<Found>];

/** Members of a shape for objects of a type of the schema, as a document asks for it. */
export function membersOf<Found>() {
  const member =
    (otherwise: Member['otherwise']) =>
    (...from: Path<Found>): Member => ({ from: from as unknown as readonly string[], otherwise });
  const [orNull, orEmpty, orFalse, orNone] = [member(null), member(''), member(false), member([])];
  const shaped = (items: Shape, ...from: Path<Found>): Member => ({ ...orNull(...from), items });
  return {
    orNull,
    orEmpty,
    orFalse,
    worded: (texts: NonNullable<Member['texts']>, ...from: Path<Found>): Member => ({ ...orNull(...from), texts }),
    asText: (...from: Path<Found>): Member => ({ ...orNull(...from), texts: 'as it is' }),
    objectOf: shaped,
    listOf: shaped,
    /** A list that is itself without items, not null. */
    wholeListOf: (items: Shape, ...from: Path<Found>): Member => ({ ...orNone(...from), items }),
  };
}

/** Makes a shape once for each set of the parts that it may have: which of them are there. */
export function shapeFor<Parts extends object>(make: (parts: Parts) => Shape): (parts: Parts) => Shape {
  const made = new Map<string, Shape>();
  return (parts) => {
    const key = JSON.stringify(parts);
    const shape = made.get(key) ?? make(parts);
    made.set(key, shape);
    return shape;
  };
}

/** An object in another shape: where the store has worded it so, as it is. */
export function objectInShape<Shaped>(found: object, shape: Shape): Shaped {
  // What the store has worded stands in the place of the object.
  return (found instanceof RawJson ? found : inShape(found, shape)) as Shaped;
}

/** The same for a list; null for an empty one, or none. */
export function listInShape<Shaped>(list: readonly object[] | null | undefined, shape: Shape): Shaped[] | null {
  if (list instanceof RawJson) return list.isEmptyList ? null : (list as unknown as Shaped[]);
  return list && list.length > 0 ? list.map((item) => inShape(item, shape) as Shaped) : null;
}

function inShape(value: object, shape: Shape): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, valueIn(value, member)]));
}

function valueIn(value: object, { from, otherwise, texts, items }: Member): unknown {
  const found = from.reduce<unknown>(
    (within, name) => (within as Record<string, unknown> | null | undefined)?.[name],
    value,
  );
  if (found === null || found === undefined) return otherwise;
  if (items) return (Array.isArray(found) ? listInShape(found, items) : inShape(found, items)) ?? otherwise;
  if (texts === 'as it is') return String(found);
  return texts ? texts[String(found)] : found;
}
