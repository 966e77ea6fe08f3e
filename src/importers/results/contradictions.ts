import type { ContestFacts } from './contest-facts.ts';

const SEVERAL = 'the text of the office and the district column name different districts';
const OF_STATE = 'the district column names a part of the state, and the whole state elects the office';
const CHAMBERS = 'the text of the office and the district column name different chambers';
const PLACES = 'the text of the office and the district column name different places';

/** Offices of one holder whom all voters of a state elect. Some states choose electors of the president by district. */
const ONE_OF_STATE =
  /^(?:U\.?S\.? SENAT(?:E|OR)|UNITED STATES SENAT(?:E|OR)|(?:LIEUTENANT |LT\.? )?GOVERNOR|ATTORNEY GENERAL|SECRETARY OF STATE|STATE (?:TREASURER|AUDITOR|CONTROLLER))$/;
/** Bodies whose members are elected by numbered districts; a number beside a school or fire district is that of the body itself. */
const OF_DISTRICTS =
  /^(?!.*\b(?:SCHOOL|FIRE|WATER|PARK|LIBRARY|HOSPITAL|COLLEGE|EDUCATION)\b).*\b(?:COMMISSION\w*|COUNCIL\w*|SUPERVISORS?|SENAT(?:E|OR)|HOUSE|REPRESENTATIVES?|ASSEMBLY|CONGRESS|DELEGATES?|JUDGES?)\b/;
const NUMBERED =
  /\b(DISTRICT|DIST|WARD)\.? (?:NO\.? ?)?0*(\d+[A-Z]?)$|\b0*(\d+)(?:ST|ND|RD|TH) (?:\w+ )?(DISTRICT|WARD)\b/;
const OF_CITY =
  /^(?:MAYOR|CITY [A-Z]+|COUNCIL[A-Z]*)(?: OF| -|,) (?:THE )?(?:(?:CITY|TOWN|VILLAGE) OF )?([A-Z][A-Z .'-]+)$/;

/** Returns how the district column of a contest contradicts the text of its office; undefined if it does not. */
export function contradictionOf({ state, office, district, counties }: ContestFacts): string | undefined {
  if (district === '' || /^(?:0+|STATEWIDE|AT[- ]LARGE)$/.test(district) || district === state.name.toUpperCase())
    return undefined;
  if (ONE_OF_STATE.test(office)) return OF_STATE;
  const isUpper = (text: string) => /\bSENAT(?:E|OR)\b/.test(text);
  const isLower = (text: string) => /\b(?:HOUSE|REPRESENTATIVES?|ASSEMBLY)\b/.test(text);
  if ((isUpper(office) && isLower(district)) || (isLower(office) && isUpper(district))) return CHAMBERS;
  const [, kind, number = '', ordinal = '', ofOrdinal] = NUMBERED.exec(office) ?? [];
  const stated = number || ordinal;
  const [, of = kind ?? ofOrdinal, other] = /^(?:(DISTRICT|WARD) )?0*(\d+[A-Z]?)$/.exec(district) ?? [];
  // A plain number beside the district of a court is a seat of it.
  const isSeat = /\bJUDGES?\b/.test(office) && /^\d/.test(district);
  if (stated && other && OF_DISTRICTS.test(office) && of === (kind ?? ofOrdinal) && stated !== other && !isSeat)
    return SEVERAL;
  const city = OF_CITY.exec(office)?.[1];
  const isPlace =
    /^[A-Z][A-Z .'-]+$/.test(district) && !/\b(?:WARD|DISTRICT|SEAT|PLACE|POSITION|TERM)\b/.test(district);
  const isCounty = counties.some(({ name }) => district.startsWith(name.toUpperCase()));
  if (city && isPlace && !isCounty && !city.includes(district) && !district.includes(city)) return PLACES;
  return undefined;
}
