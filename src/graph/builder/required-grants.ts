import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import {
  DirectiveLocation,
  GraphQLBoolean,
  GraphQLDirective,
  type GraphQLFieldResolver,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql';
import type { AccessGrant } from '../../store/sql/tables.ts';
import type { Context } from './context.ts';

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      grants: GrantsPlugin<Types>;
    }
    interface FieldOptions {
      /**
       * The field is null, and its resolver is not called, for callers whose package has none of these grants (see
       * `requireGrants`).
       */
      grants?: readonly AccessGrant[];
      /** For callers with none of the grants of a group, the resolver returns null instead of some values, or omits them from a list. */
      grantsOfSomeValues?: readonly (readonly AccessGrant[])[];
      /** The resolver of a list omits some values for callers without each of these grants if the argument is given. */
      grantsOfArgument?: { readonly argument: string; readonly grants: readonly AccessGrant[] };
    }
  }
}

/** Grants that a field requires. A field has a list of these in its extensions. */
export interface Requirement {
  /** Any one of them suffices. */
  readonly grants: readonly AccessGrant[];
  /** Whether only some values of the field require a grant. */
  readonly partly: boolean;
  /** The argument with which the field requires it; always if undefined. */
  readonly argument?: string;
}

/** Shows in the schema which grants a field requires. */
export const RequiresGrantDirective = new GraphQLDirective({
  name: 'requiresGrant',
  description:
    'The API package of the key must have one of these grants; otherwise the field is null, and `extensions.notInPackage` of the response names its path.',
  isRepeatable: true,
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    grant: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLString))),
      description: 'The grants; any one of them suffices.',
    },
    partly: {
      type: new GraphQLNonNull(GraphQLBoolean),
      default: { value: false },
      description:
        'Whether the grant is required for some values of the field only, which are null without it, or omitted from a list.',
    },
  },
});

/** Returns the grants as the directive and responses name them: a single grant without a list. */
export function namedGrant(grants: readonly AccessGrant[]): AccessGrant | readonly AccessGrant[] {
  const [grant, ...others] = grants;
  return grant !== undefined && others.length === 0 ? grant : grants;
}

/** Returns whether the caller's package has one of the grants. */
export function isGranted({ caller }: Pick<Context, 'caller'>, grants: readonly AccessGrant[]): boolean {
  return grants.some((grant) => caller.grants.has(grant));
}

/** Returns the grants of the caller as the SQL of lists and relations asks for them. */
export function grantScope(context: Pick<Context, 'caller'>) {
  return { isGranted: (grant: AccessGrant) => isGranted(context, [grant]) };
}

function requirementsOf({
  grants,
  grantsOfSomeValues = [],
  grantsOfArgument,
}: Pick<PothosSchemaTypes.FieldOptions, 'grants' | 'grantsOfSomeValues' | 'grantsOfArgument'>): readonly Requirement[] {
  const { argument = '', grants: ofArgument = [] } = grantsOfArgument ?? {};
  return [
    ...(grants ? [{ grants, partly: false }] : []),
    ...grantsOfSomeValues.map((group) => ({ grants: group, partly: true })),
    ...ofArgument.map((grant) => ({ grants: [grant], partly: true, argument })),
  ];
}

function sentence({ grants, partly, argument }: Requirement, isList: boolean): string {
  const names = grants.map((grant) => `\`${grant}\``).join(', ');
  const required = grants.length === 1 ? `the grant ${names}` : `one of the grants ${names}`;
  if (!partly) return `Requires ${required}; null without it.`;
  if (argument) return `With \`${argument}\`, some require ${required}: omitted without it.`;
  return isList ? `Some require ${required}: omitted without it.` : `Some values require ${required}: null without it.`;
}

/**
 * Wraps the resolvers of fields that require a grant, and describes the requirements: in the description, as directives,
 * in `extensions.grants` for code that checks the grants once for many objects, and in `extensions.requirements`. The
 * scope-auth plugin is not used because it checks the grants for each object.
 */
class GrantsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { grants } = config.pothosOptions;
    const requirements = requirementsOf(config.pothosOptions);
    if (requirements.length === 0) return config;
    const isList = config.type.kind === 'List';
    const requiresGrant = requirements.map((requirement) => ({
      grant: namedGrant(requirement.grants),
      ...(requirement.partly && { partly: true }),
    }));
    return {
      ...config,
      description: [config.description, ...requirements.map((each) => sentence(each, isList))].join(' '),
      extensions: { ...config.extensions, ...(grants && { grants }), requirements, directives: { requiresGrant } },
    };
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
