import { GraphQLError } from 'graphql';
import type { OperationLimits } from '../config/limits.ts';
import type { Measure } from './measure.ts';

const TEXTS = {
  depth: ['QUERY_TOO_DEEP', 'levels of fields', 'Select less deeply.'],
  aliases: ['TOO_MANY_ALIASES', 'aliases', 'Ask for several points or ids in one field, or in several requests.'],
  directives: ['TOO_MANY_DIRECTIVES', 'directives', 'Leave out what is not needed.'],
  cost: [
    'QUERY_TOO_COSTLY',
    'records',
    'Ask for smaller pages, fewer points, fewer nested lists or simpler geometries (a higher tolerance).',
  ],
} as const;

/** Returns the error for a document with more tokens than allowed. */
export function tooManyTokens(asked: number, most: number): GraphQLError {
  return new GraphQLError(`The document has ${asked} tokens; at most ${most} are allowed. Ask for less at once.`, {
    extensions: { code: 'QUERY_TOO_LONG', limit: most, value: asked },
  });
}

/**
 * Returns an error that names the first exceeded limit with the actual and the allowed value; undefined if none is
 * exceeded.
 */
export function beyondLimits(measured: Measure, limits: OperationLimits): GraphQLError | undefined {
  for (const limit of ['depth', 'aliases', 'directives', 'cost'] as const) {
    const [code, unit, advice] = TEXTS[limit];
    const [asked, most] = [measured[limit], limits[limit]];
    if (asked <= most) continue;
    const amount = limit === 'cost' ? `may answer ${asked} ${unit}` : `has ${asked} ${unit}`;
    return new GraphQLError(`The operation ${amount}; at most ${most} are allowed. ${advice}`, {
      extensions: { code, limit: most, value: asked },
    });
  }
  return undefined;
}
