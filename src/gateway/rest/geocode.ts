import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { GeocodeDocument, type GeocodeQuery } from './generated/documents.ts';
import { first, text } from './parameters.ts';
import { DISTRICT_TYPE, newerMap, textsOf } from './texts.ts';

const match = z
  .object({
    label: z.string().describe('The address or place as the data set writes it.'),
    kind: z
      .enum(['ADDRESS', 'INTERPOLATED', 'ZIP', 'PLACE', 'LOCATED_ONLY'])
      .describe('What was found; LOCATED_ONLY is a town or ZIP code without a loaded area.'),
    district_type: z
      .enum(textsOf(DISTRICT_TYPE))
      .nullable()
      .describe('What a PLACE is, such as `County`; null for others.'),
    confidence: z.number().describe('From 0 to 1; at least 0.8 if the text means this match and no other.'),
    lat: z
      .number()
      .nullable()
      .describe('Degrees north of the equator (WGS 84); null for a ZIP code and a place, which are areas.'),
    long: z.number().nullable().describe('Degrees east of Greenwich (WGS 84); null for a ZIP code and a place.'),
    center: z
      .object({ lat: z.number(), long: z.number() })
      .optional()
      .describe('Where to show a place that is LOCATED_ONLY on a map, never a point for a lookup; missing for others.'),
    source: z
      .string()
      .nullable()
      .describe('The name of the data set, with its licence for a place that is LOCATED_ONLY.'),
  })
  .meta({ id: 'GeocodeMatch', description: 'A place that a text may mean.' });

const share = z
  .object({
    id: z.number().int().describe('District identifier.'),
    type: z.enum(textsOf(DISTRICT_TYPE)).describe('District type.'),
    name: z.string().describe('Name of the district.'),
    state: z.string().nullable().describe('Two-letter abbreviation, or null.'),
    ocdid: z.string().nullable().describe('Open Civic Data division identifier, or null.'),
    geo_id: z.string().nullable().describe('Census GEOID, or null.'),
    area_share: z.number().describe('The share of the area that lies in the district, from 0 to 1.'),
    newer_map: newerMap,
    is_whole: z.boolean().describe('Whether the whole area lies in the district.'),
    officeholders: z
      .array(
        z
          .object({
            office: z.string().describe('Name of the office, with its seat.'),
            name: z.string().nullable().describe('Name of the officeholder; null if it is not known.'),
          })
          .meta({ id: 'OfficeholderOfShare', description: 'A person who holds an office of a district today.' }),
      )
      .nullable()
      .describe('Who holds the offices of the district; null without the grant `officeholders`.'),
  })
  .meta({ id: 'DistrictOfArea', description: 'A district that an area lies in, as a whole or in part.' });

/** The point of an address, for the paths that take one, and the districts of an area. */
export const geocode = defineEndpoint({
  paths: ['/data/geocode'],
  operationId: 'geocode',
  summary: 'Points of an address, or districts of a place',
  description:
    'The addresses, ZIP codes and places that a text may mean, the best first: addresses with their points. A ZIP code or a place is an area and has no point, as it may lie in several districts: if the text means one, `districts` has them with their shares. Of a place that is LOCATED_ONLY no area is loaded: it has no districts. Choose a match if the response is ambiguous. The text is neither logged nor cached.',
  grant: 'districts',
  parameters: z.object({ text, first: first.optional() }),
  data: z
    .object({
      ambiguous: z.boolean().describe('Whether a person should choose: no match is certain, or several fit.'),
      addresses_loaded: z.boolean().describe('Whether any addresses are loaded; if not, only places are found.'),
      missing: z
        .array(z.enum(['ADDRESSES', 'ZIP_CODES', 'TOWNS']))
        .describe('What the text asks for and is not loaded; empty if it was found.'),
      reason: z
        .string()
        .nullable()
        .describe('Why the text was not found, in one sentence; null if nothing is missing.'),
      loaded_states: z.array(z.string()).describe('The states of which the missing layer is loaded, two letters each.'),
      matches: z.array(match).describe('The matches; empty if nothing that is loaded resembles the text.'),
      districts: z
        .array(share)
        .nullable()
        .describe(
          'The country, state, districts of the U.S. House and of the state legislature, and counties of the area; null for an address, and if a person should choose.',
        ),
    })
    .meta({ id: 'Geocoding', description: 'The places that a text may mean.' }),
  document: GeocodeDocument,
  isPersonal: () => true,
  variables: ({ parameters }) => ({ text: parameters.text, first: parameters.first ?? 5 }),
  reshape: ({ geocode: { ambiguous, addressesLoaded, missing, reason, loadedStates, matches, area } }) => ({
    ambiguous,
    addresses_loaded: addressesLoaded,
    missing,
    reason,
    loaded_states: loadedStates ?? [],
    matches: matches.map(({ label, kind, confidence, district, point, center, source }) => ({
      label,
      kind,
      district_type: district ? DISTRICT_TYPE[district.type] : null,
      confidence,
      lat: point?.latitude ?? null,
      long: point?.longitude ?? null,
      ...(center && { center: { lat: center.latitude, long: center.longitude } }),
      source: (center && source?.license ? `${source.name} (${source.license})` : source?.name) ?? null,
    })),
    districts: area?.districts?.map(shareOf) ?? null,
  }),
});

type Share = NonNullable<NonNullable<GeocodeQuery['geocode']['area']>['districts']>[number];

function shareOf({ areaShare, isWhole, district }: Share): z.output<typeof share> {
  const { databaseId, type, name, state, ocdId, geoId, newerMap: newer, offices } = district;
  const holders = offices?.flatMap((office) =>
    (office.officeholders ?? []).map(({ name }) => ({ office: office.fullName, name })),
  );
  return {
    ...{ id: databaseId, type: DISTRICT_TYPE[type], name, state, ocdid: ocdId, geo_id: geoId },
    ...(newer && { newer_map: newer.sentence }),
    ...{ area_share: areaShare, is_whole: isWhole, officeholders: holders ?? null },
  };
}
