import { z } from 'zod';
import { addDays } from '../../../base/dates.ts';
import { ServiceError } from '../../../base/errors.ts';
import { prepareDocument } from '../../graphql/typed-document.ts';
import { coverageOf, missingDistricts } from '../coverage.ts';
import { CompareMapsDocument, type CompareMapsQuery } from '../generated/documents.ts';
import { day, districtTypes, latitude, longitude, toolInput } from '../inputs.ts';
import { defineTool, type ToolScope } from '../tool.ts';

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
  input: toolInput({
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
      .describe(
        'A sentence for each day between the two on which the point came to other districts, in order of time.',
      ),
  },
  async read({ districtTypes: types, ...input }, scope) {
    const { execute, context } = scope;
    const { first, second = context.today } = input;
    if (first > second) {
      const reason = `must not be after ${second}`;
      throw new ServiceError('INVALID_PARAMETER', `first ${reason}, the second day.`, [{ name: 'first', reason }]);
    }
    const data = await run(execute, { ...input, second }, context);
    const { changes } = data.location;
    if (!changes) return { entries: [], extra: { first, second, moves: [] }, notKnown: [], data };
    const layers = changes.filter(({ type }) => !types || types.includes(type));
    const entries = layers.flatMap(compared);
    const states = new Set(changes.flatMap(({ state }) => state ?? []));
    const missing = layers.flatMap((layer) => [
      ...(layer.newerMap ? [layer.newerMap.sentence] : []),
      ...unknownIn(layer, first, second),
    ]);
    for (const state of states) missing.push(...(await missingOnDays(state, [first, second], types, scope)));
    const isEmpty = entries.length === 0 && missing.length === 0;
    return {
      entries,
      extra: { first, second, moves: movesIn(layers) },
      notKnown: isEmpty ? ['No district of the data contains this point on these days.'] : [...new Set(missing)],
      data,
    };
  },
});

type Layer = NonNullable<CompareMapsQuery['location']['changes']>[number];
type Change = Layer['changes'][number];

const namesOf = (districts: Change['after']) => districts.map(({ district }) => district.name).join(' and ');

/** Says when the point came to other districts, and whether an election before that day was already held in them. */
function movesIn(layers: readonly Layer[]): string[] {
  return layers
    .flatMap(({ changes }) => changes)
    .sort((one, other) => one.day.localeCompare(other.day))
    .flatMap((change) => moveOf(change) ?? []);
}

function moveOf({ day, kind, left, entered, firstRace }: Change): string | undefined {
  if (kind === 'ENTERED') return `From ${day} the point is in ${namesOf(entered)}.`;
  if (kind === 'LEFT') return `From ${day} the point is no longer in ${namesOf(left)}.`;
  if (kind !== 'MOVED') return;
  const move = `On ${day} the point moved from ${namesOf(left)} to ${namesOf(entered)}.`;
  const date = firstRace?.election?.date;
  return date && date < day ? `${move} The election of ${date} was already held in ${namesOf(entered)}.` : move;
}

/** Says in which time of the range the districts of a layer are not known. */
function unknownIn({ type, changes }: Layer, first: string, second: string): string[] {
  return changes.flatMap(({ day, kind, before, after }, index) => {
    if (kind !== 'NO_DATA') return [];
    const [previous, next] = [changes[index - 1], changes[index + 1]];
    const sentence = (from: string, to: string) =>
      `Which ${type} contained the point from ${from} to ${to} is not known.`;
    if (after.length === 0) return [sentence(day, next ? addDays(next.day, -1) : second)];
    return before.length === 0 && !previous ? [sentence(first, addDays(day, -1))] : [];
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

type Compared = Layer['onFirstDay'][number];

/** Pairs the districts of a layer on both days: first the same district, then another one if there is only one. */
function compared({ type, onFirstDay, onLastDay }: Layer): object[] {
  const lacks = (rows: readonly Compared[]) => {
    const ids = new Set(rows.map(({ district }) => district.databaseId));
    return ({ district }: Compared) => !ids.has(district.databaseId);
  };
  const [ended, begun] = [onFirstDay.filter(lacks(onLastDay)), onLastDay.filter(lacks(onFirstDay))];
  const isPair = ended.length === 1 && begun.length === 1;
  const pairs = onFirstDay.map((before) => {
    const same = onLastDay.find(({ district }) => district.databaseId === before.district.databaseId);
    const after = same ?? (isPair ? begun[0] : undefined);
    return { type, change: changeOf(before, after), first: mapOf(before), second: after && mapOf(after) };
  });
  const others = isPair ? [] : begun.map((after) => ({ type, change: 'only second', second: mapOf(after) }));
  return [...pairs, ...others];
}

function changeOf(before: Compared, after: Compared | undefined): string {
  if (!after) return 'only first';
  if (before.district.databaseId !== after.district.databaseId) return 'other district';
  return before.boundary.databaseId === after.boundary.databaseId ? 'same boundary' : 'new boundary';
}

function mapOf({ district: { name }, boundary }: Compared): object {
  return {
    district: name,
    from: boundary.startDate,
    to: boundary.endDate,
    areaKm2: boundary.area == null ? null : Math.round(boundary.area * 10) / 10,
    isPrecise: boundary.precise,
  };
}
