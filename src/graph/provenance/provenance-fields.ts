import type { RecordKind } from '../../store/sql/tables.ts';
import { BallotMeasureObject } from '../ballots/ballot-measure.ts';
import { CandidateObject } from '../ballots/candidate.ts';
import { RaceObject } from '../ballots/race.ts';
import { builder } from '../builder/builder.ts';
import { updatedAtOf } from '../builder/update-times.ts';
import { BoundaryObject } from '../districts/boundary.ts';
import { DistrictObject } from '../districts/district.ts';
import { ElectionObject } from '../elections/election.ts';
import { OfficeObject } from '../officials/office.ts';
import { OfficeholderObject } from '../officials/officeholder.ts';
import { PartyObject } from '../officials/party.ts';
import { PersonObject } from '../officials/person.ts';
import { DeadlineObject } from '../voting/deadline.ts';
import { VotingPlaceObject } from '../voting/voting-place.ts';
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
  ['voting_place', VotingPlaceObject],
] as const;

/** What else counts as values of the records of some kinds. */
const PARTS: Readonly<Partial<Record<RecordKind, string>>> = {
  boundary: ', of its geometry if the package has the grant `boundaries`',
  candidate: ' or its parties, of its results if the package has the grant `results`',
  ballot_measure: ', of its results if the package has the grant `results`',
  person: ', of `contacts` and `socialLinks` if the package has their grants',
  officeholder: ', of `contacts` and `socialLinks` if the package has their grants',
};

for (const [kind, object] of [...RECORDS, ['party', PartyObject] as const]) {
  builder.objectField(object, 'updatedAt', (t) =>
    t.field({
      type: 'DateTime',
      nullable: true,
      description: `Time of the import that last changed the values of this record${PARTS[kind] ?? ''}. Values that follow from other records or from the day do not count, and neither do \`sources\`, \`identifiers\` and the fields of related records. Null only if the record was deleted while the request was executed.`,
      ...updatedAtOf(kind),
    }),
  );
}

for (const [kind, object] of RECORDS) {
  builder.objectFields(object, (t) => ({
    sources: t.field({
      listLength: 2,
      type: [SourceObject],
      description: 'The data sets that this record was imported from, most recently imported first.',
      ...sourcesOf(kind),
    }),
    identifiers: t.field({
      listLength: 4,
      type: [IdentifierObject],
      description: 'The identifiers of this record in other data sets, sorted by scheme.',
      ...identifiersOf(kind),
    }),
  }));
}

builder.objectField(DeadlineObject, 'sources', (t) =>
  t.field({
    listLength: 1,
    type: [SourceObject],
    description: 'The data sets that state the rule or the day, most recently imported first.',
    ...sourcesOf('deadline'),
  }),
);
