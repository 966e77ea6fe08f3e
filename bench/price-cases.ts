import { type GraphQLField, type GraphQLSchema, getNamedType, isCompositeType, isObjectType, parse } from 'graphql';
import { computeComplexity } from '../src/gateway/graphql/documents/query-complexity.ts';
import { definitionsOf } from '../src/gateway/graphql/documents/selections.ts';

/** Records of a store that the cases name. */
export interface PriceSample {
  readonly state: string;
  readonly electionDate: string;
  readonly point: { readonly latitude: number; readonly longitude: number };
  /** Global ids of districts, and of their boundaries: those with the most vertices first. */
  readonly ids: readonly string[];
  readonly boundaryIds: readonly string[];
}

/** An operation that selects one field at its cheapest or dearest. */
export interface PriceCase {
  readonly field: string;
  readonly form: 'cheapest' | 'dearest';
  readonly document: string;
  readonly cost: number;
}

/** Returns a document with a selection on objects of a type: on one, or on as many as `count`. */
type Path = (count: number, selection: string, sample: PriceSample) => string;

const page =
  (field: string, args = '') =>
  (count: number, selection: string, sample: PriceSample) =>
    `{ ${field}(first: ${count}${args.replace('STATE', sample.state)}) { edges { node { ${selection} } } } }`;
const ofPage = (field: string, selection: (inner: string) => string, args = ''): Path => {
  const outer = page(field, args);
  return (count, inner, sample) => outer(count, selection(inner), sample);
};
const connection =
  (field: string): Path =>
  (count, selection) =>
    `{ ${field}(first: ${count}) { ${selection} } }`;
const locations: (selection: (inner: string) => string) => Path =
  (selection) =>
  (count, inner, { point }) => {
    const points = Array.from(
      { length: count },
      (_, index) => `{latitude: ${point.latitude + index / 100}, longitude: ${point.longitude}}`,
    );
    return `{ locations(points: [${points.join(', ')}]) { ${selection(inner)} } }`;
  };
const nodes =
  (type: string, ids: 'ids' | 'boundaryIds', selection: (inner: string) => string = (inner) => inner): Path =>
  (count, inner, sample) =>
    `{ nodes(ids: ${JSON.stringify(sample[ids].slice(0, count))}) { ... on ${type} { ${selection(inner)} } } }`;
const stateBallot: (selection: (inner: string) => string) => Path =
  (selection) =>
  (count, inner, { state, electionDate }) =>
    `{ stateBallot(state: "${state}", electionDate: "${electionDate}", first: ${count}) { ${selection(inner)} } }`;
const ballots = (selection: (inner: string) => string): Path =>
  locations((inner) => `ballot(electionDate: "ELECTION") { ${selection(inner)} }`);
const voting = (selection: (inner: string) => string): Path =>
  locations((inner) => `voting(on: "ELECTION") { ${selection(inner)} }`);
const SQUARE = (degrees: number) =>
  `boundingBox: {west: -74.1, south: 41.1, east: ${-74.1 + degrees}, north: ${41.1 + degrees}}`;
const area =
  (selection: (inner: string) => string): Path =>
  (count, inner) =>
    `{ area(${SQUARE(count > 1 ? 5 : 0.1)}) { ${selection(inner)} } }`;

/** A day on which maps of Congress began. */
const NEW_MAP = 'on: "2023-01-03"';

