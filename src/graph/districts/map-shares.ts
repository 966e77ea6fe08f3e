import type { MapOverlap } from '../../store/sql/migration-functions.ts';
import type { ComparisonRow, Side } from './map-changes.store.ts';

/** What a comparison of two maps says about a district. */
export type MapChangeKind =
  | 'SAME_BOUNDARY'
  | 'SAME_LINE'
  | 'OTHER_NAME'
  | 'REDRAWN'
  | 'IN_NO_DISTRICT'
  | 'NOT_ON_MAP'
  | 'NO_DATA';

/** A part of a district that lies in a district of the other map, or in none. */
export interface MapPart {
  /** The district of the other map with its boundary; both are null for the part in none. */
  readonly district_id: number | null;
  readonly boundary_id: number | null;
  /** The share of the area of the district itself. */
  readonly area_share: number;
  /** The share of the area of the district of the other map; null for the part in none. */
  readonly other_share: number | null;
  readonly is_sliver: boolean;
}

export interface MapComparison {
  readonly kind: MapChangeKind;
  /** The boundary of the district; null if the map does not have it. */
  readonly boundary_id: number | null;
  /** Largest first, the part in none last. Empty if one of the maps is missing. */
  readonly parts: readonly MapPart[];
}

/**
 * The greatest mean width in metres of a part that is a difference between two drawings of one line: for two precise
 * outlines (the parts of the maps of Pennsylvania of 2013 and 2019, which share lines, have less than 30 m or more than
 * 100 m), and otherwise, half a millimetre on a map of 1:500,000 being 250 m.
 */
export const SLIVER_WIDTHS = { precise: 50, generalised: 200 } as const;
/** The greatest share of either district that a part of this kind has. */
export const LARGEST_SLIVER = 0.01;
/** The share of a district of which the part in no district of the other map is such a difference. */
export const SMALLEST_SHARE = 0.001;
/** The share in which the areas of two outlines of one line may differ. */
export const SAME_LINE = { precise: 0.001, generalised: 0.01 } as const;
/**
 * The share by which the districts of the other map may overlap each other because their outlines are imprecise: 0.042 in a
 * small district of New York on its generalised map of 2023, and less in all others of the country.
 */
export const LARGEST_OVERLAP = { precise: 0.01, generalised: 0.1 } as const;
const DECIMALS = 1e8;

const rounded = (share: number) => Math.round(share * DECIMALS) / DECIMALS;
const precisionOf = (...overlaps: readonly MapOverlap[]) =>
  overlaps.every(({ precise }) => precise) ? 'precise' : 'generalised';

/** The columns of the two maps, as a district of one of them is compared with the other one. */
const COLUMNS = {
  old: { own: 'old_district', ownBoundary: 'old_boundary', other: 'new_district', otherBoundary: 'new_boundary' },
  new: { own: 'new_district', ownBoundary: 'new_boundary', other: 'old_district', otherBoundary: 'old_boundary' },
} as const;

/** Sorts the overlaps of two maps by the districts of one of them, with the sizes of all districts. */
export function indexOverlaps(overlaps: readonly MapOverlap[], side: Side) {
  const { own, other } = COLUMNS[side];
  const sizes = new Map<number, MapOverlap>();
  const otherSizes = new Map<number, number>();
  const byDistrict = new Map<number, MapOverlap[]>();
  for (const overlap of overlaps) {
    const [mine, theirs] = [overlap[own], overlap[other]];
    if (mine !== null && theirs === null) sizes.set(mine, overlap);
    else if (mine === null && theirs !== null) otherSizes.set(theirs, overlap.area);
    else if (mine !== null) byDistrict.set(mine, [...(byDistrict.get(mine) ?? []), overlap]);
  }
  return { sizes, otherSizes, byDistrict };
}

/**
 * Returns what became of a district of the older map, or what a district of the newer map was made of.
 * @param counts the numbers of districts on both maps.
 */
