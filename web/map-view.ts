import type { Point } from './place-address.ts';
import type { Frame } from './projection.ts';

/** Where the map is above the page, as in the style sheet. */
export const SMALL_SCREEN = '(max-width: 68.75rem)';

/** What is on top of a map, and would hide names: buttons, legend, captions. */
const ON_MAP = '.tools, .legend, .attrib, figcaption';

/** A part of a map, in pixels from its upper left corner. */
export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const overlaps = (one: Rectangle, other: Rectangle) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** Returns where an element is on a map with a box. */
export function boxWithin(element: Element, box: DOMRect): Rectangle {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  return { left: left - box.left, top: top - box.top, right: right - box.left, bottom: bottom - box.top };
}

/** Returns where buttons, legend and captions are on a map. */
export function controlsOn(map: Element): Rectangle[] {
  const box = map.getBoundingClientRect();
  return [...(map.closest('.stage')?.querySelectorAll(ON_MAP) ?? [])].map((element) => boxWithin(element, box));
}

/** A boundary on the map. */
export interface Outline {
  readonly databaseId: number;
  readonly type: string;
  /** A day on which the boundary is in effect, if it may not be in effect on the day of the scene. */
  readonly day?: string | undefined;
  /** The classes of its line in the style sheet: `m-d on`, `m-d county`, `m-d city`, `m-d precinct`, `m-d old`, `m-ghost`, `m-lost`, `m-gained`, `m-county`. */
  readonly css: string;
  readonly name?: string | undefined;
  /** GeoJSON; only the SVG map needs it. */
  readonly shape?: unknown;
  /** GeoJSON: the part of the shape outside it is hatched, by the SVG map; null hatches all of it. */
  readonly outside?: unknown;
}

/** What is drawn over the map of the states. */
export interface Scene {
  /** The day of the boundaries. */
  readonly day: string;
  readonly outlines: readonly Outline[];
  readonly pin?: Point | undefined;
  /** What screen readers say for the map. */
  readonly label: string;
}

/** A map on the page: drawn by MapLibre, or as SVG where WebGL is missing. */
export interface MapView {
  /** Whether it draws the shapes of outlines, and not the vector tiles. */
  readonly drawsShapes: boolean;
  show(scene: Scene): void;
  /** Moves the camera to a rectangle. */
  fit(frame: Frame): void;
  zoom(factor: number): void;
  /**
   * Shows what is seen in the size that the map has on paper, at once; returns what restores the map.
   * @param resize gives the map that size; returns what restores it.
   */
  print(resize: () => () => void): () => void;
  close(): void;
}
