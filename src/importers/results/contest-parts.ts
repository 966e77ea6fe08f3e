import { dictionary } from '../../base/dictionary.ts';
import type { State } from '../../base/words/states.ts';
import type { ContestFacts } from './contest-facts.ts';
import { officeTitle, positionOf, SEAT } from './office-titles.ts';
import { countyOcdid, namedPlace, type Place, placeWithin, slug } from './places.ts';
import { titleCase } from './title-case.ts';

/** Returns the part of a place that the district column names, or the seat that it names. */
export function divisionOf(
  { state, district, counties }: ContestFacts,
  place: Place,
  text: string,
): { readonly within?: Place; readonly seat?: string } {
  const placeName = String(place.row.values.name ?? '');
  if (district === '' || isNameOf(district, placeName)) return {};
  if (/^(COUNTY|CITY|TOWN)?-? ?AT[- ]LARGE$/.test(district)) return { seat: 'At-large' };
  if (/^STATEWIDE$/.test(district)) return {};
  // `PRECINCT 5, PLACE 1`
  const [, part, stated] =
    /^((?:PRECINCT|WARD|DISTRICT|ZONE|AREA) \w+), ?((?:PLACE|POSITION|POS|SEAT|GROUP|DIVISION) \w+)$/.exec(district) ??
    [];
  if (part && stated) return { within: partOf(state, place, text, part, counties[0]?.name), seat: officeTitle(stated) };
  // The courts of a county are numbered, not its districts.
  if (/\bCOUNTY\b.*\bCOURT\b/.test(text) && /^\d+$/.test(district)) return { seat: `Position ${Number(district)}` };
  // `DISTRICT 3` is the district 3.
  const [, number = district, more] =
    /^(?:DIST(?:RICT|\.)? (?:NO\.? ?)?0*)?(\d+[A-Z]?|[A-Z]|[IVX]+)(?:, ?(.+))?$/.exec(district) ?? [];
  const numbered = /^(\d+[A-Z]?|[A-Z])$/.test(number);
  if (SEAT.test(district) && !numbered) return { seat: officeTitle(district) };
  const seat = more === undefined ? undefined : positionOf(more);
  const within = partOf(state, place, text, number, counties[0]?.name);
  return { within, ...(seat ? { seat } : {}) };
}

/** Words of the commissions and boards of a county that are not its governing body, and have districts of their own. */
const OF_ANOTHER_BODY =
  /\b(SOIL|PARKS?|WATER|REVIEW|APPEALS?|PORT|UTILIT\w+|PUBLIC|HOSPITAL|HEALTH|LIBRARY|ELECTIONS?|FIRE|SCHOOLS?|EDUCATION|PLANNING|ROADS?|HIGHWAYS?|SEWER|DRAINAGE|RECREATION|POWER|AIRPORT|CONSERVATION|JURY)\b/;

const HALVES: Readonly<Record<string, string>> = dictionary({
  N: 'Northern',
  NORTH: 'Northern',
  S: 'Southern',
  SOUTH: 'Southern',
});

function partOf(state: State, place: Place, text: string, number: string, county: string | undefined): Place {
  const { type, name } = place.row.values;
  const isName =
    /^[A-Z][A-Z' -]+$/.test(number) &&
    !/\b(DISTRICT|WARD|PRECINCT|ZONE|AREA|AT[- ]LARGE|SEAT|TOWNSHIP|DIVISION)\b/.test(number);
  // `2ND JUSTICE COURT` is a name.
  const shown = /^\d+[A-Z]?$|^\d(?!.*[A-Z]{4})|^.$|^[IVX]+$/.test(number)
    ? `District ${number}`
    : `${titleCase(number)}${isName && type === 'County' && /\b(SUPERVISORS?|COUNCIL\w*|COMMISSION\w*)\b/.test(text) ? ' District' : ''}`;
  const title = officeTitle(text);
  if (type === 'County') {
    const half = /\bDEEDS$/.test(text) ? HALVES[number] : undefined;
    if (half) return namedPlace(state, 'County subdivision', `${name} ${half} Registry District`);
    const committee = /\b((?:FINANCE|BUDGET) COMMITTEE)$/.exec(text)?.[1];
    if (committee) return namedPlace(state, 'County subdivision', `${name} ${titleCase(committee)} ${shown}`);
    if (
      /\bCOMMISSION|\bCOUNCIL|\bSUPERVISORS?\b(?!.*\bSOIL\b)/.test(text) &&
      !OF_ANOTHER_BODY.test(text) &&
      !(/\b(CITY|TOWN|VILLAGE|BOROUGH) COUNCIL/.test(text) && / County$/.test(String(name))) &&
      (isName || /^\w+$/.test(number)) &&
      county
    )
      return placeWithin(
        `${countyOcdid(state, county)}/council_district:${slug(number)}`,
        'County subdivision',
        `${name} ${/\bCOUNCIL/.test(text) ? 'Council' : /\bSUPERVISOR/.test(text) ? 'Supervisor' : 'Commissioner'} ${shown}`,
        state,
      );
    const own = String(name).endsWith(' County') ? title.replace(/^County /, '') : title;
    return namedPlace(state, 'County subdivision', `${name} ${own} ${shown}`);
  }
  if (
    type === 'City-town' &&
    place.id.scheme === 'ocdid' &&
    /\bCOUNCIL|\bALDER[MPW]/.test(text) &&
    /^\w+$/.test(number)
  )
    return placeWithin(
      `${place.id.value}/council_district:${slug(number)}`,
      'City-town subdivision',
      `${name} City Council ${shown}`,
      state,
    );
  const named = `${name} ${title.includes(String(name)) ? '' : title} ${shown}`.replace(/\s+/g, ' ');
  if (type === 'School District') return namedPlace(state, 'School district subdivision', `${name}, ${shown}`);
  if (type === 'Special District') return namedPlace(state, 'Special district subdivision', `${name}, ${shown}`);
  if (type === 'State') return namedPlace(state, 'State subdivision', `${title} ${shown}`);
  // Districts of several counties without a name of their own, and counties' parts of courts
  const isOfState = type === 'Judicial District' || type === 'State subdivision';
  return namedPlace(state, isOfState ? type : 'City-town subdivision', named);
}

function isNameOf(district: string, name: string): boolean {
  const plain = (text: string) =>
    text
      .toUpperCase()
      .replace(/\b(CITY|TOWN|VILLAGE|BOROUGH|TOWNSHIP|COUNTY)\b/g, '')
      .replace(/[^A-Z0-9]/g, '');
  return plain(district) === plain(name) || (plain(district).length > 3 && plain(name).startsWith(plain(district)));
}
