/** States by the first two digits of their counties' codes, which us-atlas does not name. */
const CODES =
  'AL01 AK02 AZ04 AR05 CA06 CO08 CT09 DE10 DC11 FL12 GA13 HI15 ID16 IL17 IN18 IA19 KS20 KY21 LA22 ME23 MD24 MA25 MI26 MN27 MS28 MO29 MT30 NE31 NV32 NH33 NJ34 NM35 NY36 NC37 ND38 OH39 OK40 OR41 PA42 RI44 SC45 SD46 TN47 TX48 UT49 VT50 VA51 WA53 WV54 WI55 WY56';

export const STATES: readonly { readonly state: string; readonly fips: string }[] = CODES.split(' ').map((code) => ({
  state: code.slice(0, 2),
  fips: code.slice(2),
}));

/** The sizes of a database, as the states that it contains; the whole country is ten times the tenth. */
export const SIZES = {
  small: ['VT', 'DE', 'RI'],
  tenth: ['VA', 'WI', 'CO', 'ME', 'SC'],
  national: STATES.map(({ state }) => state),
} as const satisfies Record<string, readonly string[]>;

export type Size = keyof typeof SIZES;

export function isSize(text: string): text is Size {
  return Object.hasOwn(SIZES, text);
}
