import type { DistrictType } from './sql/tables.ts';

/** The district types whose districts together cover their state, each point by one of them. */
export const PARTITIONS: readonly DistrictType[] = [
  'Congress',
  'State Legislative (Upper)',
  'State Legislative (Lower)',
  'County',
];
