import { ServiceError } from '../../base/errors.ts';
import { builder, requireGrants } from '../builder/builder.ts';
import type { Context } from '../builder/context.ts';
import { createLoader } from '../builder/loader.ts';
import { DistrictObject } from '../districts/district.ts';
import type { Point } from '../districts/districts.store.ts';
import { type SourceRow, sourcesOf } from '../provenance/provenance.store.ts';
import { SourceObject } from '../provenance/source.ts';
import { type AreaRow, districtArea, zipCodeArea } from './area.store.ts';
import { AreaObject } from './area.ts';
import { type FindableRow, findableLayers, hasAddresses, sourcesById } from './geocode.store.ts';
import {
  CERTAIN,
  type GeocodeKind,
  type GeocodeMatchRow,
  type GeocodingResult,
  geocode,
  type MissingLayer,
} from './geocode.ts';

/** Maximum number of characters of an address. */
export const LONGEST_TEXT = 200;
const MOST_MATCHES = 20;
export const USUAL_MATCHES = 5;

const sources = createLoader(async (context, ids: readonly number[]) => {
  const found = await sourcesById(context.db, ids);
  return ids.map((id) => found.get(id) ?? null);
});

const boundarySources = sourcesOf('boundary');

async function sourceOf({ sourceId, boundaryId }: GeocodeMatchRow, context: Context): Promise<SourceRow | null> {
  if (sourceId !== undefined) return sources(context).load(sourceId);
  return boundaryId === undefined ? null : ((await boundarySources.load(context, { id: boundaryId }))[0] ?? null);
}

const GeocodeKindEnum = builder.enumType('GeocodeKind', {
  description: 'What a match of `geocode` is.',
  values: {
    ADDRESS: { description: 'An address with a point of its own in a data set.' },
    INTERPOLATED: {
      description:
        'An address within an address range of the Census: the point is estimated from the house number, on its side of the street.',
    },
    ZIP: { description: 'A ZIP code: an area, which has no point. `zip` has its districts.' },
    PLACE: {
      description:
        'A city, town, county, state or school district: an area, which has no point. `area(district:)` has the districts that it lies in.',
    },
    LOCATED_ONLY: {
      description:
        'A city, town or ZIP code of which only a point on the map is loaded, and no area. `center` moves a map there; its districts are not known.',
    },
  } satisfies Record<GeocodeKind, { description: string }>,
});

const MatchPointObject = builder.objectRef<Point>('GeocodePoint').implement({
  description: 'The point of an address, or that to which a map is moved, in WGS 84 degrees.',
  fields: (t) => ({
    latitude: t.expose('latitude', { type: 'Latitude', description: 'Degrees north of the equator.' }),
    longitude: t.expose('longitude', { type: 'Longitude', description: 'Degrees east of Greenwich.' }),
  }),
});

const MatchObject = builder.objectRef<GeocodeMatchRow>('GeocodeMatch').implement({
  description: 'A place that a text may mean.',
  fields: (t) => ({
    label: t.exposeString('label', {
      description:
        'The address or place as the data set writes it, for example `149 Robinhood Cir, Montpelier, VT 05602`.',
    }),
    kind: t.expose('kind', { type: GeocodeKindEnum, description: 'What was found.' }),
    confidence: t.exposeFloat('confidence', {
      description: `How well the text agrees, from 0 to 1. At least ${CERTAIN} if street, house number and town or ZIP code agree up to abbreviations and one letter; at most 0.7 if the text fits another match as well, or names neither town nor ZIP code. A place has at least ${CERTAIN} with its state, 0.75 if the text names no state or may mean a town that is not loaded, 0.5 if its name begins with the text, and 0.4 if its name has the words elsewhere or one other letter (not that of a county without its kind where no towns are loaded, since the text may mean a town); other places are no matches.`,
    }),
    point: t.field({
      type: MatchPointObject,
      nullable: true,
      description: 'Where an address is; null for all others, which are areas: a point would stand for a part of them.',
      resolve: ({ point }) => point ?? null,
    }),
    center: t.field({
      type: MatchPointObject,
      nullable: true,
      description:
        'Where to show a place that is LOCATED_ONLY on a map, to two decimals in the sample; null for others. Do not look up districts at this point: the place may lie in several.',
      resolve: ({ center }) => center ?? null,
    }),
    district: t.field({
      type: DistrictObject,
      description: 'The district that a PLACE is; null for others.',
      ...requireGrants('districts', 'officeholders'),
      resolve: ({ district }) => district ?? null,
    }),
    source: t.field({
      type: SourceObject,
      nullable: true,
      description: 'The data set that contains it; null if it is not recorded.',
      resolve: (match, _, context) => sourceOf(match, context),
    }),
  }),
});

const MissingLayerEnum = builder.enumType('MissingLayer', {
  description: 'What a text asks for and is not loaded.',
  values: {
    ADDRESSES: {
      description:
        'Addresses: an operator loads them with `npm run import -- address-points` or `npm run import -- tiger-addrfeat`.',
    },
    ZIP_CODES: { description: 'Areas of ZIP codes: an operator loads them with `npm run import -- zcta`.' },
    TOWNS: {
      description:
        'Outlines of cities and towns, of the state if the text names one: an operator loads them with `npm run import -- districts-geojson`, `districts-shapefile` or `districts-topojson`.',
    },
  } satisfies Record<MissingLayer, { description: string }>,
});

