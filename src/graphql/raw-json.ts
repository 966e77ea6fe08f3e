import { GraphQLScalarType } from 'graphql';

/** A part of a result that PostgreSQL has serialised as JSON already. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get isEmptyList(): boolean {
    return this.text === '[]';
  }

  /** For `JSON.stringify`: right, but slower than `stringifyJson`. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** The type of fields whose value is `RawJson`. It is part of no public schema. */
export const RawJsonScalar = new GraphQLScalarType({ name: 'RawJson', serialize: (value) => value });

/** Serialises a value as `JSON.stringify` does, and copies the text of each `RawJson` as it is. */
export function stringifyJson(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(stringifyJson).join(',')}]`;
  let text = '';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || typeof member === 'function') continue;
    text += `${text && ','}${JSON.stringify(name)}:${stringifyJson(member)}`;
  }
  return `{${text}}`;
}
