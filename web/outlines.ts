import { ask } from './api.ts';
import { type BoundingBox, visibleBox, widthOf } from './projection.ts';

/** A boundary whose outline is drawn. */
export interface Drawn {
  readonly id: string;
  readonly databaseId: number;
  readonly type: string;
  readonly box: BoundingBox;
}

const known = new Map<string, unknown>();

/**
 * Returns the outlines of boundaries as GeoJSON by their databaseId, each simplified by a share of its width.
 * Boundaries of about the same size are requested together.
 */
export async function outlinesOf(
  boundaries: readonly Drawn[],
  share: number,
  signal?: AbortSignal,
): Promise<Map<number, unknown>> {
  const groups = Map.groupBy(boundaries, ({ type, box }) => toleranceFor(widthOf(visibleBox(type, box)) * share));
  const found = new Map<number, unknown>();
  for (const [tolerance, group] of groups) {
    const missing = group.filter(({ databaseId }) => !known.has(`${databaseId} ${tolerance}`));
    if (missing.length > 0) {
      const { nodes } = await ask('Outlines', { ids: missing.map(({ id }) => id), tolerance }, signal);
      for (const node of nodes ?? []) {
        if (node && 'geometry' in node) known.set(`${node.databaseId} ${tolerance}`, node.geometry);
      }
    }
    for (const { databaseId } of group) {
      const outline = known.get(`${databaseId} ${tolerance}`);
      if (outline) found.set(databaseId, outline);
    }
  }
  return found;
}

/** Returns a power of four near a number of metres, so that few requests suffice. */
function toleranceFor(metres: number): number {
  return 4 ** Math.round(Math.log2(Math.max(metres, 1)) / 2);
}
