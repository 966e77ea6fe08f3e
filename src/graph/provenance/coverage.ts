import { dictionary } from '../../base/dictionary.ts';
import type { AccessGrant } from '../../store/sql/tables.ts';
import { builder } from '../builder/builder.ts';
import { isGranted } from '../builder/required-grants.ts';
import { type MapDayRow, mapDays } from '../districts/map-days.store.ts';
import { readState } from '../districts/state.ts';
import { electionTypesOf } from '../elections/elections.store.ts';
import { type CoverageRow, coverageOfState } from './coverage.store.ts';

const OF_RESULTS = ['results'] as const;
const OF_VOTING = ['voting'] as const;
/** The grants of each layer: a caller sees the layers of which the package has a grant. */
const GRANTS_OF_LAYERS: Readonly<Record<string, readonly AccessGrant[]>> = dictionary({
  districts: ['districts'],
  officeholders: ['officeholders'],
  elections: ['election_dates', 'elections'],
  results: OF_RESULTS,
  'ballot measures': OF_RESULTS,
  'voting places': OF_VOTING,
  deadlines: OF_VOTING,
});

/** The grants of all layers, each once. */
export const GRANTS_OF_ALL_LAYERS = [...new Set(Object.values(GRANTS_OF_LAYERS).flat())];

interface CoverageLayer extends CoverageRow {
  /** Two letters. */
  readonly state: string;
}

const MapDayObject = builder.objectRef<MapDayRow>('MapDay').implement({
  description: 'A day on which a map begins that `mapChanges` can compare with the map of the day before.',
  fields: (t) => ({
    day: t.expose('day', { type: 'Date', description: 'The first day of the newer map.' }),
    isStored: t.exposeBoolean('is_stored', {
      description:
        'Whether the comparison is stored, as it is after an import of the boundaries. If not, it is computed when requested, which takes up to a second and gives the same shares.',
    }),
  }),
});

const CoverageLayerObject = builder.objectRef<CoverageLayer>('CoverageLayer').implement({
  description: 'One layer of the data about a state: what the database contains on a day, what it lacks and why.',
  fields: (t) => ({
    layer: t.exposeString('layer', {
      description:
        '`districts`, `officeholders`, `elections`, `results`, `ballot measures`, `voting places` or `deadlines`.',
    }),
    kind: t.exposeString('kind', {
      nullable: true,
      description:
        'For districts their type, for officeholders the level and branch of their offices; null for other layers.',
    }),
    records: t.exposeInt('records', {
      description:
        'Number of districts, offices, elections, past races, or past measures; for voting places and deadlines, of days on which the state or a district of it holds elections.',
    }),
    covered: t.exposeInt('covered', {
      description:
        'How many of the `records` are covered: districts with a boundary on the day of which no newer map is known, offices with a known holder on the day, elections with complete candidate lists, races and measures with votes, election days with places to vote (or held by mail only), and with deadlines.',
    }),
    firstDay: t.expose('first_day', {
      type: 'Date',
      nullable: true,
      description:
        'The first election date, of voting places and deadlines the first that is covered; null for districts and officeholders.',
    }),
    lastDay: t.expose('last_day', {
      type: 'Date',
      nullable: true,
      description:
        'The last election date, or the day since which the newest boundary is in effect; null when there is none.',
    }),
    asOf: t.expose('as_of', {
      type: 'Date',
      nullable: true,
      description: 'The day of the newest data set of officeholders; null for other layers.',
    }),
    mapDays: t.field({
      computation: 20,
      listLength: 2,
      type: [MapDayObject],
      description:
        'For a type of districts, the days on which `mapChanges` can compare a map with the one before it, as both are loaded; newest first. Empty if there is only one map, and for other layers.',
      ...mapDays,
    }),
    electionTypes: t.stringList({
      nullable: true,
      description:
        'The types of the elections of the layer `elections`, for example `General`: elections of other types, such as primaries or local elections, are not in the data. Null for other layers.',
      resolve: ({ layer, state }, _, context) => (layer === 'elections' ? electionTypesOf(context.db, state) : null),
    }),
    missing: t.exposeString('missing', {
      nullable: true,
      description: 'What is missing and why; null if nothing is known to be missing.',
    }),
    unplaced: t.int({
      nullable: true,
      description:
        'For the layer `results`, how many contests of elections up to the day are no races, because no declared office has their text or their district is not known: they are kept as the source wrote them, and counted neither in `records` nor in `covered`. One that the source lists by county counts once for each. Null for other layers.',
      resolve: ({ layer, unplaced }) => (layer === 'results' ? (unplaced ?? 0) : null),
    }),
    unplacedVotes: t.float({
      nullable: true,
      description:
        'The sum of the votes for all names of the `unplaced` contests, which may exceed 32 bits. Null for other layers.',
      resolve: ({ layer, unplaced_votes }) => (layer === 'results' ? (unplaced_votes ?? 0) : null),
    }),
    unplacedNote: t.string({
      nullable: true,
      description: 'Says `unplaced` and `unplacedVotes` in a sentence; null if there are none, and for other layers.',
      resolve: ({ unplaced, unplaced_votes }) => (unplaced ? unplacedNote(unplaced, unplaced_votes ?? 0) : null),
    }),
  }),
});

function unplacedNote(contests: number, votes: number): string {
  const [number, isOne] = [contests.toLocaleString('en'), contests === 1];
  return `${number} ${isOne ? 'contest' : 'contests'} with ${votes.toLocaleString('en')} votes ${isOne ? 'is' : 'are'} not placed: ${isOne ? 'its' : 'their'} office or district is not known, so that ${isOne ? 'it is no race' : 'they are no races'}.`;
}

builder.queryField('coverage', (t) =>
  t.field({
    computation: 2_000,
    listLength: 25,
    caching: 'whole',
    type: [CoverageLayerObject],
    description:
      'The coverage of a state, one entry per layer: what the database contains and what it lacks. Empty if the database has no such state.',
    grants: GRANTS_OF_ALL_LAYERS,
    grantsOfSomeValues: [...new Set(Object.values(GRANTS_OF_LAYERS))],
    nullable: true,
    args: {
      state: t.arg.string({ required: true, description: 'Two-letter abbreviation, case-insensitive.' }),
      on: t.arg({ type: 'Date', description: 'The day to describe; today by default.' }),
    },
    async resolve(_, { state, on }, context) {
      const read = readState(state);
      const layers = await coverageOfState(context.db, read, on ?? context.today);
      return layers
        .filter(({ layer }) => isGranted(context, GRANTS_OF_LAYERS[layer] ?? []))
        .map((layer) => ({ ...layer, state: read }));
    },
  }),
);
