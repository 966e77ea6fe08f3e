import { z } from 'zod';
import type { EndpointInput } from './endpoint.ts';
import type { DistrictType, EdgeOfDistrictFragment } from './generated/documents.ts';
import { listOf } from './parameters.ts';
import { DISTRICT_TYPE } from './texts.ts';

/** The parameter `include`: what is not in the responses of the specification, and only added on request. */
export const include = listOf(['edge_distance', 'precincts'], {
  description:
    'What to add to the districts: `edge_distance` adds how far the point is from the edge of each, and such a response is not cached; `precincts` adds those of the type `Precinct`.',
}).optional();

type Included = { readonly include?: readonly ('edge_distance' | 'precincts')[] | undefined };

const SPECIFIED_TYPES = (Object.keys(DISTRICT_TYPE) as DistrictType[]).filter((type) => type !== 'PRECINCT');

/** Returns the types of the districts of a response: those of the specification, and precincts on request. */
export function typesOf({ include: included }: Included): DistrictType[] | undefined {
  return included?.includes('precincts') ? undefined : SPECIFIED_TYPES;
}

/** The members that `include=edge_distance` adds to a district. */
export const edgeMembers = {
  edge_distance_m: z
    .number()
    .nullable()
    .optional()
    .describe(
      'Metres from the point to the nearest edge of the boundary, to one decimal. Left out unless `include` has `edge_distance` and the package has boundaries.',
    ),
  edge_certain: z
    .boolean()
    .nullable()
    .optional()
    .describe(
      'Whether the point is further from the edge than the outline is precise; if not, it may be in a neighbouring district. Left out as `edge_distance_m` is.',
    ),
};

type EdgeOptions = EndpointInput<Included>;
type NearestLines = readonly EdgeOfDistrictFragment[] | null | undefined;

/** Returns whether the response has edge distances: requested by the caller and granted. */
export function withEdges({ parameters, caller }: EdgeOptions): boolean {
  return caller.grants.has('boundaries') && (parameters.include?.includes('edge_distance') ?? false);
}

/** Adds the edge distances to districts, if the response has them; a district is known by its id. */
export function addEdges<District extends { readonly id: string | number }>(
  districts: District[] | null,
  lines: NearestLines,
): District[] | null {
  if (!districts || !lines) return districts;
  const byId = new Map(lines.map((line) => [line.district.databaseId, line]));
  return districts.map((district) => {
    const line = byId.get(Number(district.id));
    return { ...district, edge_distance_m: line?.distance ?? null, edge_certain: line?.isCertain ?? null };
  });
}
