import { dictionary } from '../../dictionary.ts';
export interface Period {
  readonly from: string;
  readonly to?: string;
}

/** How to read files of a known format. Options given by the operator override it. */
export interface DistrictPreset {
  readonly title: string;
  readonly type?: string;
  /** The period of the boundaries in a state (two letters). */
  readonly period: (state: string) => Period;
  readonly precise: boolean;
  /** The properties with name, GEOID, OCD id, state and county, if the format does not determine them. */
  readonly properties?: Readonly<Record<string, string>>;
  /** The layer of a TopoJSON file. */
  readonly layer?: string;
  /** The file name begins with the state: `VT_Districts.topojson`. */
  readonly stateInName?: true;
  /** The state of all files. */
  readonly state?: string;
  readonly name: string;
  readonly source: string;
  readonly license: string;
}

/** The first day of boundaries that do not state one: long before any data. */
export const US_ATLAS_FROM = '2000-01-01';
/** The day on which the members of the 113th Congress were sworn in. */
const CONGRESS_113 = '2013-01-03';
const CONGRESS_115 = '2017-01-03';
const CONGRESS_116 = '2019-01-03';
const CONGRESS_117 = '2021-01-03';
const CONGRESS_118 = '2023-01-03';
const CONGRESS_119 = '2025-01-03';
/** States that elected the 119th Congress with new maps. */
const REDRAWN_FOR_119 = new Set(['AL', 'GA', 'LA', 'NC', 'NY']);

/**
 * Congress districts of 2016 are those drawn after the census of 2010, except where courts had them redrawn: before
 * 2016 in Florida, North Carolina and Virginia, and after it in Pennsylvania (for 2018) and North Carolina again (for
 * 2020).
 */
const CONGRESS_2016: Readonly<Record<string, Period>> = dictionary({
  FL: { from: CONGRESS_115, to: CONGRESS_118 },
  NC: { from: CONGRESS_115, to: CONGRESS_117 },
  PA: { from: CONGRESS_113, to: CONGRESS_116 },
  VA: { from: CONGRESS_115, to: CONGRESS_118 },
});

/**
 * The plans drawn after the census of 2010 end when the members elected in 2022 are sworn in: the last day is that of
 * the OCD division ids in Vermont (2023-01-03), and the day before the swearing-in in Alaska (2023-01-17). Vermont's
 * plan was first used in 2012, Alaska's in 2014: its district 1 is downtown Fairbanks, as in the proclamation of 2013.
 */
const STATE_LEGISLATIVE: Readonly<Record<string, Period>> = dictionary({
  AK: { from: '2015-01-20', to: '2023-01-16' },
  VT: { from: '2013-01-09', to: '2023-01-03' },
});

const SGP = {
  source: 'https://github.com/CenterForAssessment/SGPspatialData',
  license: 'LGPL-3.0; boundaries of the U.S. Census Bureau, public domain',
  type: 'School District',
  precise: false,
  stateInName: true,
} as const;

/** The formats of published boundary files that need no further options. */
export const DISTRICT_PRESETS = dictionary<DistrictPreset>({
  'congress-113': {
    title: 'unitedstates/districts cds/2016: Congress districts, 113th to 117th Congress',
    type: 'Congress',
    period: (state) => CONGRESS_2016[state] ?? { from: CONGRESS_113, to: CONGRESS_118 },
    precise: true,
    name: 'unitedstates/districts cds/2016',
    source: 'https://github.com/unitedstates/districts',
    license: 'CC0-1.0',
  },
  'congress-118': {
    title: 'Census cd118: Congress districts, from the 118th Congress on',
    type: 'Congress',
    period: (state) => ({ from: CONGRESS_118, to: REDRAWN_FOR_119.has(state) ? CONGRESS_119 : undefined }),
    precise: false,
    name: 'Census cd118',
    source: 'https://www2.census.gov/geo/tiger/TIGER2022/CD/',
    license: 'public domain',
  },
  'state-legislative-2012': {
    title: 'unitedstates/districts states: sldl and sldu of Alaska and Vermont, in force to the elections of 2022',
    period: (state) => STATE_LEGISLATIVE[state] ?? { from: '2013-01-01', to: '2023-01-01' },
    precise: true,
    name: 'unitedstates/districts states',
    source: 'https://github.com/unitedstates/districts',
    license: 'CC0-1.0',
  },
  'places-2019': {
    title: 'Census places (TIGER 2019): cities and towns',
    type: 'City-town',
    period: () => ({ from: US_ATLAS_FROM }),
    precise: true,
    name: 'Census places 2019',
    source: 'https://github.com/generalpiston/geojson-us-city-boundaries',
    license: 'GPL-3.0; boundaries of the U.S. Census Bureau, public domain',
  },
  'vermont-towns': {
    title: "Vermont's towns (VCGI, simplified) as county subdivisions",
    type: 'County subdivision',
    period: () => ({ from: US_ATLAS_FROM }),
    precise: false,
    properties: { name: 'town', county: 'county' },
    layer: 'vt_towns',
    state: 'VT',
    name: 'vermont-map',
    source: 'https://github.com/vprnet/vermont-map',
    license: 'Apache-2.0',
  },
  'school-districts-2012': {
    ...SGP,
    title: 'SGPspatialData: school districts of the Census, 2012 (XX_Districts_….topojson)',
    // Vermont has a later map, from 2016.
    period: (state) => ({ from: '2012-01-01', to: state === 'VT' ? '2016-01-01' : undefined }),
    properties: { name: 'District' },
    name: 'SGPspatialData 2012',
  },
  'school-districts-2016': {
    ...SGP,
    title: 'SGPspatialData: school districts of Vermont, 2016 (VT_Districts.topojson)',
    period: () => ({ from: '2016-01-01' }),
    properties: { name: 'name', state: 'state' },
    name: 'SGPspatialData 2016',
  },
});
