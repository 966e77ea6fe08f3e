import { TODAY } from '../targets/settings.ts';
import { rows } from './database.js';
import * as sql from './sql.js';

/** The root resolvers of all hand-written servers. */
export const Query = {
  districtsAt: (_, { latitude, longitude }) => rows(sql.districtsAt, [latitude, longitude, TODAY]),
  points: async (_, { points }) => {
    const districts = await rows(sql.districtsAtPoints, [
      points.map((point) => point.latitude),
      points.map((point) => point.longitude),
      TODAY,
    ]);
    const lists = points.map(() => []);
    for (const district of districts) lists[district.n - 1].push(district);
    return lists;
  },
  ballotAt: async (_, { latitude, longitude, date }) => {
    const values = [latitude, longitude, date];
    const [races, measures] = await Promise.all([rows(sql.racesAt, values), rows(sql.measuresAt, values)]);
    const ids = [...new Set([...races, ...measures].map((contest) => contest.district_id))];
    return ballotsOf(await rows(sql.districtsById, [ids]), races, measures);
  },
  stateBallot: async (_, { state, date }) => {
    const districts = await rows(sql.stateDistricts, [state, date]);
    const values = [state, date, districts.map((district) => district.id)];
    const [races, measures] = await Promise.all([rows(sql.stateRaces, values), rows(sql.stateMeasures, values)]);
    return ballotsOf(districts, races, measures);
  },
  races: (_, { state, date }) => rows(sql.racesOfState, [state, date]),
};

function ballotsOf(districts, races, measures) {
  const racesIn = Map.groupBy(races, (race) => race.district_id);
  const measuresIn = Map.groupBy(measures, (measure) => measure.district_id);
  return districts.map((district) => ({
    district,
    races: racesIn.get(district.id) ?? [],
    ballot_measures: measuresIn.get(district.id) ?? [],
  }));
}
