import type { DistrictType } from '../../store/sql/tables.ts';
import { builder } from '../builder/builder.ts';

/** The district types of the specification, from the country down. The order matches the enum in the database. */
export const DISTRICT_TYPES = [
  ['COUNTRY', 'Country', 'The whole country; its state is `US`.'],
  ['CONGRESS', 'Congress', 'District of the U.S. House of Representatives, including at-large districts.'],
  ['STATE', 'State', 'A state, the District of Columbia or a territory.'],
  ['STATE_LEGISLATIVE_UPPER', 'State Legislative (Upper)', 'District of a state senate.'],
  ['STATE_LEGISLATIVE_LOWER', 'State Legislative (Lower)', 'District of a state house or assembly.'],
  ['JUDICIAL_DISTRICT', 'Judicial District', 'District of a court whose judges are elected or retained there.'],
  ['COUNTY', 'County', 'A county or its equivalent: parish, borough, census area or independent city.'],
  [
    'COUNTY_SUBDIVISION',
    'County subdivision',
    'A part of a county, such as a town, township or commissioner district.',
  ],
  ['CITY_TOWN', 'City-town', 'A city, town, village or census designated place.'],
  ['SCHOOL_DISTRICT', 'School District', 'District of a school board: unified, elementary or secondary.'],
  [
    'STATE_SUBDIVISION',
    'State subdivision',
    'A part of a state, other than a county, that elects its own members: for example a regents or board district.',
  ],
  [
    'SPECIAL_DISTRICT_SUBDIVISION',
    'Special district subdivision',
    'A part of a special district that elects its own member.',
  ],
  [
    'JUDICIAL_DISTRICT_SUBDIVISION',
    'Judicial district subdivision',
    'A part of a judicial district that elects its own judge.',
  ],
  [
    'SPECIAL_DISTRICT',
    'Special District',
    'District of a public body with a single purpose: water, fire, hospital or soil conservation.',
  ],
  ['CITY_TOWN_SUBDIVISION', 'City-town subdivision', 'A ward or council district of a city or town.'],
  [
    'SCHOOL_DISTRICT_SUBDIVISION',
    'School district subdivision',
    'A part of a school district that elects its own member.',
  ],
  [
    'PRECINCT',
    'Precinct',
    'The voters of one place to vote, as its election office draws them. It is not among the types of the specification: REST has it only with `include=precincts`.',
  ],
] as const satisfies readonly (readonly [name: string, value: DistrictType, description: string])[];

export const DistrictTypeEnum = builder.enumType('DistrictType', {
  description: `District type. Lists are sorted in this order: ${DISTRICT_TYPES.map(([name]) => name).join(', ')}.`,
  values: Object.fromEntries(
    DISTRICT_TYPES.map(([name, value, description]) => [name, { value, description }] as const),
  ) as Record<string, { value: DistrictType; description: string }>,
});