/** How to reach objects of each type of the schema. */
const PATHS: Readonly<Record<string, Path>> = {
  Query: (_, selection) => `{ ${selection} }`,
  Area: area((inner) => inner),
  DistrictShare: area((inner) => `districts { ${inner} }`),
  ZipCodeArea: (_, selection) => `{ zip(code: "05602") { ${selection} } }`,
  Ballot: ballots((inner) => inner),
  BallotDistrict: ballots((inner) => `districts { ${inner} }`),
  MissingMap: ballots((inner) => `missingMaps { ${inner} }`),
  BallotDistrictConnection: stateBallot((inner) => inner),
  BallotDistrictEdge: stateBallot((inner) => `edges { ${inner} }`),
  BulkQuery: (_, selection) => `{ bulkQueries { ${selection} } }`,
  CoverageLayer: (_, selection, { state }) => `{ coverage(state: "${state}") { ${selection} } }`,
  ChangePage: (count, selection) => `{ changes(after: "start", first: ${count}) { ${selection} } }`,
  Change: (count, selection) => `{ changes(after: "start", first: ${count}) { nodes { ${selection} } } }`,
  MapDay: (_, selection, { state }) => `{ coverage(state: "${state}") { mapDays { ${selection} } } }`,
  Source: (_, selection) => `{ sources { ${selection} } }`,
  Findable: (_, selection) => `{ findable { ${selection} } }`,
  Geocoding: (_, selection) => `{ geocode(text: "149 Main St, Montpelier VT") { ${selection} } }`,
  GeocodeMatch: (_, selection) => `{ geocode(text: "149 Main St, Montpelier VT") { matches { ${selection} } } }`,
  GeocodePoint: (_, selection) =>
    `{ geocode(text: "149 Main St, Montpelier VT") { matches { point { ${selection} } } } }`,
  Location: locations((inner) => inner),
  NextElections: locations((inner) => `nextElections { ${inner} }`),
  LocationVoting: voting((inner) => inner),
  LocationVotingPlace: voting((inner) => `places { ${inner} }`),
  VotingPlace: voting((inner) => `places { place { ${inner} } }`),
  OpenInterval: voting((inner) => `places { place { openIntervals { ${inner} } } }`),
  Deadline: voting((inner) => `deadlines { ${inner} }`),
  LocalText: voting((inner) => `deadlines { label { ${inner} } }`),
  ElectionVotingPlaceConnection: ofPage('elections', (inner) => `votingPlaces(first: 20) { ${inner} }`),
  ElectionVotingPlaceEdge: ofPage('elections', (inner) => `votingPlaces(first: 20) { edges { ${inner} } }`),
  LocationDistrict: locations((inner) => `districtsWithBoundary { ${inner} }`),
  LocationLayer: locations((inner) => `changes { ${inner} }`),
  LocationChange: locations((inner) => `changes { changes { ${inner} } }`),
  NearestLine: locations((inner) => `nearestLines { ${inner} }`),
  DistrictSuccession: nodes('District', 'ids', (inner) => `successors(${NEW_MAP}) { ${inner} }`),
  DistrictSuccessionPart: nodes('District', 'ids', (inner) => `successors(${NEW_MAP}) { parts { ${inner} } }`),
  MapChanges: (_, selection, { state }) =>
    `{ mapChanges(state: "${state}", type: CONGRESS, ${NEW_MAP}) { ${selection} } }`,
  District: nodes('District', 'ids'),
  NewerMap: nodes('District', 'ids', (inner) => `newerMap { ${inner} }`),
  DistrictConnection: connection('districts'),
  DistrictEdge: (count, selection) => `{ districts(first: ${count}) { edges { ${selection} } } }`,
  DistrictContainmentConnection: nodes('District', 'ids', (inner) => `containedIn(first: 5) { ${inner} }`),
  DistrictContainmentEdge: nodes('District', 'ids', (inner) => `containedIn(first: 5) { edges { ${inner} } }`),
  Boundary: nodes('Boundary', 'boundaryIds'),
  BoundingBox: nodes('Boundary', 'boundaryIds', (inner) => `boundingBox { ${inner} }`),
  PageInfo: (count, selection) => `{ races(first: ${count}) { pageInfo { ${selection} } } }`,
  Race: page('races', ', filter: {state: "STATE"}'),
  RaceBoundary: ofPage('races', (inner) => `boundary { ${inner} }`),
  PrecinctResult: ofPage('races', (inner) => `results(by: PRECINCT, first: 20) { nodes { ${inner} } }`),
  PrecinctResultConnection: ofPage('races', (inner) => `results(by: PRECINCT, first: 20) { ${inner} }`),
  PrecinctResultEdge: ofPage('races', (inner) => `results(by: PRECINCT, first: 20) { edges { ${inner} } }`),
  CandidateVotes: ofPage('races', (inner) => `results(by: PRECINCT, first: 20) { nodes { votes { ${inner} } } }`),
  RankedChoiceRound: ofPage('candidates', (inner) => `rankedChoiceRounds { ${inner} }`),
  Contact: ofPage('officeholders', (inner) => `contacts { ${inner} }`),
  SocialLink: ofPage('officeholders', (inner) => `socialLinks { ${inner} }`),
  ElectionOffice: nodes('District', 'ids', (inner) => `electionOffice { ${inner} }`),
  Identifier: nodes('District', 'ids', (inner) => `identifiers { ${inner} }`),
  __Schema: (_, selection) => `{ __schema { ${selection} } }`,
  __Type: (_, selection) => `{ __schema { types { ${selection} } } }`,
  __Field: (_, selection) => `{ __schema { types { fields { ${selection} } } } }`,
  __InputValue: (_, selection) => `{ __schema { types { fields { args { ${selection} } } } } }`,
  __EnumValue: (_, selection) => `{ __schema { types { enumValues { ${selection} } } } }`,
  __Directive: (_, selection) => `{ __schema { directives { ${selection} } } }`,
};

