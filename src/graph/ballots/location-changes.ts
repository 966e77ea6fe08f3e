import { addDays, type Day } from '../../base/dates.ts';
import { PARTITIONS } from '../../store/partitions.ts';
import { builder, requireGrants } from '../builder/builder.ts';
import type { Context } from '../builder/context.ts';
import { describedEnum } from '../builder/described-enum.ts';
import { DistrictTypeEnum } from '../districts/district-type.ts';
import { LocationDistrictObject, LocationObject } from '../districts/location.ts';
import { newerMapOfDistrict } from '../districts/newer-map.store.ts';
import { NewerMapObject } from '../districts/newer-map.ts';
import { checkRange } from '../elections/date-range.ts';
import { OfficeholderObject } from '../officials/officeholder.ts';
import { officeholdersOnDayOf } from '../officials/officials.store.ts';
import { changesOfPoint, type LocationChangeRow, type LocationLayerRow, without } from './changes-of-point.ts';
import { boundariesOfPoint, firstRaceOfBoundary, mapIsLoaded } from './location-changes.store.ts';
import { RaceObject } from './race.ts';

/** A point of the country is in a district of each of these types. */
const TYPES_THAT_COVER: ReadonlySet<string> = new Set(['Country', 'State', ...PARTITIONS]);

type LocationChangeKind = 'MOVED' | 'STAYED' | 'ENTERED' | 'LEFT' | 'NO_DATA';

const KINDS: Readonly<Record<LocationChangeKind, string>> = {
  MOVED: 'From the day on, the point is in the districts of `entered` in place of those of `left`.',
  STAYED: 'The point is in the same districts, at least one of which has a new boundary from the day on.',
  ENTERED:
    'The point is in the districts of `entered` from the day on, in addition to those in which it was or in none: for example a city that annexed it.',
  LEFT: 'The point is no longer in the districts of `left`, and in no other in place of them.',
  NO_DATA:
    'Where the point was, or is, is not known: no district of this type and state is loaded for the day before, or none for the day, also because a newer map is in effect that is not loaded; or none of the loaded ones contains the point, though districts of this type cover their state.',
};

const LocationChangeKindEnum = describedEnum('LocationChangeKind', 'What a new map changed for a point.', KINDS);

async function kindOf(
  { before, after, left, entered, day }: LocationChangeRow,
  _: unknown,
  context: Context,
): Promise<LocationChangeKind> {
  if (left.length > 0 && entered.length > 0) return 'MOVED';
  if (before.length > 0 && after.length > 0) {
    if (left.length + entered.length === 0) return 'STAYED';
    return entered.length > 0 ? 'ENTERED' : 'LEFT';
  }
  const [known] = [...before, ...after];
  if (!known || TYPES_THAT_COVER.has(known.type)) return 'NO_DATA';
  const { type, state } = known;
  const missing = before.length === 0 ? addDays(day, -1) : day;
  const { is_loaded } = await mapIsLoaded.load(context, { type, state, day: missing });
  if (!is_loaded) return 'NO_DATA';
  return before.length === 0 ? 'ENTERED' : 'LEFT';
}

/** Reads the officeholders of districts on a day, those of each district in the order of its offices. */
async function officeholdersOf(districts: LocationChangeRow['before'], day: Day, context: Context) {
  const found = await Promise.all(districts.map(({ id }) => officeholdersOnDayOf.load(context, { id, day })));
  return found.flat();
}

