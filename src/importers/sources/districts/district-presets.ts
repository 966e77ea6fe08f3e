import { dictionary } from '../../../base/dictionary.ts';
import { readTable } from '../../../base/words/read-table.ts';

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

/** Periods of the boundaries of presets: of a state, with the reason for another period than in the others, or of those. */
const PERIODS = readTable<'preset' | 'state' | 'from' | 'to' | 'reason'>('preset-periods', import.meta.url);

function periodOf(preset: string, state: string): Period {
  const of = (wanted: string) => PERIODS.find((row) => row.preset === preset && row.state === wanted);
  const { from = '', to } = of(state) ?? of('') ?? {};
  return { from, to: to || undefined };
}

/**
 * The formats of published boundary files that need no further options. In the table, the state `*` is that with which the names of the
 * files begin.
 */
export const DISTRICT_PRESETS = dictionary<DistrictPreset>(
  Object.fromEntries(
    readTable<'preset' | 'names' | Exclude<keyof DistrictPreset, 'period' | 'properties' | 'stateInName'>>(
      'district-presets',
      import.meta.url,
    ).map(({ preset, title, type, precise, names, layer, state, ...provenance }) => [
      preset,
      {
        ...{ title, ...provenance, precise: precise !== '', period: (of: string) => periodOf(preset, of) },
        ...(type && { type }),
        ...(names && { properties: Object.fromEntries(names.split(' ').map((name) => name.split(':'))) }),
        ...(layer && { layer }),
        ...(state === '*' ? { stateInName: true as const } : state && { state }),
      },
    ]),
  ),
);
