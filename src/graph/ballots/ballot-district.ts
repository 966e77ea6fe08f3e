import { builder } from '../builder/builder.ts';
import { contentId } from '../builder/global-id.ts';
import { BoundaryObject } from '../districts/boundary.ts';
import { DistrictObject } from '../districts/district.ts';
import { boundaries, districts } from '../districts/districts.store.ts';
import { BallotMeasureObject } from './ballot-measure.ts';
import { measures, races } from './ballots.store.ts';
import type { BallotDistrictNode } from './contests.store.ts';
import { RaceObject } from './race.ts';

export const BallotDistrictObject = builder.objectRef<BallotDistrictNode>('BallotDistrict').implement({
  description: 'One district on a ballot, with the races and measures that it votes on; it has at least one.',
  fields: (t) => ({
    id: t.id(
      contentId('BallotDistrict', 'the district, the boundary, the races and the measures', [
        'district_id',
        'boundary_id',
        'race_ids',
        'measure_ids',
      ]),
    ),
    district: t.field({
      type: DistrictObject,
      description: 'The district that votes.',
      ...districts.of('district_id'),
    }),
    boundary: t.field({
      type: BoundaryObject,
      nullable: true,
      description:
        'The boundary that covers the point and that these contests use, the newest if there are two; null on the ballots of a state and of an election, as each race may use another one (`Race.boundary`).',
      ...boundaries.ofNullable('boundary_id'),
    }),
    races: t.field({
      listLength: 5,
      type: [RaceObject],
      description:
        'The races of the district that have official candidates (not only write-ins), in the order of a ballot (`Office.ballotRank`), those of one rank by office name, seat and id.',
      ...races.listOf('race_ids'),
    }),
    ballotMeasures: t.field({
      listLength: 3,
      type: [BallotMeasureObject],
      description: 'The ballot measures of the district, sorted by name, then by id.',
      ...measures.listOf('measure_ids'),
    }),
  }),
});
