import { asText, elementsOf, valueAs } from '../../store/sql/functions.ts';
import { pointAt } from '../../store/sql/geometry-functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import { beginningOf } from '../../store/sql/text-functions.ts';
import { type Check, text, violation } from './check.ts';
import { inScope, type Scope } from './check-scope.ts';
import { isInState, statesOf } from './states.store.ts';

/** The distance in degrees from its state within which a point may lie, as outlines are simplified. */
const WIDEST_BORDER = 0.05;
const ELECTION_DAY = 'Election day';
const DAY_LENGTH = 10;

const placesIn = (scope: Scope) =>
  query
    .selectFrom('voting_places as p')
    .innerJoin('elections as e', 'e.id', 'p.election_id')
    .where(({ ref }) => inScope(scope, 'voting_places', ref('p.id')));

/** Deadlines and places to vote that cannot be those of their election. */
export const VOTING_CHECKS: readonly Check[] = [
  {
    name: 'deadlines-after-election',
    finds: 'deadlines on a stated day after their election, but those for the receipt of ballots that are sent before',
    over: ['deadlines'],
    query: (_, scope) =>
      query
        .selectFrom('deadlines as l')
        .innerJoin('elections as e', 'e.id', 'l.election_id')
        .whereRef('l.day', '>', 'e.date')
        .where('l.kind', '<>', 'Return ballot, received')
        .where(({ ref }) => inScope(scope, 'deadlines', ref('l.id')))
        .select(({ ref }) =>
          violation(
            'deadline',
            ref('l.id'),
            text`${ref('l.kind')} until ${ref('l.day')}, after the election of ${ref('e.date')}`,
          ),
        ),
  },
  {
    name: 'hours-of-another-day',
    finds: 'places of election day that are open on another day, and others that open after the election',
    over: ['voting_places'],
    query: (_, scope) =>
      placesIn(scope)
        .innerJoin(
          ({ ref }) => valueAs(elementsOf(ref('p.open_intervals').$notNull()), 'interval', 'open'),
          (join) => join.onTrue(),
        )
        .where(({ eb, ref, or, and }) => {
          const [day, date] = [beginningOf(ref('interval.open'), DAY_LENGTH), asText(ref('e.date'))];
          return or([eb(day, '>', date), and([eb('p.kind', '=', ELECTION_DAY), eb(day, '<>', date)])]);
        })
        .select(({ ref }) =>
          violation(
            'voting_place',
            ref('p.id'),
            text`${ref('p.kind')}, ${ref('p.name')}: open ${ref('interval.open')}, the election is on ${ref('e.date')}`,
          ),
        ),
  },
  {
    name: 'places-outside-their-state',
    finds: 'places to vote whose point is not in their state, as with longitude and latitude exchanged',
    over: ['voting_places'],
    query: (_, scope) =>
      placesIn(scope)
        .where('p.latitude', 'is not', null)
        .where(({ exists, ref }) => exists(statesOf(ref('p.state')).select('state_boundary.id')))
        .where(({ not, ref }) =>
          not(isInState(ref('p.state'), pointAt(ref('p.longitude'), ref('p.latitude').$notNull()), WIDEST_BORDER)),
        )
        .select(({ ref }) =>
          violation(
            'voting_place',
            ref('p.id'),
            text`${ref('p.name')} at ${ref('p.latitude')}, ${ref('p.longitude')} is not in ${ref('p.state')}`,
          ),
        ),
  },
  {
    name: 'several-places-of-a-precinct',
    severity: 'warning',
    finds: 'precincts with several open places on election day, of which a voter has to know the own one',
    over: ['voting_places'],
    query: (_, scope) =>
      placesIn(scope)
        .innerJoin(
          ({ ref }) => valueAs(elementsOf(ref('p.district_ids').$notNull()), 'used', 'district_id'),
          (join) => join.onTrue(),
        )
        .innerJoin('districts as d', 'd.id', 'used.district_id')
        .where('d.type', '=', 'Precinct')
        .where('p.kind', '=', ELECTION_DAY)
        .where('p.status', 'is', null)
        .groupBy(['d.id', 'd.name', 'd.state', 'e.id', 'e.date'])
        .having(({ fn }) => fn.countAll(), '>', 1)
        .select(({ fn, ref }) =>
          violation(
            'district',
            ref('d.id'),
            text`${ref('d.name')}, ${ref('d.state')}, has ${fn.countAll()} places on election day ${ref('e.date')}`,
          ),
        ),
  },
  {
    name: 'places-without-districts',
    severity: 'warning',
    finds: 'places of election day whose voters are not known, in elections with places whose voters are',
    over: ['voting_places'],
    query: (_, scope) =>
      placesIn(scope)
        .where('p.district_ids', 'is', null)
        .where('p.kind', '=', ELECTION_DAY)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('voting_places as o')
              .select('o.id')
              .whereRef('o.election_id', '=', 'p.election_id')
              .where('o.kind', '=', ELECTION_DAY)
              .where('o.district_ids', 'is not', null),
          ),
        )
        .select(({ ref }) => violation('voting_place', ref('p.id'), text`${ref('p.name')}, ${ref('e.date')}`)),
  },
];
