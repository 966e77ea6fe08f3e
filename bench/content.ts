import { DISTRICT_TYPES } from '../src/graph/districts/district-type.ts';
import { POINTS_PER_REQUEST, type WorkloadName } from './workloads.ts';

/**
 * Normalises the content of responses from any server to the shape of REST, so that they can be compared. Empty values
 * (null, empty string, empty list, false) count as absent, since the APIs represent them differently.
 */

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Any = any;

const TEXTS = new Map<string, string>([
  ...DISTRICT_TYPES.map(([name, text]) => [name, text] as const),
  ...['Federal', 'State', 'Local', 'Legislative', 'Executive', 'Judicial', 'Upper', 'Lower'].map(
    (text) => [text.toUpperCase(), text] as const,
  ),
]);
const ENUMS = new Set(['type', 'level', 'branch', 'chamber']);

/** Returns the content of a response of the baseline or of REST. */
export function contentOfRest(body: Any): unknown {
  return filled(body.data);
}

/** Returns the content of a response of any GraphQL server whose documents use the field names of this service. */
export function contentOfGraphql(workload: WorkloadName, { data, errors }: Any): unknown {
  if (errors) throw new Error(JSON.stringify(errors).slice(0, 500));
  const found: Any = withIds(data);
  const edges = found.location?.districtsWithBoundary?.map(({ district, boundary }: Any) => ({
    ...district,
    boundary,
  }));
  if (workload === 'races') return filled(racesOf(found.races));
  const districts = edges ?? found.location?.districts ?? found.districts;
  if (workload === 'points') return filled(listsOf(found));
  if (workload === 'districts') return filled(districts.map(districtOf));
  if (workload === 'officeholders') return filled([{ elected_officials: { districts: districts.map(officialsOf) } }]);
  const ballot = found.location?.ballot;
  const parts =
    ballot?.districts ??
    found.stateBallot?.edges.map((edge: Any) => edge.node) ??
    found.ballot ??
    ballotsOfContests(found);
  if (workload === 'state') return filled({ districts: parts.map((part: Any) => ballotOf(part, 'race_type')) });
  const of = ballot && { latitude: found.location.latitude, longitude: found.location.longitude };
  return filled({
    ...of,
    elections: [
      {
        date: ballot?.date,
        candidate_lists_complete: ballot?.candidateListsComplete,
        districts: parts.map((part: Any) => ballotOf(part, 'type')),
      },
    ],
  });
}

/** Returns the same data with the numbers of records as `id`, as REST and other servers name them. */
function withIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIds);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, item]) => [name === 'databaseId' ? 'id' : name, withIds(item)]);
  return Object.fromEntries(members);
}

function listsOf(found: Any): unknown[] {
  if (found.locations) return found.locations.map((location: Any) => location.districts);
  if (found.points) return found.points;
  const lists: unknown[][] = Array.from({ length: POINTS_PER_REQUEST }, () => []);
  for (const { n, ...district } of found.pointDistricts) lists[n - 1]?.push(district);
  return lists;
}

function districtOf({ id, boundary, endDate, precise, ocdId, geoId, ncesId, ...rest }: Any): unknown {
  const named = { ocdid: ocdId, geo_id: geoId, nces_id: ncesId, end_date: boundary?.endDate ?? endDate };
  return { ...rest, id: String(id), ...named, precise_boundary: boundary?.precise ?? precise };
}

function officialsOf({ id, name, type, state, boundary, precise, offices }: Any): unknown {
  return {
    ...{ id, name, type, state, precise_boundary: boundary?.precise ?? precise },
    offices: offices.map(({ officeholders, holderKnown, ...office }: Any) => ({
      ...office,
      holder_known: holderKnown,
      officeholders: officeholders.map(({ id: holder, status, party, partyId, person, contacts }: Any) => ({
        ...{ id: holder, status, name: person.name, last_name: person.lastName, url: person.url },
        partisan_affiliation: party?.id ?? partyId,
        officeholder_contact_information: contactsOf(contacts),
        person_contact_information: contactsOf(person.contacts),
      })),
    })),
  };
}

function racesOf(races: Any): unknown {
  const list = races.edges?.map(({ node }: Any) => node) ?? races;
  return list.map(({ candidates, ...race }: Any) => ({
    ...snake(race),
    candidates: candidates.map(({ id, status, votes, parties, person }: Any) => ({
      ...{ id, cand_status: status, votes_for_cand: votes, person },
      party_affiliation: parties.map((each: Any) => each.party ?? each),
    })),
  }));
}

function contactsOf(contacts: Any): unknown {
  return contacts?.map(({ type, contact }: Any) => ({ contact_type: type, contact }));
}

function ballotOf({ district, boundary, races, ballotMeasures }: Any, typeName: string): unknown {
  const of = district.id;
  return {
    ...{ id: of, name: district.name, type: district.type, precise_boundary: (boundary ?? district.boundary)?.precise },
    races: races.map(({ office, candidates, type, ...race }: Any) => ({
      ...snake(race),
      [typeName]: type,
      office_district: of,
      office: { ...snake({ ...office, district: undefined }), office_district: of },
      candidates: candidates.map(
        ({ status, votes, rankedChoiceRounds, parties, person: { contacts, ...person }, ...candidate }: Any) => ({
          ...snake(candidate),
          ...{ race: race.id, cand_status: status, votes_for_cand: votes },
          party_affiliation: parties.map((each: Any) => each.party ?? each),
          ranked_choice_voting_rounds: rankedChoiceRounds.map((each: Any) => ({
            ...{ rcv_round: each.round, votes_for: each.votesGained, status: each.status },
          })),
          person: snake(person),
          person_contact_information: contactsOf(contacts),
        }),
      ),
    })),
    ballot_measures: ballotMeasures.map((measure: Any) => ({ ...snake(measure), district: of })),
  };
}

/** Assembles the ballots of districts, for which PostGraphile has no type. */
function ballotsOfContests({ races, measures }: Any): Any[] {
  const parts = new Map<number, Any>();
  const partOf = (district: Any) => {
    const part = parts.get(district.id) ?? { district, races: [], ballotMeasures: [] };
    parts.set(district.id, part);
    return part;
  };
  for (const race of races) partOf(race.office.district).races.push(race);
  for (const measure of measures) partOf(measure.district).ballotMeasures.push(measure);
  return [...parts.values()];
}

function snake(value: Record<string, unknown>): Record<string, unknown> {
  const named = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [named(key), item]));
}

function filled(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(item));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([name, item]) => [name, filled(item, name)] as const);
    return Object.fromEntries(entries.filter(([, item]) => !isEmpty(item)));
  }
  // REST gives parties the names of the replaced service ("Democratic Party").
  if (typeof value === 'string' && key === 'name') return value.replace(/ Party$/, '');
  return typeof value === 'string' && ENUMS.has(key) ? (TEXTS.get(value) ?? value) : value;
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

const NOT_REQUESTED_FROM_PEERS = new Set([
  'candidate_lists_complete',
  'latitude',
  'longitude',
  'date',
  'election_date',
  'precise_boundary',
  'holder_known',
]);

/** Returns content without its order and without the fields that the peers are not requested to return. */
export function loosely(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(loosely);
    return items.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !NOT_REQUESTED_FROM_PEERS.has(key));
  return Object.fromEntries(
    entries.map(([key, item]) => [key, loosely(item)] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
