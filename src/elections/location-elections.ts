import type { Day } from '../calendar.ts';
import { addYears } from '../calendar.ts';
import type { Point } from '../districts/districts.store.ts';
import { coverage, LocationObject } from '../districts/location.ts';
import { ServiceError } from '../errors.ts';
import { builder, needs } from '../graphql/builder.ts';
import type { Context } from '../graphql/context.ts';
import { createSharedLoader, loadAll } from '../graphql/loader.ts';
import { type ElectionNode, ElectionObject } from './election.ts';
import { type ApplyingElection, type DistrictWindow, electionsOfDistricts } from './elections.store.ts';

const applyingTo = createSharedLoader<DistrictWindow, ApplyingElection[]>(
  () => electionsOfDistricts,
  ({ districtId, from, to }) => `${districtId} ${from} ${to}`,
);

/**
 * The elections that apply to a point from one day to another, both included, by date, then id (specification,
 * `election_dates/point`).
 *
 * An election applies when the boundary in effect on its date of the district that holds it covers the point, or when a
 * race or a measure of it is on the ballot there. The first alone would miss a city's race in an election that a
 * neighbouring county holds, and a special race on the old map; the second alone would miss every election whose races
 * are not known yet, which is what people ask for dates ahead of. So a vacancy in one district of a state is best
 * recorded as an election that this district holds: held by the state, it is announced to the whole state.
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
    ...needs('election_dates'),
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
