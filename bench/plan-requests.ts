import type { InjectOptions } from 'fastify';
import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  parse,
  print,
  visit,
} from 'graphql';
import { readPageDocuments } from '../src/gateway/pages/page-documents.ts';
import { DISTRICT_TYPES } from '../src/graph/districts/district-type.ts';
import { schema } from '../src/graph/schema.ts';
import type { BenchPoint } from './workloads.ts';

/** Values of a database that requests are made of. */
export interface PlanSamples {
  readonly points: readonly BenchPoint[];
  /** A large and a small state. */
  readonly states: readonly [string, string];
  readonly electionDate: string;
  /** Addresses and places to geocode. */
  readonly texts: readonly string[];
  readonly zips: readonly string[];
}

/** Global ids by type. */
export type Ids = ReadonlyMap<string, readonly string[]>;
type Variables = Readonly<Record<string, unknown>>;
type Field = GraphQLField<unknown, unknown>;

const MANY = 100;
/** A time before all updates, and one after all. */
const TIMES = ['1990-01-01T00:00:00Z', '2100-01-01T00:00:00Z'];
const TILES = ['0/0/0', '2/0/1', '3/2/3', '4/4/6', '5/9/12', '8/75/96', '12/1205/1540'];

const graphql = (query: string, variables: Variables = {}): InjectOptions => ({
  method: 'POST',
  url: '/graphql',
  payload: { query, variables },
});

/** Returns requests of all surfaces, with small and large arguments. */
export function planRequests(samples: PlanSamples, ids: Ids): InjectOptions[] {
  return [
    ...restRequests(samples),
    ...TILES.flatMap((tile) => DISTRICT_TYPES.map(([type]) => ({ url: `/tiles/${type}/2024-11-05/${tile}.pbf` }))),
    ...mcpRequests(samples),
    ...pageRequests(samples, ids),
    ...pointRequests(samples),
    ...areaRequests(samples),
    ...listRequests(samples, ids),
    ...objectRequests(samples, ids),
  ];
}

/** Returns the requests that read ids of each type, from the first and the last pages of the lists. */
export function idRequests(): InjectOptions[] {
  return connectionsOf('Query')
    .filter(({ args }) => !args.some(isRequiredArgument))
    .flatMap(({ name }) =>
      ['first', 'last'].map((end) => graphql(`{ ${name}(${end}: ${MANY}) { edges { node { __typename id } } } }`)),
    );
}

function restRequests({ points, states, electionDate }: PlanSamples): InjectOptions[] {
  const ofPoints = points.flatMap(({ latitude, longitude }) => [
    `/data/districts/point?lat=${latitude}&long=${longitude}`,
    `/data/officeholders?collections=contact,social&lat=${latitude}&long=${longitude}`,
    `/data/elections_by_point?collections=contact&election_date=${electionDate}&lat=${latitude}&long=${longitude}`,
    `/data/election_dates/point?lat=${latitude}&long=${longitude}`,
  ]);
  const ofStates = states.flatMap((state) => [
    `/data/elections_by_state?collections=contact&election_date=${electionDate}&state=${state}`,
    `/data/elections_by_state?election_date=${electionDate}&state=${state}&office_level=State&page=2`,
  ]);
  const lists = [`/data/election_dates/list?year=${electionDate.slice(0, 4)}`, '/data/election_dates/list?page=2'];
  return [...ofPoints, ...ofStates, ...lists].map((url) => ({ url }));
}