const GeocodingObject = builder.objectRef<GeocodingResult>('Geocoding').implement({
  description: 'The places that a text may mean.',
  fields: (t) => ({
    matches: t.field({
      listLength: 1,
      type: [MatchObject],
      description: 'The matches, the best first. Empty if nothing that is loaded resembles the text.',
      resolve: ({ matches }) => [...matches],
    }),
    ambiguous: t.exposeBoolean('ambiguous', {
      description: `Whether a person should choose: the best match has a confidence of less than ${CERTAIN}, or another one is as good. False without matches.`,
    }),
    area: t.field({
      type: AreaObject,
      nullable: true,
      description:
        'The area that the text means, with all districts that it lies in: a ZIP code or a place of which no person has to choose. Null for an address, if `ambiguous`, and without matches.',
      resolve: ({ matches: [best], ambiguous }) => (best && !ambiguous ? areaOf(best) : null),
    }),
    missing: t.field({
      type: [MissingLayerEnum],
      description:
        'What the text asks for and is not loaded, so that it may name what the data does not contain. Empty if it was found, or if the layer is loaded and does not contain it.',
      resolve: ({ missing }) => [...missing],
    }),
    loadedStates: t.stringList({
      description:
        'The two letters of the states of which the missing layer is loaded, at least in part. Empty if it is loaded of none, or if nothing is missing.',
      resolve: ({ loadedStates }) => [...loadedStates],
    }),
    reason: t.string({
      nullable: true,
      description:
        'Why the text was not found, in one sentence: what is not loaded, of which states it is, and the town of an address if it is known; that the matches only have similar names; or that a place is LOCATED_ONLY, and what finds its districts. Null otherwise.',
      resolve: ({ reason }) => reason ?? null,
    }),
    addressesLoaded: t.boolean({
      description:
        'Whether any address points or address ranges are loaded; if not, only places and ZIP codes are found.',
      resolve: (_, __, context) => hasAddresses(context.db),
    }),
  }),
});

function areaOf({ kind, label, district }: GeocodeMatchRow): AreaRow | null {
  if (kind === 'ZIP') return zipCodeArea(label);
  return district ? districtArea(district) : null;
}

const FindableLayerEnum = builder.enumType('FindableLayer', {
  description: 'A kind of texts that `geocode` finds, if it is loaded.',
  values: {
    ADDRESSES: { description: 'Street addresses.' },
    TOWNS: { description: 'Cities and towns by their names.' },
    ZIP_CODES: { description: 'ZIP codes of five digits.' },
    COUNTIES: { description: 'Counties by their names.' },
    TOWNS_ON_MAP: { description: 'Cities and towns of which only a point is loaded: they are LOCATED_ONLY.' },
    ZIP_CODES_ON_MAP: { description: 'ZIP codes of which only a point is loaded: they are LOCATED_ONLY.' },
  } satisfies Record<FindableRow['layer'], { description: string }>,
});

const FindableObject = builder.objectRef<FindableRow>('Findable').implement({
  description: 'A kind of texts that `geocode` finds because its data are loaded.',
  fields: (t) => ({
    layer: t.expose('layer', { type: FindableLayerEnum, description: 'The kind of texts.' }),
    states: t.stringList({
      description: 'The two letters of the states of which it is loaded, at least in part.',
      resolve: ({ states }) => [...states],
    }),
    examples: t.stringList({
      description:
        'Texts that are found: the first name in each of up to four states, or a ZIP code. Empty for addresses.',
      resolve: ({ examples }) => [...examples],
    }),
  }),
});

/** What the descriptions of arguments say of an address. */
export const TEXT_DESCRIPTION = `at most ${LONGEST_TEXT} characters. It is not logged, traced or cached`;

builder.queryFields((t) => ({
  findable: t.field({
    computation: 1_000,
    listLength: 6,
    caching: 'whole',
    type: [FindableObject],
    description:
      'What a person can type for `geocode` here: the kinds of texts whose data are loaded, in addition to states.',
    ...requireGrants('districts', 'officeholders'),
    resolve: (_, __, { db, today }) => findableLayers(db, today),
  }),
  geocode: t.field({
    computation: 1_000,
    caching: 'never',
    personal: 'address or point',
    type: GeocodingObject,
    description:
      'The places that a text may mean: addresses, ZIP codes, cities, towns, counties, states and school districts that are loaded, and cities, towns and ZIP codes of which only a point is. Finds abbreviations, one wrong letter in each name, a missing suffix and a wrong ZIP code; while a person types, addresses that begin with the text.',
    args: {
      text: t.arg.string({
        required: true,
        description: `An address or a place, ${TEXT_DESCRIPTION}.`,
        extensions: { maxLength: LONGEST_TEXT },
      }),
      first: t.arg.int({
        defaultValue: USUAL_MATCHES,
        description: `The maximum number of matches, from 1 to ${MOST_MATCHES}.`,
      }),
    },
    resolve: (_, { text, first }, context) => geocode(context, text, checkFirst(first ?? USUAL_MATCHES)),
  }),
}));

function checkFirst(first: number): number {
  if (first >= 1 && first <= MOST_MATCHES) return first;
  const reason = `must be from 1 to ${MOST_MATCHES}`;
  throw new ServiceError('INVALID_PARAMETER', `first ${reason}, not ${first}.`, [{ name: 'first', reason }]);
}
