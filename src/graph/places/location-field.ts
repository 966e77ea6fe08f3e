import { GraphQLError } from 'graphql';
import { ServiceError } from '../../base/errors.ts';
import { builder } from '../builder/builder.ts';
import type { Context } from '../builder/context.ts';
import { LocationObject } from '../districts/location.ts';
import { hasAddresses } from './geocode.store.ts';
import { geocode } from './geocode.ts';
import { LONGEST_TEXT, TEXT_DESCRIPTION, USUAL_MATCHES } from './geocoding.ts';

const HOW_TO_LOAD =
  'No addresses are loaded: an operator loads them with `npm run import -- address-points` or `tiger-addrfeat` (docs/sources.md).';

builder.queryFields((t) => ({
  location: t.field({
    caching: 'by point',
    personal: 'address or point',
    type: LocationObject,
    description:
      'A point, with everything that applies to it: give `latitude` and `longitude`, or `address`. Every point is valid; a point at sea has no districts. An address that is not certain is an error, never a guess.',
    args: {
      latitude: t.arg({ type: 'Latitude', description: 'Degrees north of the equator, with `longitude`.' }),
      longitude: t.arg({ type: 'Longitude', description: 'Degrees east of Greenwich, with `latitude`.' }),
      address: t.arg.string({
        description: `A street address, ${TEXT_DESCRIPTION}. If several addresses fit, or the best one not well, the error has \`ambiguous: true\` and the \`matches\` in its extensions.`,
        // It is what `Query.geocode` finds.
        extensions: { maxLength: LONGEST_TEXT, computation: 1_000 },
      }),
    },
    resolve: (_, { latitude, longitude, address }, context) => {
      if (address == null && latitude != null && longitude != null) return { latitude, longitude };
      if (address != null && latitude == null && longitude == null) return pointOfAddress(context, address);
      throw new ServiceError(
        'INVALID_PARAMETER',
        'location takes either latitude and longitude, or address.',
        ['latitude', 'longitude', 'address'].map((name) => ({
          name,
          reason: 'give latitude and longitude, or address, and not both',
        })),
      );
    },
  }),
}));

/**
 * Returns the point of an address.
 * @throws GraphQLError with the code INVALID_PARAMETER and the matches if the address is not certain, or NOT_FOUND if
 * there is none.
 */
async function pointOfAddress(context: Context, address: string) {
  const { matches, ambiguous, reason: why } = await geocode(context, address, USUAL_MATCHES);
  const [best] = matches;
  const isAddress = best?.kind === 'ADDRESS' || best?.kind === 'INTERPOLATED';
  if (best?.point && isAddress && !ambiguous) return best.point;
  const missing = (await hasAddresses(context.db)) ? '' : ` ${HOW_TO_LOAD}`;
  if (!best) {
    throw new GraphQLError(`No address that is loaded resembles this one.${missing}`, {
      extensions: { code: 'NOT_FOUND' },
    });
  }
  const reason = isAddress
    ? 'must be one address: several fit, or none fits well'
    : 'must be an address with a house number and a street that are loaded';
  const choice = best.kind === 'LOCATED_ONLY' && why ? why : 'Choose one of the matches.';
  throw new GraphQLError(`address ${reason}. ${choice}${missing}`, {
    extensions: {
      code: 'INVALID_PARAMETER',
      parameters: [{ name: 'address', reason }],
      ambiguous: true,
      matches: matches.map(({ label, kind, confidence, point }) => ({ label, kind, confidence, ...point })),
    },
  });
}
