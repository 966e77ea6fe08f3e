import { JsonText } from './json-text.ts';

/**
 * Another shape for the objects at one place of an answer than that of the schema: its members by name, in their order.
 * The store can word it as well as what the schema answers (see `subtree-statement.ts`).
 */
export type Shape = Readonly<Record<string, Member>>;

export interface Member {
  /** Where its value stands in the answer of the schema: names of fields, each within the one before. */
  readonly from: readonly string[];
  /** What it is without a value, and a list without items. */
  readonly otherwise: null | '' | false;
  /** The texts of the names of an enum: those that the store has for them. */
  readonly texts?: Readonly<Record<string, string>>;
  /** The shape of the items of a list. */
  readonly items?: Shape;
}

type Path<Found> = {
  [One in keyof Found]-?: readonly [One] | readonly [One, keyof NonNullable<Found[One]>];
}[keyof Found];

/** Members of a shape for objects of a type of the schema, as a document asks for it. */
export function membersOf<Found>() {
  const member =
    (otherwise: Member['otherwise']) =>
    (...from: Path<Found>): Member => ({ from: from as readonly string[], otherwise });
  const [orNull, orEmpty, orFalse] = [member(null), member(''), member(false)];
  return {
    orNull,
    orEmpty,
    orFalse,
    worded: (texts: NonNullable<Member['texts']>, ...from: Path<Found>): Member => ({ ...orNull(...from), texts }),
    listOf: (items: Shape, ...from: Path<Found>): Member => ({ ...orNull(...from), items }),
  };
}

/** A list in another shape: where the store has worded it so, as it is. Null for an empty one, or none. */
export function listInShape<Item>(list: readonly object[] | null | undefined, shape: Shape): Item[] | null {
  // What the store has worded stands in the place of the list.
  if (list instanceof JsonText) return list.isEmptyList ? null : (list as unknown as Item[]);
  return list && list.length > 0 ? list.map((item) => inShape(item, shape) as Item) : null;
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
  if (items) return listInShape(found as object[], items) ?? otherwise;
  return texts ? texts[String(found)] : found;
}
