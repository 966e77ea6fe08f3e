import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import { placesOf } from '../../importers/results/laws.ts';
import { joinedTexts } from '../../store/sql/aggregates.ts';
import { query } from '../../store/sql/query-builder.ts';
import { lengthOf } from '../../store/sql/text-functions.ts';
import { type Check, text, violation } from './check.ts';
import { inScope } from './check-scope.ts';

/** Returns whether a law lets several parties nominate one candidate in a state on a day. */
export function mayHaveSeveralNominations(
  state: Expression<string | null>,
  day: Expression<string>,
): Expression<SqlBool> {
  const { eb, or, and, between } = expressionBuilder();
  return or(
    placesOf('fusion').map(({ states, from, to }) => and([eb(state, 'in', [...states]), between(day, from, to)])),
  );
}

/** Characters that no name of a person has. */
const ODD = String.raw`[0-9@#%*_=+{}<>|\\/$^~\[\]:;?!]`;
/** More characters than the longest name of a person. */
const LONGEST = 60;

export const CANDIDATE_CHECKS: readonly Check[] = [
  {
    name: 'odd-names',
    severity: 'warning',
    finds:
      'names of persons with digits or signs that names do not have, without a letter, or with more than 60 characters',
    over: ['persons'],
    query: (_, scope) =>
      query
        .selectFrom('persons as p')
        .where(({ eb, or, ref }) =>
          or([eb('p.name', '~', ODD), eb('p.name', '!~', '[[:alpha:]]{2}'), eb(lengthOf(ref('p.name')), '>', LONGEST)]),
        )
        .where(({ ref }) => inScope(scope, 'persons', ref('p.id')))
        .select(({ ref }) => violation('person', ref('p.id'), text`${ref('p.name')}`)),
  },
  {
    name: 'several-parties',
    severity: 'warning',
    finds: 'candidates of several parties in states where one party nominates a candidate',
    over: ['candidates'],
    query: (_, scope) =>
      query
        .selectFrom('candidates as c')
        .innerJoin('candidate_parties as cp', 'cp.candidate_id', 'c.id')
        .innerJoin('parties as y', 'y.id', 'cp.party_id')
        .innerJoin('persons as p', 'p.id', 'c.person_id')
        .innerJoin('races as r', 'r.id', 'c.race_id')
        .innerJoin('elections as e', 'e.id', 'r.election_id')
        .innerJoin('offices as o', 'o.id', 'r.office_id')
        .innerJoin('districts as d', 'd.id', 'o.district_id')
        .where(({ not, ref }) => not(mayHaveSeveralNominations(ref('d.state'), ref('e.date'))))
        .where(({ ref }) => inScope(scope, 'candidates', ref('c.id')))
        .groupBy(['c.id', 'p.name'])
        .having(({ fn }) => fn.count('cp.party_id').distinct(), '>', 1)
        .select(({ ref }) =>
          violation(
            'candidate',
            ref('c.id'),
            text`${ref('p.name')}: ${joinedTexts(ref('y.name')).orderBy(ref('cp.position'))}`,
          ),
        ),
  },
];
