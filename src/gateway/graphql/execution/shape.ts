import { RawJson } from '../../../graph/builder/raw-json.ts';

/**
 * The members of an object by name, in order, for results in another form than that of the schema. PostgreSQL can
 * serialise it as well as the form of the schema (see `planner/compose.ts`).
 */
export type Shape = Readonly<Record<string, Member>>;

export interface Member {
  /** The path to its value in the result of the schema: field names, from the outermost to the innermost. */
  readonly from: readonly string[];
  /** Its value if the path leads to null or to an empty list; undefined omits a leaf. */
  readonly otherwise: null | '' | false | readonly [] | undefined;
  /**
   * The text of each enum name, which must be its value in the database. Or `as it is` to convert any value to text.
   */
  readonly texts?: Readonly<Record<string, string>> | 'as it is';
  /** Texts to replace by others; all others are unchanged. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** The shape of an object, or of the items of a list. */
  readonly items?: Shape;
}

type Path<Found> = {
  [One in keyof Found]-?: readonly [One] | PathWithin<One, NonNullable<Found[One]>>;
}[keyof Found];

type PathWithin<One, Found> = Found extends string | number | boolean | readonly unknown[]
  ? never
  : readonly [One, ...Path<Found>];

/** Returns the functions that create members of a shape for objects of a schema type, as a document selects them. */
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
    label: (texts: NonNullable<Member['texts']>, ...from: Path<Found>): Member => ({ ...orNull(...from), texts }),
    /** Omits the member if it has no value. It must be a leaf, and not the first member of its object. */
    orOmitted: member(undefined),
    /** A text of which some values are replaced by others. */
    orReplaced: (replaced: NonNullable<Member['replaced']>, ...from: Path<Found>): Member => ({
      ...orNull(...from),
      replaced,
    }),
    asText: (...from: Path<Found>): Member => ({ ...orNull(...from), texts: 'as it is' }),
    objectOf: shaped,
    listOf: shaped,
    /** A list that is empty, not null, if it has no items. */
    wholeListOf: (items: Shape, ...from: Path<Found>): Member => ({ ...orNone(...from), items }),
  };
}

/** Memoises a shape for each set of the optional parts that it contains. */
export function shapeFor<Parts extends object>(make: (parts: Parts) => Shape): (parts: Parts) => Shape {
  const made = new Map<string, Shape>();
  return (parts) => {
    const key = JSON.stringify(parts);
    const shape = made.get(key) ?? make(parts);
    made.set(key, shape);
    return shape;
  };
}

/** Converts an object to another shape. `RawJson` already has the shape and is returned unchanged. */
export function objectInShape<Shaped>(found: object, shape: Shape): Shaped {
  // If PostgreSQL has serialised the object, it is replaced by `RawJson`.
  return (found instanceof RawJson ? found : inShape(found, shape)) as Shaped;
}

/** Converts the items of a list to another shape; null for an empty list or null. */
export function listInShape<Shaped>(list: readonly object[] | null | undefined, shape: Shape): Shaped[] | null {
  if (list instanceof RawJson) return list.isEmptyList ? null : (list as unknown as Shaped[]);
  return list && list.length > 0 ? list.map((item) => inShape(item, shape) as Shaped) : null;
}

function inShape(value: object, shape: Shape): Record<string, unknown> {
  const members = Object.entries(shape).map(([name, member]) => [name, valueIn(value, member)] as const);
  return Object.fromEntries(members.filter(([, found]) => found !== undefined));
}

function valueIn(value: object, { from, otherwise, texts, replaced, items }: Member): unknown {
  const found = from.reduce<unknown>(
    (within, name) => (within as Record<string, unknown> | null | undefined)?.[name],
    value,
  );
  if (found === null || found === undefined) return otherwise;
  if (items) return (Array.isArray(found) ? listInShape(found, items) : inShape(found, items)) ?? otherwise;
  if (texts === 'as it is') return String(found);
  if (replaced) return replaced[String(found)] ?? found;
  return texts ? texts[String(found)] : found;
}
