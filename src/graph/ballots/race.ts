import { builder, requireGrants } from '../builder/builder.ts';
import { DATABASE_ID, recordId } from '../builder/global-id.ts';
import { leaf } from '../builder/leaf.ts';
import { defineRecord, NodeInterface } from '../builder/node.ts';
import { ElectionObject } from '../elections/election.ts';
import { elections } from '../elections/elections.store.ts';
import { stageField } from '../elections/enums.ts';
import { OfficeObject } from '../officials/office.ts';
import { offices } from '../officials/officials.store.ts';
import { boundaryOfRace, nameOfRace, type RaceRow, raceNameById, races } from './ballots.store.ts';
import { CandidateObject, tallyOfRace } from './candidate.ts';
import { candidatesOfRace } from './candidates.store.ts';
import { raceTypeField, ScopeBasisEnum } from './enums.ts';
import { RaceBoundaryObject } from './race-boundary.ts';
import { resultNote } from './result-note.ts';

export const RaceObject = builder.objectRef<RaceRow>('Race');

RaceObject.implement({
  interfaces: [NodeInterface],
  description: 'A contest for an office at one stage of an election; a partisan primary is one race for each party.',
  fields: (t) => ({
    id: t.id(recordId('Race')),
    databaseId: t.exposeInt('id', { description: DATABASE_ID }),
    name: t.string({
      description:
        'The name for people: the office with its seat and position, and in parentheses what tells the race from others for the office: the type unless it is regular, the stage unless it is the general election, and the party of a primary. For example `U.S. Senate Georgia, Class 3 (Special)`, `Governor (Primary, Democratic)`.',
      resolve: async (race, _, context) => (await nameOfRace.load(context, race)).name,
      ...leaf<RaceRow>((column) => raceNameById(column('id'))),
    }),
    year: t.exposeInt('year', {
      description: 'The year of the race, which may differ from the year of the election date.',
    }),
    type: t.exposeString('type', {
      description: 'Type of race: `Regular`, `Special` (for the rest of a term), `Recall` or `Retention`.',
    }),
    typeCode: t.field(raceTypeField('type', '`type`')),
    stageType: t.exposeString('stage_type', {
      description: 'Stage of the election, an open set: `General`, `Primary`, `General Runoff` and others.',
    }),
    stageCode: t.field(stageField('stage_type', '`stageType`')),
    stageParty: t.exposeString('stage_party', {
      nullable: true,
      description: 'The party that the stage (primary) belongs to; null if it belongs to none.',
    }),
    numberOfSeats: t.exposeInt('number_of_seats', {
      nullable: true,
      description: 'Number of candidates who win, 1 or more; null if neither the source nor the law states it.',
    }),
    officePosition: t.exposeString('office_position', {
      nullable: true,
      description: 'Which of several equivalent positions the race fills; null if there is only one.',
    }),
    isMarquee: t.exposeBoolean('is_marquee', {
      nullable: true,
      description: 'Whether the race is of national interest; null when not known.',
    }),
    isRankedChoice: t.exposeBoolean('is_ranked_choice', {
      nullable: true,
      description: 'Whether voters rank the candidates; null when not known.',
    }),
    resultsCertified: t.exposeBoolean('results_certified', {
      nullable: true,
      description: 'Whether the result is official; null when not known.',
    }),
    swearingInDate: t.expose('swearing_in_date', {
      type: 'Date',
      nullable: true,
      description:
        'The day on which the winner is sworn in: as the source states it, or the first day of the term in the office that a candidate of the race, or of a later stage of it, begins in the 100 days after the election. Null when not known. It determines `boundary` unless the race is special.',
    }),
    scopeBasis: t.expose('scope_basis', {
      type: ScopeBasisEnum,
      nullable: true,
      description:
        'What shows that the district of the office votes on this race. Null if the source does not need a reason, because it lists races by district, or was imported before the reasons were stored.',
    }),
    url: t.exposeString('url', {
      nullable: true,
      description: 'A public page about the race; null when none is known.',
    }),
    election: t.field({
      type: ElectionObject,
      description: 'The election that the race is part of.',
      ...elections.of('election_id'),
    }),
    office: t.field({
      type: OfficeObject,
      description: 'The office that the race fills; the district of the office votes on the race.',
      ...offices.of('office_id'),
    }),
    candidates: t.field({
      listLength: 4,
      type: [CandidateObject],
      description:
        'All candidates, sorted by votes if the package has the grant `results`, otherwise by name. Empty if the candidates are not known yet.',
      ...candidatesOfRace,
    }),
    boundary: t.field({
      type: RaceBoundaryObject,
      nullable: true,
      description:
        'The boundary of the district that the race uses, on an old or a new map, and the reason. Null only if the race was deleted while the request was executed.',
      ...boundaryOfRace,
    }),
    totalVotes: t.field({
      type: 'Float',
      description:
        'Total votes, a number that may exceed 32 bits, for the candidates who could win, of those whose votes are known: without candidates who withdrew, were disqualified or died, unless they won or advanced. For ranked choice, the votes after the last round of the candidates in that round and of those elected before, without a transferred surplus; the first choices if no rounds are known. Null when not known.',
      ...requireGrants('results'),
      resolve: async ({ id }, _, context) => (await tallyOfRace(context).load(id)).totalVotes,
    }),
    margin: t.field({
      type: 'Float',
      description:
        'Vote margin between the last winner and the best runner-up, 0 or more, a number that may exceed 32 bits; candidates who withdrew, were disqualified or died are no runners-up. For ranked choice, after the final round, and for a candidate elected before with the votes of the round that elected them; for stages without a winner, between the last advancing candidate and the next. Null when not known, when the votes of an opponent are not, when a source has candidates or votes that are not in the data, when there are no opponents, when a runner-up has more votes than a winner, as these votes did not decide the race, and for ranked choice when the rounds are not known, as first choices have no margin.',
      ...requireGrants('results'),
      resolve: async ({ id }, _, context) => (await tallyOfRace(context).load(id)).margin,
    }),
    resultNote: t.string({
      description:
        'What has to be known to read the votes, as a sentence for people: that they are first choices, that those of a candidate are not known, that a source has candidates or votes that are not in the data, that no winner is known and why, or that the district is assumed. Null if there is nothing to say, or no votes are known.',
      ...requireGrants('results'),
      resolve: async (race, _, context) => {
        const [tally, candidates] = await Promise.all([
          tallyOfRace(context).load(race.id),
          candidatesOfRace.load(context, race),
        ]);
        return resultNote(race, candidates, tally);
      },
    }),
  }),
});

builder.objectField(CandidateObject, 'race', (t) =>
  t.field({
    type: RaceObject,
    nullable: true,
    description: 'The race that the candidate runs in. Null only if it was deleted while the request was executed.',
    ...races.of('race_id'),
  }),
);

builder.queryField('race', (t) =>
  t.field({
    type: RaceObject,
    description: 'One race by one of its ids, with or without candidates; null when there is none.',
    ...defineRecord(RaceObject, { grants: ['elections'], load: races.load }),
  }),
);
