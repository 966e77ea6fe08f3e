import type { Day } from '../../base/dates.ts';
import { ServiceError } from '../../base/errors.ts';
import { electionsOfPoint, nextElectionsOfPoint } from '../ballots/location-contests.store.ts';
import { builder, requireGrants } from '../builder/builder.ts';
import type { Context } from '../builder/context.ts';
import { describedEnum } from '../builder/described-enum.ts';
import { readGlobalId } from '../builder/global-id.ts';
import { DistrictObject } from '../districts/district.ts';
import { districtsOfPoint, type Point } from '../districts/districts.store.ts';
import { LocationObject } from '../districts/location.ts';
import { ElectionObject } from '../elections/election.ts';
import { ElectionOfficeObject } from '../elections/election-office.ts';
import {
  type ElectionRow,
  electionByKey,
  electionOfficeOfDistrict,
  isElectionKey,
} from '../elections/elections.store.ts';
import { DeadlineObject, LANGUAGE } from './deadline.ts';
import { deadlinesOfPoint } from './deadlines.store.ts';
import { VotingPlaceObject } from './voting-place.ts';
import { electionOfficesOfPoint, type PlaceOfPoint, votingPlacesOfPoint } from './voting-places.store.ts';

const STATES = {
  KNOWN:
    'A source states where the voters of this point vote on election day: a place that is open, or has moved to one that is named.',
  NOT_IN_DATA: 'No source in the data states it for this election: ask the election office.',
  NOT_YET_PUBLISHED:
    'A source states that the places are not published yet, of each of the elections if several are held on the day.',
  BY_MAIL_ONLY: 'A source states that one votes by mail only, in each of the elections if several are held on the day.',
} as const;

type VotingState = keyof typeof STATES;

const VotingStateEnum = describedEnum('VotingState', 'Whether it is known where one votes.', STATES);

/** Voting at a point in elections of one day. */
interface Voting extends Point {
  readonly date: Day;
  /** The first one. */
  readonly election_id: number;
  readonly election_ids: string;
  readonly elections: readonly ElectionRow[];
}

const LocationVotingPlaceObject = builder.objectRef<PlaceOfPoint>('LocationVotingPlace').implement({
  description: 'A place to vote of a point.',
  fields: (t) => ({
    place: t.field({
      type: VotingPlaceObject,
      description: 'Where one votes, with its hours and the election to which it belongs.',
      resolve: (place) => place,
    }),
    distance: t.exposeInt('distance', {
      nullable: true,
      // The cache returns one response for all points of the same districts.
      extensions: { dependsOnPoint: true },
      description: 'Metres from the point as the crow flies; null if the source states no point for the place.',
    }),
  }),
});

/** More elections than are held at a point on one day. */
const MOST_OF_A_DAY = 100;

async function stateOf(voting: Voting, context: Context): Promise<VotingState> {
  const places = await votingPlacesOfPoint.load(context, voting);
  // A closed place, or one that has moved to a place without a name, is not where one votes.
  const isOpen = ({ status, moved_to }: PlaceOfPoint) => status === null || (status === 'Moved' && moved_to !== null);
  if (places.some((place) => (place.kind === 'Election day' || place.kind === 'Vote center') && isOpen(place)))
    return 'KNOWN';
  // What a source says of one of several elections of the day is not said of the others.
  const [stated, ...others] = new Set(voting.elections.map(({ voting: text }) => text));
  if (others.length > 0) return 'NOT_IN_DATA';
  if (stated === 'By mail only') return 'BY_MAIL_ONLY';
  return stated === 'Places not published' ? 'NOT_YET_PUBLISHED' : 'NOT_IN_DATA';
}

async function officeOf(voting: Voting, context: Context) {
  const [local] = await electionOfficesOfPoint.load(context, voting);
  if (local) return local;
  const here = await districtsOfPoint.resolve(voting, { on: voting.date, types: ['State'] }, context);
  return electionOfficeOfDistrict.load(context, { state: here[0]?.state ?? null });
}

/** Says what is known of where one votes, in the same words everywhere. */
const SENTENCES: Readonly<Record<VotingState, string>> = {
  KNOWN: '',
  NOT_IN_DATA: 'The places to vote of this election are not in the data.',
  NOT_YET_PUBLISHED: 'The places to vote of this election are not published yet.',
  BY_MAIL_ONLY: 'This election is held by mail.',
};

