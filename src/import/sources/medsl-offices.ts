import { displayName } from '../elections/names.ts';
import {
  countyOffice,
  houseOffice,
  legislativeOffice,
  type Office,
  office,
  senateOffice,
  statewideOffice,
} from '../elections/offices.ts';
import { countyOcdid, countyPlace, namedPlace, type Place, placeWithin, statePlace } from '../elections/places.ts';
import { type State, stateOcdid } from '../states.ts';
import type { MedslFacts } from './medsl-contests.ts';

/** The office that a contest fills. */
export interface Sought {
  readonly office: Office;
  readonly position?: string;
}

/** A retention election of a judge: one name, with the answers yes and no. */
export interface Retention extends Sought {
  readonly judge: string;
}

/** Returns the office of a contest, or the reason why it is unknown. */
export function soughtOffice(facts: MedslFacts): Sought | string {
  const { state, date, office: name, district, county, special } = facts;
  const legislative = /^STATE (HOUSE|SENATE)$/.exec(name);
  if (name === 'US SENATE') {
    const seat = special ? undefined : senateOffice(state, Number(date.slice(0, 4)));
    return seat ? { office: seat } : 'the source does not name the class of the seat';
  }
  if (name === 'US HOUSE') return { office: houseOffice(state, Number(district || 0)) };
  if (legislative) {
    const chamber = legislative[1] === 'HOUSE' ? 'Lower' : 'Upper';
    const code = legislativeCode(state, chamber, district);
    return code ? { office: legislativeOffice(state, chamber, code) } : 'the source does not name the district';
  }
  if (county) return ofCounty(state, county, name, district);
  const numbered = /^(.*?) POSITION (\d+)$/.exec(name);
  const statewide = statewideOffice(state, numbered?.[1] ?? name);
  if (statewide) {
    const number = numbered?.[2] ?? district;
    return number ? { office: statewide, position: `Position ${Number(number)}` } : { office: statewide };
  }
  if (name === 'DISTRICT ATTORNEY' && district) {
    const place = namedPlace(state, 'Judicial District', `Prosecutorial District ${Number(district)}`);
    return { office: office(place, 'District Attorney', 'Local', 'Executive') };
  }
  return 'the source does not name the district';
}

function ofCounty(
  state: State,
  county: NonNullable<MedslFacts['county']>,
  name: string,
  district: string,
): Sought | string {
  // A row that sums all counties names none of them.
  if (county.name === '') return 'the source does not name the district';
  const place = countyPlace(state, county.name, county.fips);
  const committee = /^[A-Z]+ (COUNTY (?:FINANCE|BUDGET) COMMITTEE)$/.exec(name)?.[1];
  const atLarge = /^(COUNTY COMMISSIONER AT LARGE) POSITION (\d+)$/.exec(name);
  if (atLarge) return sought(countyOffice(place, atLarge[1] ?? ''), `Position ${atLarge[2]}`);
  const shown = `${displayName(county.name)} County`;
  if (/^COUNTY COMMISSIONER$/.test(name) && district) {
    const ocdid = `${countyOcdid(state, county.name)}/council_district:${Number(district)}`;
    const within = placeWithin(
      ocdid,
      'County subdivision',
      `${shown} Commissioner District ${Number(district)}`,
      state,
    );
    return sought(countyOffice(within, name));
  }
  if (committee && district) {
    const title = displayName(committee.replace('COUNTY ', ''));
    return sought(countyOffice(subdivision(state, `${shown} ${title} District ${Number(district)}`), committee));
  }
  if (/REGISTER OF DEEDS$/.test(name) && district) {
    const half = { N: 'Northern', NORTH: 'Northern', S: 'Southern', SOUTH: 'Southern' }[district];
    if (!half) return `the district ${district} is not known`;
    return sought(countyOffice(subdivision(state, `${shown} ${half} Registry District`), name));
  }
  // A county has several commissioners and judges, elected by districts and divisions that are not named.
  if (/COMMISSIONER$|COMMITTEE$|^MAGISTRATE JUDGE$|^MUNICIPAL JUDGE$/.test(name))
    return 'the source does not name the district';
  return sought(countyOffice(place, name));
}

