import type { Row } from './tables.ts';

/** The states that elected the 119th Congress with newer maps than the 118th, which no source of the sample has. */
const STATES = ['AL', 'GA', 'LA', 'NC', 'NY'];

/** Returns the rows of the maps that are known to be in effect since the first day of the 119th Congress. */
export function newerMapRows(): Row<'newer_maps'>[] {
  return STATES.map((state, index) => ({
    id: index + 1,
    state,
    type: 'Congress',
    start_date: '2025-01-03',
    citation:
      'U.S. Census Bureau, cartographic boundary files of 2024: the districts of the 119th Congress (January 2025 to January 2027)',
    url: 'https://www2.census.gov/geo/tiger/GENZ2024/shp/',
  }));
}
