import { lexicographicSortSchema, printSchema } from 'graphql';
import { schema } from './schema.ts';

/** Returns the schema in the schema definition language, with sorted types and members, as in `schema.graphql`. */
export function schemaText(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
