import type { Day } from '../../base/dates.ts';
import { normalName } from '../../base/words/normal-name.ts';
import { type State, stateOcdid } from '../../base/words/states.ts';
import type { ScopeBasis } from '../../store/sql/tables.ts';
import { districtGeoid } from '../exchange/import-rows.ts';
import type { Reason } from '../exchange/report-kinds.ts';
import { type County, plainCountyName } from '../facts/counties.ts';
import { houseDistrict } from '../facts/house-seats.ts';
import {
  type Chamber,
  hasNamedDistricts,
  type LegislativeDistrict,
  lastBefore,
  legislativeDistrict,
} from '../facts/legislative-codes.ts';
import {
  countyOffice,
  houseOffice,
  legislativeOffice,
  type Office,
  office,
  presidentOffice,
  seatAtLarge,
  statewideOffice,
} from '../facts/offices.ts';
import { countyPlace, legislativePlace, namedPlace, type Place, placeWithin, statePlace } from '../facts/places.ts';
import { titleCase } from '../facts/title-case.ts';
import { withoutFraction } from './cell-text.ts';
import type { KnownDistricts } from './known-districts.ts';
import type { NamedContest } from './name-contest.ts';

/** The office, or the district of a question, that a contest is about. */
export interface PlacedContest {
  readonly place: Place;
  /** Undefined for a question, and for a seat in the Senate whose class only its candidates show. */
  readonly office: Office | undefined;
  readonly position?: string;
  readonly basis: ScopeBasis;
}

/** Where the votes of a contest are from. */
export interface VotesFrom {
  readonly state: State;
  readonly date: string;
  readonly isSpecial: boolean;
  /** The county of the closed list; undefined for another text. */
  readonly county: County | undefined;
  /** The county and the town as the source writes them. */
  readonly countyText: string;
  readonly town: string;
  readonly townFips: string;
}

const NO_DISTRICT = 'the source does not name the district';
const UNKNOWN =
  'is not a number, and no district of the chamber has this code: import ocd-division-ids or its boundaries';
/** A number with or without letters, or a letter. */
const CODE = /^(\d{1,3}[a-z]{0,2}|[a-z])$/;

/** Returns why a chamber has no district that a text names on the day of an election; undefined if nothing speaks against it. */
export function whyNoDistrict(
  state: State,
  chamber: Chamber,
  { code, isListed }: LegislativeDistrict,
  text: string,
  date: Day,
  known: KnownDistricts,
): string | Reason | undefined {
  const isCode = isListed || (CODE.test(code) && !hasNamedDistricts(state, chamber));
  if (!isCode && !known.has(legislativePlace(state, chamber, code).id.value)) return `the district ${text} ${UNKNOWN}`;
  const last = CODE.test(code) ? lastBefore(state, chamber, code, date) : undefined;
  if (last === undefined) return undefined;
  return {
    kind: 'districts-without-a-seat',
    reason: `the last district of the chamber is ${last}: there is no district ${text}`,
  };
}

/**
 * Returns the office and district of a contest that a row declares; the reason if what the row needs is not there. A name makes no
 * place: counties are those of the closed list, other districts have a number, a code or an id.
 */
export function placeContest(
  named: NamedContest,
  from: VotesFrom,
  known: KnownDistricts,
): PlacedContest | string | Reason {
  const { row, code } = named;
  if (named.contradiction) return named.contradiction;
  switch (row.scope) {
    case 'president':
      return code === '' ? of(presidentOffice(), 'Law') : 'the electors of a district are not those of the state';
    case 'senate':
      if (code !== '') return `the district column has ${code}, and the whole state elects the office`;
      return { place: statePlace(from.state), office: undefined, basis: 'Law' };
    case 'congress':
      return congress(from, code);
    case 'upper':
    case 'lower':
      return legislature(named, from, known);
    case 'state':
      return ofState(named, from);
    case 'state part':
    case 'court':
      return partOfState(named, from);
    case 'county':
    case 'county part':
      return ofCounty(named, from);
    case 'town':
      return ofTown(named, from);
    case 'district':
      return ofDistrict(named, from, known);
  }
}

function of(found: Office, basis: ScopeBasis, position?: string): PlacedContest {
  return { place: found.place, office: found, basis, ...(position ? { position } : {}) };
}

function congress(from: VotesFrom, code: string): PlacedContest | string | Reason {
  const number = code === '' ? 0 : Number(code);
  if (!Number.isInteger(number)) return `the district ${code} is not a number`;
  const found = houseDistrict(from.state, from, number);
  if (typeof found === 'number') return of(houseOffice(from.state, found), found === 0 ? 'Law' : 'Stated');
  return number === 0 ? found : { kind: 'districts-without-a-seat', reason: found };
}

function legislature(
  { row, code, district, written, position: stated }: NamedContest,
  { state, date, county }: VotesFrom,
  known: KnownDistricts,
): PlacedContest | string | Reason {
  const chamber = row.scope === 'upper' ? 'Upper' : 'Lower';
  if (code === '') return state.kind === 'state' ? NO_DISTRICT : of(seatAtLarge(state, chamber), 'Law', stated);
  const within = county && plainCountyName(county);
  const seat = stated?.split(' ').at(-1);
  const named = (text: string) => legislativeDistrict(state, chamber, text, within);
  const listed = [`${district} ${seat}`, written].map(named).find((each) => each.isListed);
  const found = listed ?? named(district);
  const { code: own, position = stated } = found;
  const reason = whyNoDistrict(state, chamber, found, district, date, known);
  if (reason) return reason;
  const placed = of(legislativeOffice(state, chamber, own, district), 'Stated', position);
  return row.name === '' ? placed : { ...placed, office: office(placed.place, row.name, 'State', branchOf(row)) };
}