export function compareMaps(
  district: number,
  side: Side,
  index: ReturnType<typeof indexOverlaps>,
  counts: Pick<ComparisonRow, 'old_count' | 'new_count'>,
): MapComparison {
  const { own, ownBoundary, other, otherBoundary } = COLUMNS[side];
  const size = index.sizes.get(district);
  const boundary_id = size?.[ownBoundary] ?? null;
  if (counts.old_count === 0 || counts.new_count === 0) return { kind: 'NO_DATA', boundary_id, parts: [] };
  if (!size) return { kind: 'NOT_ON_MAP', boundary_id: null, parts: [] };

  const found = index.byDistrict.get(district) ?? [];
  const sum = found.reduce((total, { area }) => total + area, 0);
  const isDoubled = sum > size.area && sum <= size.area * (1 + LARGEST_OVERLAP[precisionOf(...found)]);
  const whole = isDoubled ? sum : size.area;
  const parts = found
    .map((overlap): MapPart => {
      const otherArea = index.otherSizes.get(overlap[other] as number) ?? overlap.area;
      const share = overlap.area / whole;
      const otherShare = Math.min(overlap.area / otherArea, 1);
      return {
        district_id: overlap[other],
        boundary_id: overlap[otherBoundary],
        area_share: rounded(share),
        other_share: rounded(otherShare),
        is_sliver: isSliver(overlap, Math.max(share, otherShare)),
      };
    })
    .filter(({ area_share }) => area_share > 0)
    .sort((one, two) => two.area_share - one.area_share || (one.district_id ?? 0) - (two.district_id ?? 0));
  const rest = rounded(Math.max(0, 1 - parts.reduce((total, { area_share }) => total + area_share, 0)));
  const none = { district_id: null, boundary_id: null, area_share: rest, other_share: null };
  const inNone = rest * DECIMALS > parts.length ? [{ ...none, is_sliver: rest < SMALLEST_SHARE }] : [];
  return { kind: kindOf(size[own] as number, boundary_id, parts, found), boundary_id, parts: [...parts, ...inNone] };
}

/** Returns the district of the other map that a comparison takes to have the same line; undefined if the line moved. */
export function sameLine({ kind, parts }: MapComparison): number | undefined {
  return kind === 'SAME_LINE' || kind === 'OTHER_NAME' ? (parts[0]?.district_id ?? undefined) : undefined;
}

/**
 * Returns a comparison, given that of the district of the other map that has the same line: for a district that only gained, all of whose
 * area stays in it, the other map alone knows from whom.
 */
export function withCounterpart(comparison: MapComparison, counterpart: MapComparison): MapComparison {
  return counterpart.kind === 'REDRAWN' ? { ...comparison, kind: 'REDRAWN' } : comparison;
}

function isSliver(overlap: MapOverlap, share: number): boolean {
  if (overlap.perimeter === null || share > LARGEST_SLIVER) return false;
  // A strip is as wide as its area divided by half of its edges.
  return (2 * overlap.area) / Math.max(overlap.perimeter, Number.MIN_VALUE) < SLIVER_WIDTHS[precisionOf(overlap)];
}

function kindOf(
  district: number,
  boundary: number | null,
  parts: readonly MapPart[],
  overlaps: readonly MapOverlap[],
): MapChangeKind {
  const [largest, ...others] = parts;
  if (!largest || parts.every(({ is_sliver }) => is_sliver)) return 'IN_NO_DISTRICT';
  if (largest.boundary_id === boundary) return 'SAME_BOUNDARY';
  const tolerance = SAME_LINE[precisionOf(...overlaps)];
  // A line that moved did so for both of its districts, also if what moved is little of the larger one.
  const moved = others.some(({ is_sliver, other_share }) => !is_sliver && (other_share ?? 0) > tolerance);
  const isSame = !moved && largest.area_share >= 1 - tolerance && (largest.other_share ?? 0) >= 1 - tolerance;
  if (!isSame) return 'REDRAWN';
  return largest.district_id === district ? 'SAME_LINE' : 'OTHER_NAME';
}
