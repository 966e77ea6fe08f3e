import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import type { AccessGrant } from '../store/tables.ts';
import type { Context } from './context.ts';

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      grants: GrantsPlugin<Types>;
    }
    interface FieldOptions {
      /** The field is null for callers whose package has none of these, and is not even resolved (see `needs`). */
      grants?: readonly AccessGrant[];
    }
  }
}

/** Whether the package of the caller has one of the grants. */
export function isGranted({ caller }: Pick<Context, 'caller'>, grants: readonly AccessGrant[]): boolean {
  return grants.some((grant) => caller.grants.has(grant));
}

/**
 * Guards the fields that need a grant, whoever runs them; their `extensions.grants` tell it to those who decide once for
 * many objects. Our own and not scope-auth, which decides for each object anew.
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
