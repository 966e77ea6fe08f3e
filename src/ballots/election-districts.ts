import { districtById } from '../districts/district.ts';
import { ElectionObject } from '../elections/election.ts';
import { builder, requireGrants } from '../graphql/builder.ts';
import type { Context } from '../graphql/context.ts';
import { createLoader, groupByKey } from '../graphql/loader.ts';
import { type BallotDistrictNode, BallotDistrictObject, inDistrictOrder } from './ballot-district.ts';
import { measuresOfElections, racesOfElections } from './ballots.store.ts';
import { raceById } from './race.ts';
import { maySeeResults } from './results.ts';

const racesOf = createLoader(async (context, electionIds: readonly number[]) =>
  groupByKey(electionIds, await racesOfElections(context.db, electionIds), (race) => race.election_id),
);

const measuresOf = createLoader(async (context, electionIds: readonly number[]) =>
  groupByKey(
    electionIds,
    await measuresOfElections(context.db, electionIds, maySeeResults(context)),
    (measure) => measure.election_id,
  ),
);

async function districtsOfElection(context: Context, electionId: number): Promise<BallotDistrictNode[]> {
  const [races, measures] = await Promise.all([
    racesOf(context).load(electionId),
    measuresOf(context).load(electionId),
  ]);
  // The races are already complete: no lookup of the boundaries that they use is needed.
  for (const race of races) raceById(context).prime(race.id, race);
  const racesIn = Map.groupBy(races, (race) => race.office.district_id);
  const measuresIn = Map.groupBy(measures, (measure) => measure.district_id);
  const parts = await Promise.all(
    [...new Set([...racesIn.keys(), ...measuresIn.keys()])].map(async (id) => {
      const district = await districtById(context).load(id);
      return (
        district && {
          district,
          race_ids: racesIn.get(id)?.map((race) => race.id) ?? [],
          measures: measuresIn.get(id) ?? [],
        }
      );
    }),
  );
  return parts.filter((part) => part !== null).sort(inDistrictOrder);
}

builder.objectField(ElectionObject, 'districts', (t) =>
  t.field({
    type: [BallotDistrictObject],
    description:
      'The districts that vote in the election, with their races and measures, sorted by district type (country first), then by name. Needs the grant `elections`.',
    ...requireGrants('elections'),
    resolve: ({ id }, _, context) => districtsOfElection(context, id),
  }),
);
