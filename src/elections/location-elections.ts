import type { Day } from '../dates.ts';
import { addYears } from '../dates.ts';
import type { Point } from '../districts/districts.store.ts';
import { coverage, LocationObject } from '../districts/location.ts';
import { ServiceError } from '../errors.ts';
import { builder, requireGrants } from '../graphql/builder.ts';
import type { Context } from '../graphql/context.ts';
import { createSharedLoader, loadAll } from '../graphql/loader.ts';
import { type ElectionNode, ElectionObject } from './election.ts';
import { type ApplyingElection, type DistrictWindow, electionsOfDistricts } from './elections.store.ts';

const applyingTo = createSharedLoader<DistrictWindow, ApplyingElection[]>(
  () => ({ id: 'elections of districts', fetch: electionsOfDistricts }),
  ({ districtId, from, to }) => `${districtId} ${from} ${to}`,
);

/**
 * Returns the elections that apply to a point between two days, both inclusive, sorted by date, then by id
 * (specification, `election_dates/point`).
 *
 * An election applies if the point is covered by the boundary, in effect on the election date, of the district that
 * holds the election, or if one of its races or measures is on the ballot of the point. The first condition alone would
 * miss a city's race in an election held by a neighbouring county, and a special race on the old map. The second alone
 * would miss every election whose races are not known yet, and clients request dates mainly for such elections. A
 * vacancy in one district of a state is therefore best recorded as an election held by that district: if the state held
 * it, it would be announced to the whole state.
 */
export async function electionsOfPoint(context: Context, point: Point, from: Day, to: Day): Promise<ElectionNode[]> {
  const covering = await coverage(context).load(point);
  const boundaryIds = new Set(covering.map(({ boundary }) => boundary.id));
  const districtIds = [...new Set(covering.map(({ district }) => district.id))];
  const lists = await loadAll(
    applyingTo(context),
    districtIds.map((districtId) => ({ districtId, from, to })),
  );
  const applying = lists.flat().filter(({ boundaryId }) => boundaryIds.has(boundaryId));
  const elections = new Map(applying.map(({ election }) => [election.id, { ...election, idIsOpen: true }]));
  return [...elections.values()].sort((one, other) =>
    one.date < other.date ? -1 : one.date > other.date ? 1 : one.id - other.id,
  );
}

builder.objectField(LocationObject, 'elections', (t) =>
  t.field({
    type: [ElectionObject],
    description:
      'The elections that apply to the point, sorted by date, then by id: elections held by a district that covers the point on that day, and elections with a race or measure that the point votes on. Needs the grant `election_dates`.',
    ...requireGrants('election_dates'),
    args: {
      from: t.arg({
        type: 'Date',
        description: 'The first day, inclusive; one year before today by default.',
      }),
      to: t.arg({ type: 'Date', description: 'The last day, inclusive; one year after today by default.' }),
    },
    resolve: (point, args, context) => {
      const from = args.from ?? addYears(context.today, -1);
      const to = args.to ?? addYears(context.today, 1);
      if (from > to) {
        throw new ServiceError('INVALID_PARAMETER', `from must not be after to: ${from} is after ${to}.`, [
          { name: 'from', reason: `must not be after ${to}` },
        ]);
      }
      return electionsOfPoint(context, point, from, to);
    },
  }),
);
