import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import type { AccessGrant } from '../database/tables.ts';
import type { Context } from './context.ts';

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      grants: GrantsPlugin<Types>;
    }
    interface FieldOptions {
      /**
       * The field is null, and its resolver is not called, for callers whose package has none of these grants (see
       * `needs`).
       */
      grants?: readonly AccessGrant[];
    }
  }
}

/** Returns whether the caller's package has one of the grants. */
export function isGranted({ caller }: Pick<Context, 'caller'>, grants: readonly AccessGrant[]): boolean {
  return grants.some((grant) => caller.grants.has(grant));
}

/**
 * Wraps the resolvers of fields that require a grant, and sets `extensions.grants` for code that checks the grants once
 * for many objects. The scope-auth plugin is not used because it checks them for each object.
 */
export class GrantsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { grants } = config.pothosOptions;
    return grants ? { ...config, extensions: { ...config.extensions, grants } } : config;
  }

  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { pothosOptions: { grants } }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    if (!grants) return resolve;
    return (parent, args, context, info) =>
      isGranted(context as Context, grants) ? resolve(parent, args, context, info) : null;
  }
}

SchemaBuilder.registerPlugin('grants', GrantsPlugin);