const LocationVotingObject = builder.objectRef<Voting>('LocationVoting').implement({
  description: 'Where, when and how one votes at a point in an election.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'Election day.' }),
    election: t.field({
      type: ElectionObject,
      description: 'The election; of several on one day the first one of `Location.elections`.',
      resolve: ({ elections: [first] }) => first as ElectionRow,
    }),
    precinct: t.field({
      type: DistrictObject,
      nullable: true,
      computation: 20,
      description:
        'The precinct that contains the point on election day; null if no outlines of precincts are in the data.',
      resolve: async ({ date, ...point }, _, context) =>
        (await districtsOfPoint.resolve(point, { on: date, types: ['Precinct'] }, context))[0] ?? null,
    }),
    state: t.field({
      type: VotingStateEnum,
      computation: 20,
      description: 'Whether it is known where one votes on election day.',
      resolve: (voting, _, context) => stateOf(voting, context),
    }),
    notKnown: t.string({
      nullable: true,
      computation: 20,
      description:
        'What is not known of the places to vote, as a sentence for people, with whom to ask; null if they are known. The same words as in REST, MCP and on the map page.',
      resolve: async (voting, _, context) => {
        const sentence = SENTENCES[await stateOf(voting, context)];
        if (sentence === '') return null;
        const office = await officeOf(voting, context);
        return office ? `${sentence} Ask ${office.name}: ${office.website}` : sentence;
      },
    }),
    places: t.field({
      type: [LocationVotingPlaceObject],
      listLength: 2,
      computation: 20,
      description:
        'The places that sources state for the voters of the districts of this point, in the election that was asked for, else in all of the day that apply to the point; those of one kind by name. A place is never that of a neighbour, or of another election.',
      ...votingPlacesOfPoint,
    }),
    office: t.field({
      type: ElectionOfficeObject,
      nullable: true,
      computation: 20,
      description:
        'The election office that answers what the data lack: the most local one that a source states for a district of the point, else that of the state; null outside of all states.',
      resolve: (voting, _, context) => officeOf(voting, context),
    }),
    deadlines: t.field({
      type: [DeadlineObject],
      listLength: 5,
      computation: 20,
      description: 'The deadlines of the election for the districts of the point, as `Election.deadlines`.',
      args: { language: t.arg.string(LANGUAGE) },
      ...deadlinesOfPoint,
    }),
    languages: t.stringList({
      computation: 20,
      description:
        'The other languages than English in which a source has texts of the deadlines, as tags, sorted: values for `language`. Empty if it has none.',
      async resolve(voting, _, context) {
        const deadlines = await deadlinesOfPoint.resolve(voting, {}, context);
        return [...new Set(deadlines.flatMap(({ languages }) => languages))].sort();
      },
    }),
  }),
});

builder.objectField(LocationObject, 'voting', (t) =>
  t.field({
    type: LocationVotingObject,
    computation: 20,
    description:
      'Where, when and how one votes at the point: in an election that applies to it, by default the next one. Null if none does.',
    ...requireGrants('voting'),
    args: {
      electionId: t.arg.id({ description: 'The global ID of an election that applies to the point.' }),
      on: t.arg({ type: 'Date', description: 'The day of an election, in place of `electionId`.' }),
    },
    resolve: async ({ latitude, longitude }, { electionId, on }, context) => {
      const point = { latitude, longitude };
      if (electionId != null && on != null)
        throw new ServiceError('INVALID_PARAMETER', 'voting takes electionId or on, and not both.', [
          { name: 'electionId', reason: 'must not be given with on' },
        ]);
      const key = electionId == null ? undefined : readElection(electionId);
      const named = isElectionKey(key) ? await electionByKey.load(context, { key }) : null;
      if (key !== undefined && !named) return null;
      const day = named?.date ?? on;
      const found =
        day == null
          ? await nextElectionsOfPoint.load(context, { ...point, most: MOST_OF_A_DAY })
          : await electionsOfPoint.resolve(point, { from: day, to: day }, context);
      const [first] = named ? found.filter(({ id }) => id === named.id) : found;
      if (!first) return null;
      const elections = named ? [first] : found.filter(({ date }) => date === first.date);
      const election_ids = elections.map(({ id }) => id).join();
      return { ...point, date: first.date, election_id: first.id, election_ids, elections };
    },
  }),
);

/**
 * Returns the key of an election in its global ID.
 * @throws ServiceError INVALID_PARAMETER if it is the ID of something else.
 */
function readElection(id: string | number): string {
  const read = readGlobalId(String(id));
  if (read?.type === 'Election') return read.key;
  throw new ServiceError('INVALID_PARAMETER', 'electionId must be the id of an election, as `Election.id`.', [
    { name: 'electionId', reason: 'must be the id of an election' },
  ]);
}