const RECORDS: readonly (readonly [type: string, single: string, plural: string])[] = [
  ['BallotMeasure', 'ballotMeasure', 'ballotMeasures'],
  ['Candidate', 'candidate', 'candidates'],
  ['Election', 'election', 'elections'],
  ['Office', 'office', 'offices'],
  ['Officeholder', 'officeholder', 'officeholders'],
  ['Party', 'party', 'parties'],
  ['Person', 'person', 'people'],
  ['Race', 'race', 'races'],
  ['District', 'district', 'districts'],
];

function pathTo(type: string): Path | undefined {
  const known = PATHS[type];
  if (known) return known;
  const [name, , plural = ''] = RECORDS.find(([record]) => type.replace(/(Connection|Edge)$/, '') === record) ?? [];
  if (name === undefined) return undefined;
  if (type === name) return page(plural);
  if (type === `${name}Connection`) return connection(plural);
  return type === `${name}Edge`
    ? (count, selection) => `{ ${plural}(first: ${count}) { edges { ${selection} } } }`
    : undefined;
}

const DAYS = 'from: "1990-01-01", to: "2030-01-01"';
const NO_MAP = 'on: "1900-01-01"';
const SINCE = 'first: 1, updatedSince: "2100-01-01T00:00:00Z"';
const ALL_DAYS = ['', DAYS] as const;
const ON_DAY = ['', 'on: "2022-11-08"'] as const;
const DEPRECATED = ['', 'includeDeprecated: true'] as const;

/** The arguments of fields that have some, at their cheapest and dearest. */
const ARGUMENTS: Readonly<Record<string, readonly [cheapest: string, dearest: string]>> = {
  'Query.changes': ['', 'after: "start", first: 100'],
  'Area.districts': ['types: []', ''],
  'Area.isSplit': ['types: []', ''],
  'Area.boundingBox': ['', 'on: "2024-01-01"'],
  'ZipCodeArea.boundingBox': ['', 'on: "2024-01-01"'],
  'ZipCodeArea.districts': ['types: []', ''],
  'ZipCodeArea.isSplit': ['types: []', ''],
  'Boundary.geometry': ['', 'tolerance: 1'],
  'Election.deadlines': ['state: "ZZ"', 'language: "es"'],
  'Election.votingPlaces': ['first: 1', 'first: 20, near: {latitude: 41.5, longitude: -73.5}'],
  'LocationVoting.deadlines': ['', 'language: "es"'],
  'Location.voting': ['on: "1990-01-01"', 'on: "ELECTION"'],
  'Race.results': ['by: PRECINCT, first: 1', 'by: PRECINCT, first: 100'],
  'District.ballotMeasures': ALL_DAYS,
  'District.boundary': ON_DAY,
  'District.newerMap': ON_DAY,
  'District.containedIn': ['first: 1, types: []', 'first: 1, minimumShare: 0.001'],
  'District.contains': ['first: 1, types: []', 'first: 1, minimumShare: 0.001'],
  'District.elections': ALL_DAYS,
  'District.predecessors': [NO_MAP, NEW_MAP],
  'District.successors': [NO_MAP, NEW_MAP],
  'District.officeholders': ON_DAY,
  'District.races': ALL_DAYS,
  'Location.ballot': ['electionDate: "1990-01-01"', 'electionDate: "ELECTION"'],
  'Location.ballots': ALL_DAYS,
  'Location.changes': ['from: "2100-01-01"', ''],
  'Location.districts': ON_DAY,
  'Location.districtsWithBoundary': ON_DAY,
  'Location.elections': ['first: 1', DAYS],
  'Location.nearestLines': ON_DAY,
  'Location.nextElections': ['first: 1', 'first: 100'],
  'Office.holderKnown': ON_DAY,
  'Office.officeholders': ON_DAY,
  'Office.races': ALL_DAYS,
  'Query.area': [SQUARE(0.1), SQUARE(5)],
  'Query.boundary': ['databaseId: 0', 'databaseId: 1'],
  'Query.coverage': ['state: "ZZ"', 'state: "STATE"'],
  'Query.geocode': ['first: 1, text: "a"', 'first: 10, text: "149 Main St Montpelier VT 05602"'],
  'Query.location': ['latitude: 0, longitude: 0', 'latitude: 41.5, longitude: -73.5'],
  'Query.locations': ['points: []', 'points: [{latitude: 41.5, longitude: -73.5}]'],
  'Query.mapChanges': [`state: "STATE", type: CONGRESS, ${NO_MAP}`, `state: "STATE", type: CONGRESS, ${NEW_MAP}`],
  'Query.node': ['id: "ID"', 'id: "ID"'],
  'Query.nodes': ['ids: ["ID"]', 'ids: IDS'],
  'Query.record': ['scheme: "none", value: "1"', 'scheme: "geoid", value: "50"'],
  'Query.records': [
    'identifiers: [{scheme: "none", value: "1"}]',
    'identifiers: [{scheme: "geoid", value: "50"}, {scheme: "ocdid", value: "ocd-division/country:us/state:vt"}]',
  ],
  'Query.stateBallot': [
    'state: "STATE", electionDate: "1990-01-01", first: 1',
    'state: "STATE", electionDate: "ELECTION", first: 100',
  ],
  'Query.zip': ['code: "00000"', 'code: "05602"'],
  'Query.districts': ['first: 1', `${SINCE}, name: "zz qq"`],
  'Query.parties': ['first: 1', `${SINCE}, name: "zz qq"`],
  'Query.people': ['first: 1', `${SINCE}, name: "zz qq"`],
  ...Object.fromEntries(
    ['ballotMeasures', 'candidates', 'elections', 'offices', 'officeholders', 'races'].map((name) => [
      `Query.${name}`,
      ['first: 1', SINCE],
    ]),
  ),
  ...Object.fromEntries(
    [
      '__Schema.directives',
      '__Type.fields',
      '__Type.enumValues',
      '__Type.inputFields',
      '__Field.args',
      '__Directive.args',
    ].map((name) => [name, DEPRECATED]),
  ),
  ...Object.fromEntries(
    [...RECORDS, ['', 'votingPlace'] as const].map(([, name]) => [`Query.${name}`, ['databaseId: 0', 'databaseId: 1']]),
  ),
};

