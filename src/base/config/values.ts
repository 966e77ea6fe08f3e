import { z } from 'zod';

/** Parses `true` or `false`. */
export const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');

export const wholeNumber = (smallest: number, largest: number, fallback: number) =>
  wholeNumberWithin(smallest, largest).default(fallback);

export const wholeNumberWithin = (smallest: number, largest: number) =>
  z.coerce
    .number(`must be a whole number from ${smallest} to ${largest}`)
    .int(`must be a whole number from ${smallest} to ${largest}`)
    .min(smallest, `must be a whole number from ${smallest} to ${largest}`)
    .max(largest, `must be a whole number from ${smallest} to ${largest}`);

/** Parses an origin, a URL without a path: `https://example.org:8443`. */
export const origin = z
  .string()
  .transform((text) => text.replace(/\/$/, ''))
  .refine(isHttpOrigin, 'must be an address without a path, for example https://data.example.org');

export const postgresAddress = z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://');

function isHttpOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