const LocationChangeObject = builder.objectRef<LocationChangeRow>('LocationChange').implement({
  description: 'A day on which another boundary of a layer began to apply to a point, or the only one ended.',
  fields: (t) => ({
    day: t.expose('day', { type: 'Date', description: 'The first day of the districts in `after`.' }),
    kind: t.field({
      type: LocationChangeKindEnum,
      description: 'Whether the point moved to another district; `NO_DATA` if one of the maps is not loaded.',
      resolve: kindOf,
    }),
    before: t.field({
      listLength: 1,
      type: [LocationDistrictObject],
      description:
        'The districts that contained the point on the day before, by name: one for most layers, several on a shared edge or where districts overlap. Empty if it was in none, or for `NO_DATA` if the older map is not loaded.',
      resolve: ({ before }) => [...before],
    }),
    after: t.field({
      listLength: 1,
      type: [LocationDistrictObject],
      description:
        'The districts that contain the point on the day, by name. Empty if it is in none, or for `NO_DATA` if the newer map is not loaded.',
      resolve: ({ after }) => [...after],
    }),
    left: t.field({
      listLength: 1,
      type: [LocationDistrictObject],
      description: 'Those of `before` that are not in `after`: the districts that the point left.',
      resolve: ({ left }) => [...left],
    }),
    entered: t.field({
      listLength: 1,
      type: [LocationDistrictObject],
      description: 'Those of `after` that are not in `before`: the districts in which the point is from the day on.',
      resolve: ({ entered }) => [...entered],
    }),
    officeholdersBefore: t.field({
      listLength: 2,
      type: [OfficeholderObject],
      description:
        'Who held the offices of the districts in `before` on the day before. Empty if nobody did or if they are not known.',
      ...requireGrants('officeholders'),
      resolve: ({ before, day }, _, context) => officeholdersOf(before, addDays(day, -1), context),
    }),
    officeholdersAfter: t.field({
      listLength: 2,
      type: [OfficeholderObject],
      description:
        'Who holds the offices of the districts in `after` on the day. Empty if nobody does or if they are not known.',
      ...requireGrants('officeholders'),
      resolve: ({ after, day }, _, context) => officeholdersOf(after, day, context),
    }),
    firstRace: t.field({
      computation: 5,
      type: RaceObject,
      description:
        'The first race in the data that uses a boundary that begins with the change, of the districts in `entered` if there are any, by the date of its election, which may be before `day`: `Race.boundary` has the rule. Null if no such race is loaded, which does not mean that there is none.',
      ...requireGrants('elections'),
      resolve: async ({ before, after, entered }, _, context) => {
        const begun = entered.length > 0 ? entered : without('boundary_id', after, before);
        const found = await Promise.all(begun.map((each) => firstRaceOfBoundary.load(context, each)));
        const [first = null] = found
          .flatMap((race) => race ?? [])
          .sort((one, two) => one.election_date.localeCompare(two.election_date) || one.id - two.id);
        return first;
      },
    }),
  }),
});

const LocationLayerObject = builder.objectRef<LocationLayerRow>('LocationLayer').implement({
  description: 'The districts of one type and state at a point, over time.',
  fields: (t) => ({
    type: t.expose('type', { type: DistrictTypeEnum, description: 'The type of the districts.' }),
    state: t.exposeString('state', {
      nullable: true,
      description: 'The state of the districts, two letters; null for districts that do not belong to a single state.',
    }),
    isCovered: t.exposeBoolean('is_covered', {
      description:
        'Whether a district of this layer is known to contain the point on each day of the range: never without `from`, when the range begins before all maps. If not, an empty list of changes does not mean that nothing changed. A district is not known from the day on which its map is out of date: `newerMap` says so.',
    }),
    newerMap: t.field({
      type: NewerMapObject,
      nullable: true,
      description:
        'The newer map that is known to be in effect before the end of the range, and is not loaded: from its first day on, the districts of the layer are not known. Null if no newer map is known.',
      resolve: ({ outdated }, _, context) =>
        outdated && newerMapOfDistrict.resolve(outdated, { on: outdated.since }, context),
    }),
    onFirstDay: t.field({
      listLength: 1,
      type: [LocationDistrictObject],
      description: 'The districts that contain the point on the first day of the range; empty without `from`.',
      resolve: ({ onFirstDay }) => [...onFirstDay],
    }),
    onLastDay: t.field({
      listLength: 1,
      type: [LocationDistrictObject],
      description:
        'The districts that contain the point on the last day of the range; without `to`, after all maps have begun.',
      resolve: ({ onLastDay }) => [...onLastDay],
    }),
    changes: t.field({
      listLength: 2,
      type: [LocationChangeObject],
      description: 'The changes after the first day of the range, up to its last day, oldest first.',
      resolve: ({ changes }) => [...changes],
    }),
  }),
});

builder.objectField(LocationObject, 'changes', (t) =>
  t.field({
    computation: 60,
    listLength: 8,
    type: [LocationLayerObject],
    description:
      'How the districts of the point changed with their maps, layer by layer, sorted by district type (country first), then by state. A layer of which no map of any day has a district at the point is not listed: `coverage` says what is loaded.',
    ...requireGrants('districts', 'officeholders'),
    args: {
      from: t.arg({
        type: 'Date',
        description: 'The first day of the range; by default, the range begins before all maps.',
      }),
      to: t.arg({
        type: 'Date',
        description: 'The last day of the range; by default, it includes maps that begin in the future.',
      }),
    },
    resolve: async (point, { from, to }, context) => {
      const range = checkRange({ from, to });
      return changesOfPoint(await boundariesOfPoint.load(context, point), range);
    },
  }),
);
