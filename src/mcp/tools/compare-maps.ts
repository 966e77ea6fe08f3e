import { z } from 'zod';
import { prepareDocument } from '../../typed-document.ts';
import { coverageOf, missingDistricts } from '../coverage.ts';
import { CompareMapsDocument, type CompareMapsQuery } from '../generated/documents.ts';
import { day, districtTypes, latitude, longitude } from '../inputs.ts';
import { defineTool, notInPackage, type ToolScope } from '../tool.ts';

const run = prepareDocument(CompareMapsDocument);

const map = z
  .object({
    district: z.string(),
    from: z.string().optional().describe('First day of the boundary.'),
    to: z.string().optional().describe('Last day of the boundary.'),
    areaKm2: z.number().optional(),
    isPrecise: z.boolean().optional().describe('False for a generalised outline.'),
  })
  .optional()
  .describe(
    'Missing if no district of this type contains the point on this day, or no map of this day is loaded: see notKnown.',
  );

export const compareMaps = defineTool({
  name: 'compare_maps',
  title: 'Compare the districts of two days',
  description:
    'Compares the districts that contain a point on two days, for example before and after a redistricting: which district, and which of its boundaries. The moves say on which day the point moved from one district to another, and which election before that day was already held in the new one.',
  input: z.strictObject({
    latitude,
    longitude,
    first: day.describe('The earlier day.'),
    second: day.optional().describe('The later day; today if missing.'),
    districtTypes,
  }),
  list: 'districts',
  entry: z.object({
    type: z.string(),
    change: z.enum(['same boundary', 'new boundary', 'other district', 'only first', 'only second']),
    first: map,
    second: map,
  }),
  extra: {
    first: z.string(),
    second: z.string(),
    moves: z
      .array(z.string())
      .describe('A sentence for each move to another district between the two days, in order of time.'),
  },
  async read({ districtTypes: types, ...input }, scope) {
    const { execute, context } = scope;
    const second = input.second ?? context.today;
    const data = await run(execute, { ...input, second, types }, context);
    const extra = { first: input.first, second, moves: movesIn(data.location.changes, types) };
    if (!data.location.first || !data.location.second) {
      return { entries: [], extra, notKnown: [notInPackage('districts')], data };
    }
    const entries = compared(data.location.first, data.location.second);
    const state = data.location.states?.[0]?.state;
    const missing = state ? await missingOnDays(state, [input.first, second], types, scope) : [];
    const isEmpty = entries.length === 0 && missing.length === 0;
    return {
      entries,
      extra,
      notKnown: isEmpty ? ['No district of the data contains this point on these days.'] : missing,
      data,
    };
  },
});

/** Says when the point moved to another district, and whether an election before that day was already held in it. */
function movesIn(layers: CompareMapsQuery['location']['changes'], types: readonly string[] | undefined): string[] {
  const moves = (layers ?? []).flatMap(({ type, changes }) =>
    changes.filter(({ kind }) => kind === 'MOVED' && (!types || types.includes(type))),
  );
  const names = (districts: (typeof moves)[number]['after']) =>
    districts.map(({ district }) => district.name).join(' and ');
  return moves
    .sort((one, other) => one.day.localeCompare(other.day))
    .map(({ day, before, after, firstRace }) => {
      const move = `On ${day} the point moved from ${names(before)} to ${names(after)}.`;
      const date = firstRace?.election?.date;
      return date && date < day ? `${move} The election of ${date} was already held in ${names(after)}.` : move;
    });
}

/** Says of which types no map of a day is loaded: they cannot be compared. */
async function missingOnDays(
  state: string,
  days: readonly string[],
  types: readonly string[] | undefined,
  scope: ToolScope,
): Promise<string[]> {
  const found: string[] = [];
  for (const on of new Set(days)) found.push(...missingDistricts(await coverageOf(scope, state, on), state, on, types));
  return found;
}

type Districts = readonly (NonNullable<CompareMapsQuery['location']['first']>[number] &
  NonNullable<CompareMapsQuery['location']['second']>[number])[];

/** Pairs the districts of both days: first the same district, then the only other one of its type. */
function compared(first: Districts, second: Districts): object[] {
  const rest = new Set(second);
  const take = (found: Districts[number] | undefined) => {
    if (found) rest.delete(found);
    return found;
  };
  const same = new Map(
    first.map((each) => [each, take(second.find(({ databaseId }) => databaseId === each.databaseId))]),
  );
  const pairs = first.map((each) => ({
    before: each,
    after: same.get(each) ?? take([...rest].find(({ type }) => type === each.type)),
  }));
  return [
    ...pairs.map(({ before, after }) => ({
      type: before.type,
      change: changeOf(before, after),
      first: mapOf(before),
      second: after && mapOf(after),
    })),
    ...[...rest].map((after) => ({ type: after.type, change: 'only second', second: mapOf(after) })),
  ];
}

function changeOf(before: Districts[number], after: Districts[number] | undefined): string {
  if (!after) return 'only first';
  if (before.databaseId !== after.databaseId) return 'other district';
  return before.boundary?.databaseId === after.boundary?.databaseId ? 'same boundary' : 'new boundary';
}

function mapOf({ name, boundary }: Districts[number]): object {
  return {
    district: name,
    from: boundary?.startDate,
    to: boundary?.endDate,
    areaKm2: boundary?.area == null ? null : Math.round(boundary.area * 10) / 10,
    isPrecise: boundary?.precise,
  };
}
