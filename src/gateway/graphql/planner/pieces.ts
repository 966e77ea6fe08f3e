import { type Expression, sql } from 'kysely';
import { concat } from '../../../store/sql/functions.ts';

/** A piece of serialised JSON: literal text, or an expression whose value is text; null adds nothing. */
export type Piece = string | Expression<unknown>;

/** Returns the pieces of an object: its members with their names. */
export function membersOf<Each>(
  all: readonly Each[],
  nameOf: (each: Each) => string,
  serialize: (each: Each) => readonly Piece[],
): Piece[] {
  return all.flatMap((each, index) => [
    `${index === 0 ? '' : ','}${JSON.stringify(nameOf(each))}:`,
    ...serialize(each),
  ]);
}

/** Returns one expression that concatenates all pieces. */
export function concatenated(pieces: readonly Piece[]): Expression<string> {
  const parts: Expression<unknown>[] = [];
  let text = '';
  const endText = () => {
    if (text !== '') parts.push(sql.lit(text));
    text = '';
  };
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece;
    else {
      endText();
      parts.push(piece);
    }
  }
  endText();
  return concat(parts);
}