/**
 * Returns the operations that select each field of the schema with its cheapest and its dearest arguments, the dearest
 * on as many objects as the limit of the cost allows.
 * @throws Error that names the fields for which this file says neither how to reach them nor what their arguments are.
 */
export function priceCases(schema: GraphQLSchema, sample: PriceSample, limit: number): PriceCase[] {
  // Each event of a subscription is priced as the query of the same name.
  const isPriced = (type: object) => type !== schema.getSubscriptionType();
  const types = Object.values(schema.getTypeMap()).filter(isObjectType).filter(isPriced);
  const missing: string[] = [];
  const cases: PriceCase[] = [];
  for (const type of types) {
    const path = pathTo(type.name);
    for (const field of Object.values(type.getFields())) {
      const name = `${type.name}.${field.name}`;
      const forms = ARGUMENTS[name] ?? (field.args.length === 0 ? ['', ''] : undefined);
      if (!path || !forms) {
        missing.push(name);
        continue;
      }
      for (const [index, form] of (['cheapest', 'dearest'] as const).entries()) {
        const selection = selectionOf(field, forms[index] ?? '');
        const counts = form === 'cheapest' ? [1] : [100, 50, 25, 10, 5, 2, 1];
        const documents = counts.map((count) => fill(path(count, selection, sample), sample));
        const priced = documents.map((document) => ({
          document,
          cost: computeComplexity(schema, definitionsOf(parse(document)), {}).cost,
        }));
        const chosen = priced.find(({ cost }) => cost <= limit) ?? priced.at(-1);
        if (chosen) cases.push({ field: name, form, ...chosen });
      }
    }
  }
  if (missing.length > 0) throw new Error(`The prices of these fields are not measured: ${missing.join(', ')}.`);
  return cases;
}

function fill(document: string, { ids, state, electionDate }: PriceSample): string {
  return document
    .replaceAll('IDS', JSON.stringify(ids.slice(0, 100)))
    .replaceAll('"ID"', JSON.stringify(ids[0]))
    .replaceAll('"STATE"', JSON.stringify(state))
    .replaceAll('ELECTION', electionDate);
}

function selectionOf(field: GraphQLField<unknown, unknown>, args: string): string {
  const type = getNamedType(field.type);
  const isConnection = type.name.endsWith('Connection');
  const inner = isCompositeType(type) ? ` { ${isConnection ? 'edges { node { __typename } }' : '__typename'} }` : '';
  // What an area costs is told by its fields.
  const of = type.name === 'Area' ? ' { districts { areaShare } }' : inner;
  return `${field.name}${args && `(${args})`}${of}`;
}
