import { BallotMeasureObject } from '../ballots/ballot-measure.ts';
import { CandidateObject } from '../ballots/candidate.ts';
import { RaceObject } from '../ballots/race.ts';
import { BoundaryObject } from '../districts/boundary.ts';
import { DistrictObject } from '../districts/district.ts';
import { ElectionObject } from '../elections/election.ts';
import { builder } from '../graphql/builder.ts';
import { OfficeObject } from '../officials/office.ts';
import { OfficeholderObject } from '../officials/officeholder.ts';
import { PersonObject } from '../officials/person.ts';
import { IdentifierObject } from './identifier.ts';
import { identifiersOf, sourcesOf } from './provenance.store.ts';
import { SourceObject } from './source.ts';

/** The types whose records have provenance, with the kind under which it is stored. */
export const RECORDS = [
  ['district', DistrictObject],
  ['boundary', BoundaryObject],
  ['office', OfficeObject],
  ['officeholder', OfficeholderObject],
  ['person', PersonObject],
  ['election', ElectionObject],
  ['race', RaceObject],
  ['candidate', CandidateObject],
  ['ballot_measure', BallotMeasureObject],
] as const;

for (const [kind, object] of RECORDS) {
  builder.objectFields(object, (t) => ({
    sources: t.field({
      type: [SourceObject],
      description: 'The data sets that this record was imported from, most recently imported first.',
      ...sourcesOf(kind),
    }),
    identifiers: t.field({
      type: [IdentifierObject],
      description: 'The identifiers of this record in other data sets, sorted by scheme.',
      ...identifiersOf(kind),
    }),
  }));
}
