import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core';
import type { GraphQLSchema } from 'graphql';

/**
 * How responses to a root field may be cached: as a whole, because they depend on the arguments and the data only; by each of
 * the points in its arguments; or not at all, because its arguments may say where a person lives, or its values come from
 * elsewhere.
 */
export type FieldCaching = 'whole' | 'by point' | 'never';

/**
 * What the arguments of a root field may tell about where a person lives: a point, an address or a point, or a point if they
 * are ids. Documents with such literals are neither cached nor logged.
 */
export type PersonalArguments = 'point' | 'address or point' | 'id of a point';

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      rootFields: RootFieldsPlugin<Types>;
    }
    // The type parameters have to be those of Pothos.
    interface QueryFieldOptions<
      Types extends SchemaTypes,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveReturnShape,
    > {
      /** How responses to the field may be cached. */
      caching: FieldCaching;
      /** What its arguments may tell about where a person lives; nothing if omitted. */
      personal?: PersonalArguments;
    }
  }
}

/** Keeps the options of root fields in their extensions, where the cache and the checks of documents find them. */
class RootFieldsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    if (config.kind !== 'Query') return config;
    const { caching, personal } = config.pothosOptions;
    if (caching === undefined) throw new Error(`Query.${config.name} does not say how its responses may be cached`);
    if (personal !== undefined && caching === 'whole') {
      throw new Error(`Query.${config.name} is cached as a whole, with the place in its arguments`);
    }
    return { ...config, extensions: { ...config.extensions, caching, personal } };
  }
}

SchemaBuilder.registerPlugin('rootFields', RootFieldsPlugin);

/** What a root field says about its caching and its arguments. */
export interface RootField {
  readonly caching?: FieldCaching;
  readonly personal?: PersonalArguments;
}

/** Returns what a root field says; nothing for a name that is not one of the query type, or of introspection. */
export function rootFieldOf(schema: GraphQLSchema, name: string): RootField {
  if (name === '__schema' || name === '__type') return { caching: 'whole' };
  return schema.getQueryType()?.getFields()[name]?.extensions ?? {};
}

/** Returns the names of the root fields whose arguments may tell where a person lives. */
export function personalFields(schema: GraphQLSchema): string[] {
  return Object.keys(schema.getQueryType()?.getFields() ?? {}).filter((name) => rootFieldOf(schema, name).personal);
}
