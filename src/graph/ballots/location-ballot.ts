import { builder, requireGrants } from '../builder/builder.ts';
import { contentId } from '../builder/global-id.ts';
import { LocationObject } from '../districts/location.ts';
import { ElectionObject } from '../elections/election.ts';
import { elections } from '../elections/elections.store.ts';
import { BallotDistrictObject } from './ballot-district.ts';
import { districtsOfBallot } from './contests.store.ts';
import { type BallotRow, ballotOfPoint, ballotsOfPoint } from './location-contests.store.ts';
import { rangeArgs } from './location-elections.ts';
import { missingMapsOfBallot } from './missing-maps.store.ts';
import { MissingMapObject, sentenceOf } from './missing-maps.ts';

/** What is said of a ballot whose lists are not complete. */
const INCOMPLETE = 'More races and candidates may be on the ballot: the lists of this election are not complete.';

const BallotObject = builder.objectRef<BallotRow>('Ballot').implement({
  description: 'The ballot of one point on one day, across all elections of that day.',
  fields: (t) => ({
    id: t.id(
      contentId(
        'Ballot',
        'the date, the state and all that is on the ballot: points that vote on the same have the same ballot',
        ['date', 'candidate_lists_complete', 'election_ids', 'states', 'contests'],
      ),
    ),
    date: t.expose('date', { type: 'Date', description: 'The requested election date.' }),
    candidateListsComplete: t.exposeBoolean('candidate_lists_complete', {
      description:
        'Whether all candidates are known in every election that applies to the point on this day; false when no election applies.',
    }),
    missingMaps: t.field({
      computation: 20,
      listLength: 2,
      type: [MissingMapObject],
      description:
        'The types of districts of the state whose races the ballot lacks, because no map of them is known that is in effect, sorted by type (country first): on the day that decides the map of their races, or on the election date.',
      ...missingMapsOfBallot,
    }),
    notKnown: t.stringList({
      computation: 20,
      description:
        'What is known to be missing on the ballot, as sentences for people, which belong where its races are counted: that candidate lists are not complete, and the `sentence` of each of `missingMaps`. Empty if nothing is known to be missing.',
      resolve: async (ballot, _, context) => [
        ...(ballot.election_ids.length > 0 && !ballot.candidate_lists_complete ? [INCOMPLETE] : []),
        ...(await missingMapsOfBallot.load(context, ballot)).map(sentenceOf),
      ],
    }),
    elections: t.field({
      listLength: 2,
      type: [ElectionObject],
      description: 'The elections that apply to the point on this day, sorted by id.',
      ...elections.listOf('election_ids'),
    }),
    raceCount: t.exposeInt('race_count', {
      description: 'The number of races on the ballot, those of all its districts together.',
    }),
    measureCount: t.exposeInt('measure_count', {
      description: 'The number of ballot measures on the ballot, those of all its districts together.',
    }),
    districts: t.field({
      listLength: 8,
      type: [BallotDistrictObject],
      description:
        'The districts with a race or measure on this ballot, sorted by district type (country first), then by name.',
      ...districtsOfBallot,
    }),
  }),
});

builder.objectFields(LocationObject, (t) => ({
  ballot: t.field({
    computation: 20,
    type: BallotObject,
    description:
      'The ballot of the point on an election date, past or future; it has no districts when nothing is known for that day.',
    ...requireGrants('elections'),
    args: {
      electionDate: t.arg({ type: 'Date', required: true, description: 'The date of the election or elections.' }),
    },
    ...ballotOfPoint,
  }),
  ballots: t.field({
    computation: 20,
    listLength: 10,
    type: [BallotObject],
    description:
      'The ballots of the point on all days of a range on which an election applies to it, sorted by date: those of the dates of `elections`. A ballot has no districts as long as its races are not known.',
    ...requireGrants('elections'),
    args: rangeArgs,
    ...ballotsOfPoint,
  }),
}));
