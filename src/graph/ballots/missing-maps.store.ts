import { missingMaps } from '../../store/sql/migration-functions.ts';
import { query } from '../../store/sql/query-builder.ts';
import { relation } from '../builder/relation.ts';

/** The types of districts of the states of a ballot whose map it lacks, with the number of races that are therefore on no ballot. */
export const missingMapsOfBallot = relation({
  name: 'ballots.missingMapsOfBallot',
  key: { date: 'date', states: 'text' },
  distinctOn: ['state', 'type', 'day'],
  rows: ({ date, states }) => query.selectFrom(missingMaps(date, states).as('found')).selectAll('found'),
  orderBy: ['type', 'state', 'day'],
});