function ofState({ row, code, position }: NamedContest, { state }: VotesFrom): PlacedContest | string {
  if (row.kind === 'question') return { place: statePlace(state), office: undefined, basis: 'Law' };
  if (code !== '' && !(row.branch === 'Judicial' && CODE.test(code)))
    return `the district column has ${code}, and the whole state elects the office`;
  const found = statewideOffice(state, row.name) ?? office(statePlace(state), row.name, 'State', branchOf(row));
  return of(found, 'Law', position ?? (code === '' ? undefined : `Position ${code.toUpperCase()}`));
}

function partOfState({ row, code, position }: NamedContest, { state }: VotesFrom): PlacedContest | string {
  if (code === '') return NO_DISTRICT;
  if (!CODE.test(code)) return `the district ${code} is neither a number nor a letter`;
  const type = row.scope === 'court' ? 'Judicial District' : 'State subdivision';
  const name = `${row.division} ${code.toUpperCase()}`;
  const place = row.ocd_type
    ? placeWithin(`${stateOcdid(state)}/${row.ocd_type}:${code}`, type, name, state)
    : namedPlace(state, type, name);
  return of(office(place, row.name, 'State', branchOf(row)), 'Stated', position);
}

function ofCounty({ row, code: inColumn, position }: NamedContest, from: VotesFrom): PlacedContest | string {
  const { state, county, countyText } = from;
  if (!county) return countyText === '' ? NO_DISTRICT : `${countyText} is none of the counties of the state`;
  // The column of the district may repeat the county.
  const code = inColumn === normalName(countyText) ? '' : inColumn;
  const place = countyPlace(state, county);
  if (row.kind === 'question') return { place, office: undefined, basis: 'Law' };
  if (row.scope === 'county') {
    // A letter may be a half of the county: Aroostook's two registers of deeds, `N` and `S`.
    if (Number.isInteger(Number(code)) && code !== '' && row.seats === 1 && row.branch !== 'Judicial')
      return `the district column has ${code}, and the whole county elects the office`;
    if (code !== '' && !CODE.test(code)) return `the district ${code} is neither a number nor a letter`;
    const found = countyOffice(place, row.name) ?? office(place, row.name, 'Local', branchOf(row));
    return of(found, 'Law', position ?? (code === '' ? undefined : `Position ${code.toUpperCase()}`));
  }
  if (code === '') return NO_DISTRICT;
  if (!CODE.test(code)) return `the district ${code} is neither a number nor a letter`;
  const name = `${place.row.values.name} ${row.division} ${code.toUpperCase()}`;
  const part = row.ocd_type
    ? placeWithin(`${place.id.value}/${row.ocd_type}:${code}`, 'County subdivision', name, state)
    : namedPlace(state, 'County subdivision', name);
  return of(office(part, row.name, 'Local', branchOf(row)), 'Stated', position);
}

function ofTown({ row, code, position }: NamedContest, { state, town, townFips }: VotesFrom): PlacedContest | string {
  const fips = withoutFraction(townFips).padStart(10, '0');
  if (fips.length !== 10 || !Number.isInteger(Number(fips)) || !fips.startsWith(state.fips))
    return 'the source does not have the code of the town';
  if (code !== '') return `the district ${code} is a part of the town, which needs a row of its own`;
  const geoid = districtGeoid('County subdivision', fips);
  const { id, row: values } = namedPlace(state, 'County subdivision', titleCase(town));
  const place: Place = {
    id: geoid,
    row: { ...values, ids: [geoid, id], values: { ...values.values, geo_id: `0600000US${fips}` } },
  };
  if (row.kind === 'question') return { place, office: undefined, basis: 'Stated' };
  return of(office(place, row.name, 'Local', branchOf(row)), 'Stated', position);
}

function ofDistrict(
  { row, position }: NamedContest,
  { state }: VotesFrom,
  known: KnownDistricts,
): PlacedContest | string {
  const { ocdid = '', district_type: type, district_name: name } = row;
  const stored = known.get(ocdid);
  if (!stored && !(type && name))
    return `the district ${ocdid} is not in the data: import it, or give district_type and district_name`;
  const place = placeWithin(
    ocdid,
    (type ?? stored?.type) as Parameters<typeof placeWithin>[1],
    name ?? stored?.name ?? '',
    state,
  );
  if (row.kind === 'question') return { place, office: undefined, basis: 'Stated' };
  return of(
    office(place, row.name || titleCase(normalName(row.text).toUpperCase()), 'Local', branchOf(row)),
    'Stated',
    position,
  );
}

function branchOf({ branch }: { readonly branch: string }): 'Legislative' | 'Executive' | 'Judicial' {
  return branch === 'Legislative' || branch === 'Judicial' ? branch : 'Executive';
}
