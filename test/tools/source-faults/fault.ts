/** A fault in a copy of a real source. */
export interface PlantedFault {
  readonly kind: string;
  /** The checks of which one has to find it. */
  readonly checks: readonly string[];
  /** Texts that the row or the problem has to name, one of each list, without letter case and dots: what is found has to be this fault. */
  readonly names: readonly (string | readonly string[])[];
}

/** Returns a number from 0 to 1, exclusively: the same ones for the same seed. */
export type Draw = () => number;

export function oneOf<Value>(draw: Draw, values: readonly Value[]): Value | undefined {
  return values[Math.floor(draw() * values.length)];
}