function mcpRequests({ points, states, electionDate }: PlanSamples): InjectOptions[] {
  const call = (name: string, args: Variables): InjectOptions => ({
    method: 'POST',
    url: '/mcp',
    headers: { accept: 'application/json, text/event-stream' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  });
  return [
    ...points.flatMap((point) => [
      call('who_represents', { ...point }),
      call('whats_on_my_ballot', { ...point, date: electionDate }),
      call('compare_maps', { ...point, first: '2022-01-01', second: electionDate }),
    ]),
    ...states.flatMap((state) => [call('find_elections', { state }), call('results', { state, date: electionDate })]),
    ...['Smith', 'Bernard Sanders', 'Zzyzx'].map((name) => call('find_person', { name })),
  ];
}

/** The documents of the map page and of the widget, with values of the types of their variables. */
function pageRequests({ points, states, electionDate, texts, zips }: PlanSamples, ids: Ids): InjectOptions[] {
  const [{ latitude, longitude } = { latitude: 0, longitude: 0 }] = points;
  const box = { west: longitude, south: latitude, east: longitude + 1, north: latitude + 1 };
  const byType: Variables = {
    ...{ Latitude: latitude, Longitude: longitude, Date: electionDate, State: states[0], ZipCode: zips[0] ?? '05602' },
    ...{ ID: ids.get('Boundary')?.[0], BoundingBoxInput: box, DistrictType: 'COUNTY', PointInput: points[0] },
    ...{ Int: 5, Float: 0.01, Boolean: true, String: texts[0] },
  };
  return [...readPageDocuments().values()].map(({ text }) => {
    const given: Record<string, unknown> = {};
    visit(parse(text), {
      VariableDefinition({ variable, type }) {
        const source = print(type).replaceAll('!', '');
        const value = byType[source.replaceAll(/[[\]]/g, '')];
        given[variable.name.value] = source.startsWith('[') && value !== undefined ? [value] : value;
      },
    });
    return graphql(text, given);
  });
}

function pointRequests({ points, electionDate }: PlanSamples): InjectOptions[] {
  const many = Array.from({ length: MANY }, (_, index) => points[index % points.length]);
  return fieldsOf('Location').flatMap((field) => {
    const document = `query ($points: [PointInput!]!) { locations(points: $points) { ${selectionOf(field, electionDate)} } }`;
    return [points.slice(0, 1), many].map((some) => graphql(document, { points: some }));
  });
}

function areaRequests({ points, texts, zips }: PlanSamples): InjectOptions[] {
  const shares = '{ district { id } areaShare addressShare }';
  const boxes = points.slice(0, 2).flatMap(({ latitude, longitude }) =>
    [0.01, 0.5, 4.9].map((side) => ({
      west: longitude,
      south: latitude,
      east: longitude + side,
      north: latitude + side,
    })),
  );
  return [
    ...boxes.flatMap((box) =>
      ['', '(types: [COUNTY])'].map((types) =>
        graphql(`query ($box: BoundingBoxInput) { area(boundingBox: $box) { districts${types} ${shares} } }`, { box }),
      ),
    ),
    ...zips.map((code) => graphql(`query ($code: ZipCode!) { zip(code: $code) { districts ${shares} } }`, { code })),
    ...texts.flatMap((text) =>
      [1, 0.5].map((part) =>
        graphql('query ($text: String!) { geocode(text: $text, first: 20) { matches { label } } }', {
          text: text.slice(0, Math.ceil(text.length * part)),
        }),
      ),
    ),
  ];
}

/** Each list alone, and with each of its filters, orders and times of updates, from both ends, with its count. */
function listRequests(samples: PlanSamples, ids: Ids): InjectOptions[] {
  return connectionsOf('Query').flatMap(({ name: list, args }) => {
    const [state] = samples.states;
    const required = args.some(isRequiredArgument) ? { state, electionDate: samples.electionDate } : {};
    const variants = args.flatMap(({ name, type }): Variables[] => {
      const named = getNamedType(type);
      if (['after', 'before', 'first', 'last', 'page'].includes(name)) return [];
      if (!isInputObjectType(named)) return valuesOf(name, type, samples, ids).map((value) => ({ [name]: value }));
      return Object.values(named.getFields()).flatMap((field) =>
        valuesOf(field.name, field.type, samples, ids).map((value) => ({ [name]: { [field.name]: value } })),
      );
    });
    return [{}, ...variants].flatMap((variant) => {
      const given: Variables = { ...required, ...variant };
      const declared = args.filter(({ name }) => name in given);
      const head = declared.map(({ name, type }) => `$${name}: ${type}`).join(', ');
      return [`first: ${MANY}`, `last: ${MANY}`].map((end) => {
        const passed = [...declared.map(({ name }) => `${name}: $${name}`), end].join(', ');
        return graphql(`query ${head && `(${head})`} { ${list}(${passed}) { totalCount edges { cursor } } }`, given);
      });
    });
  });
}

/** Each field of each type with an id, for one object and for many, and the other roots. */
function objectRequests({ states, electionDate }: PlanSamples, ids: Ids): InjectOptions[] {
  const relations = [...ids].flatMap(([type, known]) =>
    fieldsOf(type).flatMap((field) => {
      const document = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${type} { ${selectionOf(field, electionDate)} } } }`;
      return [1, MANY].map((count) => graphql(document, { ids: known.slice(0, count) }));
    }),
  );
  const identifiers = Array.from({ length: MANY }, (_, index) => ({ scheme: 'geoid', value: String(10_001 + index) }));
  const records = 'query ($identifiers: [IdentifierInput!]!) { records(identifiers: $identifiers) { id } }';
  return [
    ...relations,
    ...[1, MANY].map((count) => graphql(records, { identifiers: identifiers.slice(0, count) })),
    ...states.map((state) => graphql(`{ coverage(state: "${state}") { layer } }`)),
    graphql('{ sources { name } }'),
  ];
}

function fieldsOf(type: string): Field[] {
  const found = schema.getType(type);
  return isObjectType(found) ? Object.values(found.getFields()) : [];
}

function connectionsOf(type: string): Field[] {
  return fieldsOf(type).filter((field) => getNamedType(field.type).name.endsWith('Connection'));
}

/** Returns a field with its required arguments, which are all days, and a selection of its scalars. */
function selectionOf(field: Field, day: string): string {
  const required = field.args.filter(isRequiredArgument).map(({ name }) => `${name}: "${day}"`);
  return `${field.name}${required.length > 0 ? `(${required.join(', ')})` : ''} ${innerOf(field)}`;
}

function innerOf({ type }: Field): string {
  const named = getNamedType(type);
  if (named.name.endsWith('Connection')) return '{ totalCount edges { node { __typename id } } }';
  if (isInterfaceType(named)) return '{ __typename id }';
  if (!isObjectType(named)) return '';
  const scalars = Object.values(named.getFields()).filter(
    (each) => each.args.length === 0 && isLeafType(getNamedType(each.type)),
  );
  return `{ __typename ${scalars.map(({ name }) => name).join(' ')} }`;
}

/** Returns values of an argument or of a member of a filter: few and many, those that fit much and nothing. */
function valuesOf(name: string, type: GraphQLInputType, samples: PlanSamples, ids: Ids): unknown[] {
  const named = getNamedType(type);
  const isList = isListType(getNullableType(type));
  const inList = (values: readonly unknown[]) => (isList ? values.map((value) => [value]) : [...values]);
  if (isEnumType(named)) {
    const values = named.getValues().map((value) => value.name);
    return isList ? [values.slice(0, 1), values.slice(-1), values] : values;
  }
  if (named.name === 'DateTime') return TIMES;
  if (named.name === 'Date') return ['1800-01-01', samples.electionDate, '2200-01-01'];
  if (name === 'state') return [...samples.states];
  if (name === 'name' || name === 'text') return ['a', 'Smith', 'zzyzx'];
  if (name === 'year') return [Number(samples.electionDate.slice(0, 4)), 1900];
  if (named.name === 'ID') return [ids.get('District')?.[0], ids.get('District')?.at(-1)];
  if (named.name === 'Int') return [[1], Array.from({ length: MANY }, (_, index) => index + 1)];
  return named.name === 'String' ? inList(['General', 'Primary']) : [];
}
