import { districtsPoint } from './districts-point.ts';
import type { Endpoint } from './endpoint.ts';
import { officeholders } from './officeholders.ts';

/** The legacy paths, in the order of the specification. */
export const endpoints: readonly Endpoint[] = [districtsPoint, officeholders];
