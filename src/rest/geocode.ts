import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { GeocodeDocument } from './generated/documents.ts';
import { first, text } from './parameters.ts';

const match = z
  .object({
    label: z.string().describe('The address or place as the data set writes it.'),
    kind: z
      .enum(['ADDRESS', 'INTERPOLATED', 'ZIP', 'PLACE'])
      .describe('What was found; the point of a ZIP code or a place stands for no address.'),
    confidence: z.number().describe('From 0 to 1; at least 0.8 if the text means this match and no other.'),
    lat: z.number().describe('Degrees north of the equator (WGS 84).'),
    long: z.number().describe('Degrees east of Greenwich (WGS 84).'),
    source: z.string().nullable().describe('The name of the data set, or null.'),
  })
  .meta({ id: 'GeocodeMatch', description: 'A place that a text may mean.' });

/** The point of an address, for the paths that take one. */
export const geocode = defineEndpoint({
  paths: ['/data/geocode'],
  operationId: 'geocode',
  summary: 'Points of an address or place',
  description:
    'The addresses, ZIP codes and places that a text may mean, the best first, with their points. Choose one if the response is ambiguous. The text is neither logged nor cached.',
  grant: 'districts',
  parameters: z.object({ text, first: first.optional() }),
  data: z
    .object({
      ambiguous: z.boolean().describe('Whether a person should choose: no match is certain, or several fit.'),
      addresses_loaded: z.boolean().describe('Whether any addresses are loaded; if not, only places are found.'),
      matches: z.array(match).describe('The matches; empty if nothing that is loaded resembles the text.'),
    })
    .meta({ id: 'Geocoding', description: 'The places that a text may mean.' }),
  document: GeocodeDocument,
  isPersonal: true,
  variables: ({ parameters }) => ({ text: parameters.text, first: parameters.first ?? 5 }),
  reshape: ({ geocode: { ambiguous, addressesLoaded, matches } }) => ({
    ambiguous,
    addresses_loaded: addressesLoaded,
    matches: matches.map(({ label, kind, confidence, point, source }) => ({
      label,
      kind,
      confidence,
      lat: point.latitude,
      long: point.longitude,
      source: source?.name ?? null,
    })),
  }),
});
