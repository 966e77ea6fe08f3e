import type { Day } from '../../base/dates.ts';
import { LAST_TIME_ZONES } from '../../base/words/states.ts';
import { asText, elementsOf, haveCommon, joined, tuple, valueAs } from '../../store/sql/functions.ts';
import { pointAt } from '../../store/sql/geometry-functions.ts';
import { rowsOf } from '../../store/sql/named-query.ts';
import { query } from '../../store/sql/query-builder.ts';
import { beginningOf, plainName } from '../../store/sql/text-functions.ts';
import { type Check, type ComputedCheck, text, type Violation, violation } from './check.ts';
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

const HOUR_MS = 3_600_000;

/** Returns by how many hours the clocks of a zone are ahead of UTC on a day. */
function hoursAhead(zone: string, day: Day): number {
  const noon = new Date(`${day}T12:00:00Z`);
  return (
    (Date.parse(`${noon.toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T')}Z`) - noon.getTime()) / HOUR_MS
  );
}

/** Deadlines and places to vote that cannot be those of their election. */
export const VOTING_CHECKS: readonly (Check | ComputedCheck)[] = [
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
    finds:
      'places of election day that are open on another day, others that open after the election, and early voting before or after the days that a source states for it',
    over: ['voting_places'],
    query: (_, scope) =>
      placesIn(scope)
        .innerJoin(
          ({ ref }) => valueAs(elementsOf(ref('p.open_intervals').$notNull()), 'interval', 'open'),
          (join) => join.onTrue(),
        )
        .where(({ eb, ref, or, and, exists, selectFrom }) => {
          const [day, date] = [beginningOf(ref('interval.open'), DAY_LENGTH), asText(ref('e.date'))];
          const early = selectFrom('deadlines as l')
            .select('l.id')
            .whereRef('l.election_id', '=', 'e.id')
            .where((of) =>
              of.or([
                of.and([of('l.kind', '=', 'Early voting from'), of(asText(of.ref('l.day')), '>', day)]),
                of.and([of('l.kind', '=', 'Early voting to'), of(asText(of.ref('l.day')), '<', day)]),
              ]),
            );
          return or([
            eb(day, '>', date),
            and([eb('p.kind', '=', ELECTION_DAY), eb(day, '<>', date)]),
            and([eb('p.kind', '=', 'Early voting'), exists(early)]),
          ]);
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
  {
    name: 'places-listed-twice',
    severity: 'warning',
    finds: 'places to vote of one kind and name that are listed twice for the same voters, as closed and as open too',
    over: ['voting_places'],
    query: (_, scope) =>
      placesIn(scope)
        .innerJoin('voting_places as o', (join) =>
          join
            .onRef('o.election_id', '=', 'p.election_id')
            .onRef('o.kind', '=', 'p.kind')
            .onRef('o.id', '>', 'p.id')
            .on(({ eb, ref }) => eb(plainName(ref('o.name')), '=', plainName(ref('p.name'))))
            .on(({ fn, ref, eb }) =>
              fn.coalesce(
                haveCommon(ref('p.district_ids'), ref('o.district_ids').$notNull()),
                eb(tuple([ref('p.longitude'), ref('p.latitude')]), '=', tuple([ref('o.longitude'), ref('o.latitude')])),
              ),
            ),
        )
        .select(({ fn, ref, val }) =>
          violation(
            'voting_place',
            ref('p.id'),
            text`${ref('p.name')} (${fn.coalesce(ref('p.status'), val('open'))}) is also the place ${ref('o.id')} (${fn.coalesce(ref('o.status'), val('open'))})`,
          ),
        ),
  },
  {
    name: 'moved-to-unknown-places',
    severity: 'warning',
    finds: 'places to vote that have moved to no place that is listed for the election',
    over: ['voting_places'],
    query: (_, scope) =>
      placesIn(scope)
        .where('p.status', '=', 'Moved')
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom('voting_places as o')
                .select('o.id')
                .whereRef('o.election_id', '=', 'p.election_id')
                .whereRef('o.id', '<>', 'p.id')
                .where(({ eb, ref, or }) => {
                  const [name, address] = [ref('o.name'), ref('o.address').$notNull()];
                  const moved = plainName(ref('p.moved_to').$notNull());
                  return or(
                    [name, address, joined(' ', [name, address])].map((each) => eb(moved, '=', plainName(each))),
                  );
                }),
            ),
          ),
        )
        .select(({ fn, ref, val }) =>
          violation(
            'voting_place',
            ref('p.id'),
            text`${ref('p.name')} has moved to ${fn.coalesce(ref('p.moved_to'), val('a place that is not named'))}`,
          ),
        ),
  },
  {
    name: 'time-zones-of-other-states',
    finds: 'places to vote whose time zone is none of their state',
    over: ['voting_places'],
    async find(db, _, scope) {
      // The zones of a state are an hour apart at most, and its last one is known.
      const rows = await rowsOf(
        db,
        'integrity.time-zones',
        placesIn(scope)
          .where('p.time_zone', 'is not', null)
          .orderBy('p.id')
          .select(['p.id', 'p.name', 'p.state', 'p.time_zone', 'e.date']),
      );
      return rows.flatMap(({ id, name, state, time_zone, date }): Violation[] => {
        const last = LAST_TIME_ZONES.get(state ?? '');
        if (!last || !time_zone || time_zone === last) return [];
        const ahead = hoursAhead(time_zone, date) - hoursAhead(last, date);
        return ahead === 0 || ahead === 1
          ? []
          : [{ record: `voting_place ${id}`, problem: `${name}, ${state}: ${time_zone}` }];
      });
    },
  },
];
