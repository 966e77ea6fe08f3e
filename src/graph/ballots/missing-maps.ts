import type { MissingMap } from '../../store/sql/migration-functions.ts';
import { builder } from '../builder/builder.ts';
import { contentId } from '../builder/global-id.ts';
import { DistrictTypeEnum } from '../districts/district-type.ts';

/** Returns what a ballot lacks for a map that is not loaded, in words: the reason, and what follows from it. */
export function sentenceOf({ state, type, day, reason, race_count: count }: MissingMap): string {
  const why =
    reason === null
      ? `No map of ${state} (${type}) is known for ${day}, the day that decides which map its races use.`
      : reason.endsWith('.')
        ? reason
        : `${state} (${type}) on ${day}: ${reason}.`;
  if (count === 0) return `${why} Races and measures of such districts may be missing on the ballot.`;
  return `${why} Therefore ${count === 1 ? '1 race of such a district is' : `${count} races of such districts are`} on no ballot.`;
}

export const MissingMapObject = builder.objectRef<MissingMap>('MissingMap').implement({
  description: 'A type of districts whose races a ballot lacks, because no map of them is known that is in effect.',
  fields: (t) => ({
    id: t.id(contentId('MissingMap', 'all other fields', ['state', 'type', 'day', 'reason', 'race_count'])),
    type: t.expose('type', { type: DistrictTypeEnum, description: 'The type of the districts.' }),
    state: t.exposeString('state', { description: 'The state of the districts, two letters.' }),
    day: t.expose('day', {
      type: 'Date',
      description:
        'The day of which no map is known: `Race.boundary.referenceDay` of the races, the election date if none is counted.',
    }),
    raceCount: t.exposeInt('race_count', {
      description:
        'The number of races of the state on the election date that are on no ballot, because their district has no map (`NO_MAP_IN_EFFECT`): which of them the point votes on is not known. Races without official candidates are not counted.',
    }),
    sentence: t.string({
      description: 'Why the map is not known, and what the ballot lacks for that, for people.',
      resolve: sentenceOf,
    }),
  }),
});
