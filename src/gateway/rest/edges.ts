import { z } from 'zod';
import type { EndpointInput } from './endpoint.ts';
import type { EdgeOfDistrictFragment } from './generated/documents.ts';
import { listOf } from './parameters.ts';

/** The parameter `include`: what is computed for the point itself, and only on request. */
export const include = listOf(['edge_distance'], {
  description:
    'What to add to the districts: `edge_distance` adds how far the point is from the edge of each. Such a response is not cached.',
}).optional();

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

type EdgeOptions = EndpointInput<{ include?: readonly 'edge_distance'[] | undefined }>;
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
