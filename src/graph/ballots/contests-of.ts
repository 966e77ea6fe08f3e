import { builder, requireGrants } from '../builder/builder.ts';
import { DistrictObject } from '../districts/district.ts';
import { OfficeObject } from '../officials/office.ts';
import { OfficeholderObject } from '../officials/officeholder.ts';
import { BallotMeasureObject } from './ballot-measure.ts';
import {
  measuresOfDistrict,
  officeholdersOfRace,
  raceOfOfficeholder,
  racesOfDistrict,
  racesOfOffice,
} from './contests-of.store.ts';
import { RaceObject } from './race.ts';

const rangeArgs = builder.args((t) => ({
  from: t.field({ type: 'Date', description: 'The first election date, inclusive; of all years by default.' }),
  to: t.field({ type: 'Date', description: 'The last election date, inclusive; of all years by default.' }),
}));

const raceArgs = builder.args((t) => ({
  ...rangeArgs,
  stages: t.stringList({
    description:
      'Only races of these stages, case-insensitive, as in `Race.stageType`: `General`, `Primary` and others.',
  }),
}));

builder.objectFields(DistrictObject, (t) => ({
  races: t.field({
    listLength: 25,
    type: [RaceObject],
    description:
      'The races for the offices of the district, with and without known candidates: latest election first, those of one day in the order of a ballot.',
    ...requireGrants('elections'),
    args: raceArgs,
    ...racesOfDistrict,
  }),
  ballotMeasures: t.field({
    listLength: 10,
    type: [BallotMeasureObject],
    description: 'The ballot measures that the district votes on: latest election first, those of one day by name.',
    ...requireGrants('elections'),
    args: rangeArgs,
    ...measuresOfDistrict,
  }),
}));

builder.objectField(OfficeObject, 'races', (t) =>
  t.field({
    listLength: 10,
    type: [RaceObject],
    description: 'The races for the office, with and without known candidates, latest election first.',
    ...requireGrants('elections'),
    args: raceArgs,
    ...racesOfOffice,
  }),
);

builder.objectField(OfficeholderObject, 'electedIn', (t) =>
  t.field({
    type: RaceObject,
    description:
      'The race by which the term began: the latest race for the office, other than a primary, that the person won in the 366 days before `startDate`. Null if it is not known, if the person was appointed, and without the grant `elections`.',
    ...requireGrants('results'),
    ...raceOfOfficeholder,
  }),
);

builder.objectField(RaceObject, 'electedOfficeholders', (t) =>
  t.field({
    listLength: 1,
    type: [OfficeholderObject],
    description:
      'The terms that began by this race, as `Officeholder.electedIn` finds them. Empty if none is known, and without the grant `officeholders`.',
    ...requireGrants('results'),
    ...officeholdersOfRace,
  }),
);
