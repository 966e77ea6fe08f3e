import type { GraphQLSchema } from 'graphql';
import '../districts/district.ts';
import '../districts/location.ts';
import '../officials/office.ts';
import '../officials/officeholder.ts';
import '../officials/person.ts';
import '../provenance/records.ts';
import { builder } from './builder.ts';

/** The schema: gathered here, defined in the domains. Its printed form is `schema.graphql`. */
export const schema: GraphQLSchema = builder.toSchema();
