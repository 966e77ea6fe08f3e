import { todayIn } from '../../base/clock.ts';
import { builder, requireGrants } from '../builder/builder.ts';
import { LARGEST_PAGE, readLimit } from '../builder/connection.ts';
import type { Context } from '../builder/context.ts';
import { DistrictObject } from '../districts/district.ts';
import { districtsOfPoint, type Point } from '../districts/districts.store.ts';
import { LocationObject } from '../districts/location.ts';
import { ElectionObject } from '../elections/election.ts';
import { loadedElectionsOf } from '../elections/loaded-elections.ts';
import { electionsOfDistrict, electionsOfPoint, nextElectionsOfPoint } from './location-contests.store.ts';

/** The arguments of a range of election dates, one year around today by default. */
export const rangeArgs = builder.args((t) => ({
  from: t.field({
    type: 'Date',
    description: 'The first day, inclusive; one year before today by default, or before `to` if that is earlier.',
  }),
  to: t.field({
    type: 'Date',
    description: 'The last day, inclusive; one year after today by default, or after `from` if that is later.',
  }),
}));

builder.objectField(LocationObject, 'elections', (t) =>
  t.field({
    computation: 20,
    listLength: 10,
    type: [ElectionObject],
    description:
      'The elections that apply to the point, sorted by date, then by id: elections held by a district that covers the point on that day, and elections with a race or measure that the point votes on.',
    ...requireGrants('election_dates'),
    args: {
      ...rangeArgs,
      first: t.arg.int({
        description: `At most this many elections, the earliest, from 0 to ${LARGEST_PAGE}; all by default. Without \`from\` and \`to\`, the next elections that are in the data, as \`nextElections\`, of which \`District.loadedElections\` names the types; those that are postponed or cancelled are omitted.`,
      }),
    },
    ...electionsOfPoint,
  }),
);

const NextElectionsObject = builder.objectRef<Point & { readonly most: number }>('NextElections').implement({
  description: 'The next elections of a point that are in the data, and which elections are not.',
  fields: (t) => ({
    elections: t.field({
      computation: 20,
      listLength: 3,
      type: [ElectionObject],
      description: 'The elections, soonest first, those of one day by id.',
      ...nextElectionsOfPoint,
    }),
    today: t.field({
      computation: 20,
      type: 'Date',
      description:
        'The day from which the elections are counted: today in the state of the point, which ends when the day has ended in all of the state. Outside of all states it is the day of the gateway.',
      resolve: async (point, _, context) =>
        (await statesOf(point, context)).map((state) => todayIn(state, context)).sort()[0] ?? context.today,
    }),
    notKnown: t.stringList({
      computation: 20,
      description:
        'Which elections the data has, as sentences for people, which belong where an election is called the next one: for each state of the point, the types of its elections that are loaded. Elections of other types may come sooner. Empty for a point outside of all states.',
      resolve: async (point, _, context) =>
        Promise.all((await statesOf(point, context)).map((state) => loadedElectionsOf(context).load(state))),
    }),
  }),
});

async function statesOf(point: Point, context: Context): Promise<string[]> {
  const found = await districtsOfPoint.resolve(point, { types: ['State'] }, context);
  return [...new Set(found.flatMap(({ state }) => state ?? []))];
}

/** The number of elections without the argument `first`. */
const USUAL_NUMBER = 3;

builder.objectField(LocationObject, 'nextElections', (t) =>
  t.field({
    type: NextElectionsObject,
    description:
      'The elections that apply to the point from today on, as `elections`, without those that are postponed or cancelled. An election is one of them until its day has ended in all of the state of the point, see `NextElections.today`.',
    ...requireGrants('election_dates'),
    args: {
      first: t.arg.int({
        defaultValue: USUAL_NUMBER,
        description: `At most this many elections, from 0 to ${LARGEST_PAGE}.`,
      }),
    },
    resolve: ({ latitude, longitude }, { first }) => ({
      ...{ latitude, longitude },
      most: readLimit(first) ?? USUAL_NUMBER,
    }),
  }),
);

builder.objectField(DistrictObject, 'elections', (t) =>
  t.field({
    listLength: 5,
    type: [ElectionObject],
    description:
      'The elections in which the district votes on a race or a measure, and those that it only holds, which require another grant, sorted by date, then by id.',
    ...requireGrants('elections'),
    grantsOfSomeValues: [['election_districts']],
    args: rangeArgs,
    ...electionsOfDistrict,
  }),
);
