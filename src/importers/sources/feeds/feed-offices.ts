import { normalName } from '../../../base/words/normal-name.ts';
import type { ExternalId, ImportRow, ImportValue } from '../../exchange/import-rows.ts';
import { officeOf } from '../../facts/congress-terms.ts';
import { stateOfficeName } from '../../facts/full-names.ts';
import { houseOffice, legislativeOffice, senateOffice, statewideOffice } from '../../facts/offices.ts';
import { DECLARED_OFFICES } from '../../results/office-rows.ts';
import { childrenOf, flagOf, identifiersOf, localText, plain, textOf } from './elements.ts';
import type { Feed } from './feed.ts';
import { countryPlace, type FeedDistrict } from './feed-districts.ts';
import { type OfficeKind, officeKind } from './office-kinds.ts';
import type { XmlElement } from './xml-file.ts';

/** An office of a district, as far as the feed describes it. */
export interface FeedOffice {
  /** The identifier of the office in the feed. */
  readonly id: ExternalId;
  /**
   * The identifier by which other sources find the record; undefined if the feed does not identify the district
   * reliably.
   */
  readonly common: ExternalId | undefined;
  readonly place: FeedDistrict;
  readonly districtId: ExternalId;
  readonly name: string;
  readonly isTermUnexpired: boolean;
  readonly values: Readonly<Record<string, ImportValue>>;
  readonly alone: boolean;
  readonly record: string;
}

export interface OfficeFacts {
  /** Undefined if a contest does not reference its office. */
  readonly element: XmlElement | undefined;
  readonly district: XmlElement;
  readonly place: FeedDistrict;
  /** The title of a contest, used in place of the name of the office. */
  readonly title: string | undefined;
  /** The year of a regular election, which determines the class of a senator. */
  readonly year: number | undefined;
  readonly from: XmlElement;
}

/** Returns the office that an element of a feed describes in a district, or the reason why it is not supported. */
export function feedOffice(feed: Feed, facts: OfficeFacts): FeedOffice | string {
  const { element, district, place, title, from } = facts;
  const name = (element && localText(element, 'Name')) ?? title;
  if (!name) return 'the office has no name';
  const given = element ? rolesOf(element) : { roles: [], levels: [] };
  const kind = officeKind(name, place.type, given.roles, given.levels);
  const isPartisan = element && flagOf(element, 'IsPartisan');
  const own = element
    ? feed.externalId(element, ...ownDistrict(feed, element, district))
    : feed.externalId(district, normalName(name));
  const known = commonOffice(kind, name, facts);
  return {
    id: own,
    common:
      known?.id ?? (place.ocdid ? { scheme: 'office', value: `${place.id.value} ${normalName(name)}` } : undefined),
    place,
    districtId: known?.district ?? place.id,
    name,
    isTermUnexpired: element !== undefined && termType(element) === 'unexpired-term',
    values: {
      name,
      level: kind.level,
      branch: kind.branch,
      chamber: kind.chamber,
      is_partisan: isPartisan === undefined ? undefined : isPartisan ? 'Partisan all' : 'Nonpartisan all',
      ...known?.values,
    },
    alone: kind.chamber !== undefined && kind.federal !== 'sen',
    record: feed.record(element ?? from),
  };
}

export function officeRow({ id, common, districtId, values, alone, record }: FeedOffice): ImportRow {
  return {
    table: 'offices',
    record,
    ids: common ? [common, id] : [id],
    refs: { district_id: districtId },
    values,
    match: { by: 'office', alone },
  };
}

function termType(office: XmlElement): string | undefined {
  const [term] = childrenOf(office, 'Term');
  return term && textOf(term, 'Type');
}

/**
 * Returns what distinguishes an office of a whole chamber in each of its districts; empty if the office states this
 * district itself.
 */
function ownDistrict(feed: Feed, office: XmlElement, district: XmlElement): string[] {
  const id = textOf(office, 'ElectoralDistrictId');
  return id === undefined || id === feed.idOf(district) ? [] : [`in ${feed.externalId(district).value}`];
}

function rolesOf(office: XmlElement): { roles: string[]; levels: string[] } {
  const identifiers = identifiersOf(office);
  const named = (type: string) => identifiers.filter((each) => each.type === type).map(({ value }) => value);
  const direct = (name: string) => childrenOf(office, name).flatMap((child) => plain(child) ?? []);
  const lower = (values: string[]) => values.map((value) => value.toLowerCase());
  return {
    roles: lower([...direct('Role'), ...named('office-role')]),
    levels: lower([...direct('Level'), ...named('office-level')]),
  };
}

interface CommonOffice {
  readonly id: ExternalId;
  readonly values?: Readonly<Record<string, ImportValue>>;
  readonly district?: ExternalId;
}

/** Returns the identifier that all sources share for an office that all of them can identify. */
function commonOffice(kind: OfficeKind, name: string, { place, year }: OfficeFacts): CommonOffice | undefined {
  const { state, ocdid = '' } = place;
  if (kind.federal === 'prez' || kind.federal === 'viceprez') {
    const seat = officeOf({ type: kind.federal, start: '', end: '' });
    return typeof seat === 'string' ? undefined : { id: seat.id, values: seat.values, district: countryPlace.id };
  }
  if (!state) return undefined;
  if (kind.federal === 'sen') {
    const senator = year === undefined ? undefined : senateOffice(state, year);
    return senator && { id: senator.id, values: senator.values };
  }
  const [, division = '', code = ''] = /\/(cd|sldl|sldu):([^/]+)$/.exec(ocdid) ?? [];
  if (division === 'cd') {
    const house = houseOffice(state, code === 'at-large' ? 0 : Number(code));
    return { id: house.id, values: house.values };
  }
  if (division && kind.chamber) {
    const { id, values } = legislativeOffice(state, kind.chamber, code);
    return { id, values: { name: values.name, type: values.type } };
  }
  if (place.type !== 'State') return undefined;
  const short = name.replace(new RegExp(`^${state.name} | (of|for) ${state.name}$`, 'i'), '');
  const statewide = statewideOffice(state, short);
  const shown = kind.level === 'State' ? stateOfficeName(state, short) : undefined;
  if (statewide) return { id: statewide.id, ...(shown ? { values: shown } : {}) };
  // `Governor and Lieutenant Governor` is the governor in other sources.
  const row = DECLARED_OFFICES.find(state, short, ({ scope, kind }) => scope === 'state' && kind === '')?.row;
  const known = row && statewideOffice(state, row.name);
  if (known) return { id: known.id, values: { name: known.values.name, type: known.values.type } };
  const id = { scheme: 'office', value: `${place.id.value} ${normalName(name)}` };
  return shown && { id, values: shown };
}
