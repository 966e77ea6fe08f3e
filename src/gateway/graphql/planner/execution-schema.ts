import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  type GraphQLFieldConfigMap,
  type GraphQLFieldResolver,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLSchema,
  isNonNullType,
} from 'graphql';
import type { Context } from '../../../graph/builder/context.ts';
import { RawJsonScalar } from '../../../graph/builder/raw-json.ts';

/** Returns the name of the field in the execution schema that returns `name` with its whole selection as JSON. */
export function rawFieldName(name: string): string {
  return `${name}_sql`;
}

/**
 * Creates the schema that rewritten documents are executed against: the public schema and, for each field that SQL can
 * compile, a leaf of the same nullability without arguments (the planner reads those of the original field). Documents
 * are validated against the public schema, so clients cannot select these leaves.
 */
export function makeExecutionSchema(
  schema: GraphQLSchema,
  resolve: GraphQLFieldResolver<unknown, Context>,
): GraphQLSchema {
  return mapSchema(schema, {
    [MapperKind.OBJECT_TYPE]: (type) => {
      const { fields, ...config } = type.toConfig();
      const leaves: GraphQLFieldConfigMap<unknown, Context> = {};
      for (const [name, { type: fieldType, extensions }] of Object.entries(fields)) {
        if (extensions?.relation === undefined) continue;
        const leaf = rawFieldName(name);
        if (leaf in fields) throw new Error(`${type.name}.${leaf} is a field of the public schema`);
        leaves[leaf] = { type: isNonNullType(fieldType) ? new GraphQLNonNull(RawJsonScalar) : RawJsonScalar, resolve };
      }
      return new GraphQLObjectType({ ...config, fields: { ...fields, ...leaves } });
    },
  });
}
