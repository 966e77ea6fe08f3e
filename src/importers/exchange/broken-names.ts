/**
 * Matches what a failed conversion leaves in a text: `NaN`, `[object Object]`, or `undefined` where it is not a word of
 * a sentence (`District undefined`, but not `an undefined amount`). PostgreSQL understands the pattern as well.
 */
export const BROKEN_NAME = String.raw`(^|[\s:/_,;(-])(NaN|\[object Object\]|undefined)($|[:/_,;)-]|\s(?![a-z]))`;

const pattern = new RegExp(BROKEN_NAME);

/** Returns whether a name or identifier contains the text of a failed conversion, such as `District NaN`. */
export function isBrokenName(text: string): boolean {
  return pattern.test(text);
}

/** The columns that hold names and identifiers, by which records are shown and matched. */
export const NAME_COLUMNS: ReadonlySet<string> = new Set([
  'name',
  'first_name',
  'last_name',
  'seat',
  'ocdid',
  'geo_id',
  'nces_id',
  'fec_id',
  'office_position',
]);
