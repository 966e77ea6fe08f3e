import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import type { Context } from './context.ts';

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      objectCount: ObjectCountPlugin<Types>;
    }
  }
}

/**
 * Counts the objects that graphql-js builds (see `ResponseSize`), and splits the building of a large response over
 * several turns of the event loop. Callers that invoke a resolver without `info`, such as the query planner, count on
 * their own.
 */
class ObjectCountPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { type }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const named = type.kind === 'List' ? type.type : type;
    if (named.kind !== 'Object' && named.kind !== 'Interface') return resolve;
    return (parent, args, context, info: GraphQLResolveInfo | undefined) => {
      const value = resolve(parent, args, context, info as GraphQLResolveInfo);
      const size = info && (context as Context).responseSize;
      if (!size) return value;
      return value instanceof Promise ? value.then((found) => inItsTurn(found, size)) : inItsTurn(value, size);
    };
  }
}

function inItsTurn(value: unknown, size: NonNullable<Context['responseSize']>): unknown {
  const turn = size.scheduleObjects(Array.isArray(value) ? value.length : 1);
  return turn ? turn.then(() => value) : value;
}

SchemaBuilder.registerPlugin('objectCount', ObjectCountPlugin);
