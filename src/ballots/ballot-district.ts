import { DistrictObject } from '../districts/district.ts';
import { builder } from '../graphql/builder.ts';
import { BallotMeasureObject } from './ballot-measure.ts';
import { measures, races } from './ballots.store.ts';
import { type BallotDistrictNode, districtOfPart } from './contests.store.ts';
import { RaceObject } from './race.ts';

export const BallotDistrictObject = builder.objectRef<BallotDistrictNode>('BallotDistrict').implement({
  description: 'One district on a ballot, with the races and measures that it votes on; it has at least one.',
  fields: (t) => ({
    district: t.field({
      type: DistrictObject,
      description:
        'The district. On the ballot of a point, its `boundary` is the one that covers the point and that these contests use; the newest if there are two.',
      ...districtOfPart,
    }),
    races: t.field({
      type: [RaceObject],
      description:
        'The races of the district that have candidates, in the order of a ballot (`Office.ballotRank`), those of one rank by office name, seat and id.',
      ...races.listOf('race_ids'),
    }),
    ballotMeasures: t.field({
      type: [BallotMeasureObject],
      description: 'The ballot measures of the district, sorted by name, then by id.',
      ...measures.listOf('measure_ids'),
    }),
  }),
});