function sought(found: Office | undefined, position?: string): Sought | string {
  if (!found) return 'the office is not known';
  return position ? { office: found, position } : { office: found };
}

function subdivision(state: State, name: string): Place {
  return namedPlace(state, 'County subdivision', name);
}

const VERMONT_COUNTIES: Record<string, string> = {
  ADD: 'addison',
  BEN: 'bennington',
  CAL: 'caledonia',
  CHI: 'chittenden',
  ESX: 'essex',
  FRA: 'franklin',
  GI: 'grand_isle',
  LAM: 'lamoille',
  ORA: 'orange',
  ORL: 'orleans',
  RUT: 'rutland',
  WAS: 'washington',
  WDH: 'windham',
  WDR: 'windsor',
  CT: 'central',
  N: 'north',
  SE: 'southeast',
};

/** Returns the code of a legislative district in its OCD id; undefined if the district is not stated. */
function legislativeCode(state: State, chamber: 'Upper' | 'Lower', district: string): string | undefined {
  if (district === '') return undefined;
  if (state.postal !== 'VT') return district.toLowerCase();
  const words = district.split(/[ -]/).map((word) => VERMONT_COUNTIES[word] ?? (/^\d+$/.test(word) ? word : undefined));
  if (words.includes(undefined)) return undefined;
  // The file of 2022 numbers Senate districts that have no number.
  return (chamber === 'Upper' ? words.filter((word) => !/^\d+$/.test(word ?? '')) : words).join('-');
}

/**
 * Returns the retention election that a contest with the answers yes and no is about; undefined for a ballot measure.
 */
export function retentionOf(facts: MedslFacts, name: string | null): Retention | string | undefined {
  const { state, office: title, district, counties } = facts;
  const shall = /^JUDICIAL RETENTION: SHALL (.+) BE RETAINED AS (.+?)(?: POSITION \d+|, (DIVISION \d+))?\?$/.exec(
    title,
  );
  if (shall) {
    const [, judge = '', court = '', division] = shall;
    const statewide = statewideOffice(state, court.replace(/^(JUDGE|JUSTICE) OF THE /, '$1 OF THE '));
    const [county, fips = ''] = [...counties][0] ?? [];
    const local =
      counties.size === 1 && county && division
        ? office(countyPlace(state, county, fips), sentence(court), 'Local', 'Judicial', { seat: sentence(division) })
        : undefined;
    const found = statewide ?? local;
    return found ? { office: found, judge, position: `Retention of ${displayName(judge)}` } : 'the court is not known';
  }
  const court = /^(DISTRICT COURT|SUPERIOR COURT|COURT OF APPEALS|SUPREME COURT)(?: - (.+))?$/.exec(title);
  const judge = court?.[2] ?? name;
  if (!court?.[1] || !judge) return undefined;
  const isStatewide = /APPEALS|SUPREME/.test(court[1]);
  if (!isStatewide && !/^\d+$/.test(district)) return 'the source does not name the district';
  const place = isStatewide
    ? statePlace(state)
    : placeWithin(
        `${stateOcdid(state)}/district_court:${district}`,
        'Judicial District',
        `Judicial District ${district}`,
        state,
      );
  const held = office(
    place,
    `${court[1] === 'SUPREME COURT' ? 'Justice' : 'Judge'} of the ${sentence(court[1])}`,
    'State',
    'Judicial',
  );
  return { office: held, judge, position: `Retention of ${displayName(judge)}` };
}

function sentence(capitals: string): string {
  return displayName(capitals).replace(/\b(Of|The|And)\b/g, (word) => word.toLowerCase());
}
