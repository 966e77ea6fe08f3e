import { type GraphQLSchema, specifiedDirectives } from 'graphql';
import './ballots/ballot-measure.ts';
import './ballots/candidate.ts';
import './ballots/contests-of.ts';
import './ballots/election-districts.ts';
import './ballots/location-ballot.ts';
import './ballots/lists.ts';
import './ballots/location-elections.ts';
import './ballots/race.ts';
import './ballots/state-ballot.ts';
import './districts/containment.ts';
import './districts/district.ts';
import './districts/location.ts';
import './elections/election.ts';
import './graphql/bulk-query.ts';
import './officials/lists.ts';
import './officials/office.ts';
import './officials/officeholder.ts';
import './officials/person.ts';
import './places/area.ts';
import './places/geocoding.ts';
import './provenance/coverage.ts';
import './provenance/record.ts';
import './provenance/records.ts';
import { builder } from './graphql/builder.ts';
import { RequiresGrantDirective } from './graphql/grants.ts';

/** The schema, assembled from the types that the domain folders define. Its printed form is `schema.graphql`. */
export const schema: GraphQLSchema = builder.toSchema({ directives: [...specifiedDirectives, RequiresGrantDirective] });
