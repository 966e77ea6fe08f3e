import { GraphQLError } from 'graphql';
import type { OperationLimits } from '../../config/limits.ts';
import type { QueryComplexity } from './query-complexity.ts';

const TEXTS = {
  depth: ['QUERY_TOO_DEEP', 'levels of fields', 'Select less deeply.'],
  aliases: ['TOO_MANY_ALIASES', 'aliases', 'Request several points or ids in one field, or send several requests.'],
  directives: ['TOO_MANY_DIRECTIVES', 'directives', 'Remove unnecessary directives.'],
  cost: [
    'QUERY_TOO_COSTLY',
    'records',
    'Request smaller pages, fewer points, fewer nested lists or simpler geometries (a higher tolerance).',
  ],
} as const;

/** Returns the error for a document with more tokens than allowed. */
export function tooManyTokens(actual: number, most: number): GraphQLError {
  return new GraphQLError(
    `The document has ${actual} tokens; at most ${most} are allowed. Request less data at once.`,
    {
      extensions: { code: 'QUERY_TOO_LONG', limit: most, value: actual },
    },
  );
}

/**
 * Returns an error that names the first exceeded limit with the actual and the allowed value; undefined if none is
 * exceeded.
 */
export function checkLimits(complexity: QueryComplexity, limits: OperationLimits): GraphQLError | undefined {
  for (const limit of ['depth', 'aliases', 'directives', 'cost'] as const) {
    const [code, unit, advice] = TEXTS[limit];
    const [actual, most] = [complexity[limit], limits[limit]];
    if (actual <= most) continue;
    const amount = limit === 'cost' ? `may return ${actual} ${unit}` : `has ${actual} ${unit}`;
    return new GraphQLError(`The operation ${amount}; at most ${most} are allowed. ${advice}`, {
      extensions: { code, limit: most, value: actual },
    });
  }
  return undefined;
}
