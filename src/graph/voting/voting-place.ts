import { ServiceError } from '../../base/errors.ts';
import { builder, requireGrants } from '../builder/builder.ts';
import { connectionWithEdges, pageArgs } from '../builder/connection-type.ts';
import { DATABASE_ID, RECORD_ID, recordId } from '../builder/global-id.ts';
import { defineRecord, NodeInterface } from '../builder/node.ts';
import { DistrictObject } from '../districts/district.ts';
import { districts } from '../districts/districts.store.ts';
import { PointInput } from '../districts/location.ts';
import { ElectionObject } from '../elections/election.ts';
import { elections } from '../elections/elections.store.ts';
import { VotingPlaceKindEnum, VotingPlaceStatusEnum } from './enums.ts';
import {
  FARTHEST,
  type PlaceAtDistance,
  type VotingPlaceRow,
  votingPlaces,
  votingPlacesOfElection,
} from './voting-places.store.ts';

/** The times between which a place is open, as local times. */
interface OpenInterval {
  readonly opens: string;
  readonly closes: string;
}

const OpenIntervalObject = builder.objectRef<OpenInterval>('OpenInterval').implement({
  description: 'From when until when a place is open, in the local time of the place.',
  fields: (t) => ({
    opens: t.exposeString('opens', { description: 'Local time without a zone: `2018-11-06T07:00`.' }),
    closes: t.exposeString('closes', { description: 'Local time without a zone: `2018-11-06T19:00`.' }),
  }),
});

export const VotingPlaceObject = builder.objectRef<VotingPlaceRow>('VotingPlace');

VotingPlaceObject.implement({
  interfaces: [NodeInterface],
  description:
    'A place to vote in one election. The place of another election is another record, even in the same building: a place is never shown for an election for which no source states it.',
  fields: (t) => ({
    id: t.id({ ...recordId('VotingPlace'), description: RECORD_ID }),
    databaseId: t.exposeInt('id', { description: DATABASE_ID }),
    election: t.field({
      type: ElectionObject,
      description: 'The election in which one votes here.',
      ...elections.of('election_id'),
    }),
    kind: t.expose('kind', { type: VotingPlaceKindEnum, description: 'How one votes here.' }),
    name: t.exposeString('name', { description: 'The name as the source writes it.' }),
    address: t.exposeString('address', {
      nullable: true,
      description: 'The address as the source writes it; null if it has none.',
    }),
    latitude: t.expose('latitude', {
      type: 'Latitude',
      nullable: true,
      description: 'Degrees north; null if the source states no point: it is not computed from the address.',
    }),
    longitude: t.expose('longitude', {
      type: 'Longitude',
      nullable: true,
      description: 'Degrees east; null if `latitude` is.',
    }),
    hours: t.exposeString('hours', {
      nullable: true,
      description: 'The hours as the source writes them; null if it has none.',
    }),
    openIntervals: t.field({
      type: [OpenIntervalObject],
      listLength: 2,
      description: 'The hours by day, in the order of the source; empty if it states none that can be read.',
      resolve: ({ open_intervals }) =>
        (open_intervals ?? []).map((interval) => {
          const [opens = '', closes = ''] = interval.split('/');
          return { opens, closes };
        }),
    }),
    timeZone: t.exposeString('time_zone', {
      nullable: true,
      description: 'The time zone of the hours, as in the IANA database; null if the source states none.',
    }),
    status: t.expose('status', {
      type: VotingPlaceStatusEnum,
      nullable: true,
      description: 'Whether the place is closed or has moved; null if no source says so.',
    }),
    movedTo: t.exposeString('moved_to', {
      nullable: true,
      description: 'Where its voters go instead, as the source writes it; null if it does not say.',
    }),
    notes: t.exposeString('notes', {
      nullable: true,
      description: 'What the source adds for voters; null if it adds nothing.',
    }),
    url: t.exposeString('url', {
      nullable: true,
      description: 'A page of the source on this place; null if it names none.',
    }),
    districts: t.field({
      type: [DistrictObject],
      listLength: 2,
      description:
        'The districts whose voters use the place: precincts, towns, or a county. Empty if the source names none that is in the data: then `Location.voting` has the place for no point.',
      resolve: ({ district_ids }, args, context) =>
        districts.listOf('district_ids').resolve({ district_ids: district_ids ?? [] }, args, context),
    }),
  }),
});

const VotingPlaceConnection = connectionWithEdges<VotingPlaceRow, PlaceAtDistance>(
  VotingPlaceObject,
  'voting places',
  votingPlaces.relation,
  'ElectionVotingPlace',
  (t) => ({
    distance: t.int({
      nullable: true,
      description:
        'Metres from `near` as the crow flies; null without it, or if the source states no point for the place.',
      resolve: ({ node: { distance } }) => (distance === FARTHEST ? null : distance),
    }),
  }),
);

/** The farthest distance to look for places, in metres. */
const MOST_METRES = 1_000_000;

builder.queryField('votingPlace', (t) =>
  t.field({
    type: VotingPlaceObject,
    description: 'One place to vote by one of its ids; null when there is none.',
    ...defineRecord(VotingPlaceObject, { grants: ['voting'], load: votingPlaces.load }),
  }),
);

builder.objectField(ElectionObject, 'votingPlaces', (t) =>
  t.field({
    type: VotingPlaceConnection,
    description:
      'The places to vote that sources state for this election, by name; nearest first with `near`. Which of them a voter uses: `Location.voting`.',
    ...requireGrants('voting'),
    args: {
      near: t.arg({
        type: PointInput,
        description: 'Sorts by the distance from this point; places without a point are last.',
      }),
      within: t.arg.float({ description: `Only places within so many metres of \`near\`, at most ${MOST_METRES}.` }),
      kinds: t.arg({ type: [VotingPlaceKindEnum], description: 'Only places of these kinds.' }),
      ...pageArgs,
    },
    resolve: (election, { near, within, kinds, ...page }, context) => {
      if (within != null && !(near != null && within >= 0 && within <= MOST_METRES))
        throw new ServiceError(
          'INVALID_PARAMETER',
          `within must be a number of metres from 0 to ${MOST_METRES}, with near.`,
          [{ name: 'within', reason: `must be from 0 to ${MOST_METRES}, with near` }],
        );
      return votingPlacesOfElection(election, { near, within, kinds }, page, context);
    },
  }),
);
