import type { OpenedSource } from './exchange/import-rows.ts';
import type { AddressPointOptions } from './sources/addresses/address-points.ts';
import type { CongressLegislatorsOptions } from './sources/congress/congress-legislators.ts';
import type { DistrictOptions } from './sources/districts/district-files.ts';
import type { UsAtlasOptions } from './sources/districts/us-atlas.ts';
import type { OcdDivisionIdsOptions } from './sources/ocd-divisions/ocd-division-ids.ts';
import type { ResultOptions } from './sources/precinct-results/result-files.ts';
import type { RctabOptions } from './sources/ranked-choice/rctab.ts';
import type { VotingPlaceOptions } from './sources/voting-places/voting-places.ts';

/** The options of all sources; an option that the chosen source does not have is rejected. */
export interface SourceOptions
  extends UsAtlasOptions,
    CongressLegislatorsOptions,
    DistrictOptions,
    OcdDivisionIdsOptions,
    ResultOptions,
    RctabOptions,
    AddressPointOptions,
    Omit<VotingPlaceOptions, 'fields'> {
  /** The fields of an address, or the columns of a place to vote. */
  readonly fields?: AddressPointOptions['fields'] & VotingPlaceOptions['fields'];
}

export interface Source {
  readonly title: string;
  /** The names of the options that it supports. */
  readonly options: readonly (keyof SourceOptions)[];
  open(paths: readonly string[], options: SourceOptions): Promise<OpenedSource>;
}
