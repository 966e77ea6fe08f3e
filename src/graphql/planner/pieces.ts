import { quoted } from '../in-sql.ts';

/** A piece of serialised JSON: literal text, or an SQL expression whose value is text. */
export type Piece = { readonly text: string } | { readonly expression: string };

/** PostgreSQL's limit for the number of function arguments. */
const MAX_ARGUMENTS = 100;

/** Returns the pieces of an object: its members with their names. */
export function membersOf<Each>(
  all: readonly Each[],
  nameOf: (each: Each) => string,
  serialize: (each: Each) => readonly Piece[],
): Piece[] {
  return all.flatMap((each, index) => [
    { text: `${index === 0 ? '' : ','}${JSON.stringify(nameOf(each))}:` },
    ...serialize(each),
  ]);
}

/** Returns one SQL expression that concatenates all pieces. An expression that is null adds nothing. */
export function concatenated(pieces: readonly Piece[]): string {
  const parts: string[] = [];
  let text = '';
  const endText = () => {
    if (text !== '') parts.push(quoted(text));
    text = '';
  };
  for (const piece of pieces) {
    if ('text' in piece) text += piece.text;
    else {
      endText();
      parts.push(piece.expression);
    }
  }
  endText();
  return concat(parts);
}

function concat(parts: readonly string[]): string {
  if (parts.length <= MAX_ARGUMENTS) return `concat(${parts.join(', ')})`;
  return concat([concat(parts.slice(0, MAX_ARGUMENTS)), ...parts.slice(MAX_ARGUMENTS)]);
}
