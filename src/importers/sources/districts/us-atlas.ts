import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type State, stateByFips, stateOcdid } from '../../../base/words/states.ts';
import {
  districtGeoid,
  type ImportContext,
  ImportError,
  type ImportRow,
  type OpenedSource,
} from '../../exchange/import-rows.ts';
import { countyName } from '../../facts/county-names.ts';
import { COUNTRY_ROW, stateRow } from '../../facts/state-rows.ts';
import { isObject } from '../../read/geometry.ts';
import { readJson } from '../../read/read-documents.ts';
import { type TopoFeature, topoFeatures } from '../../read/topojson.ts';
import { usAtlasFolder } from '../../read/us-atlas-files.ts';
import { US_ATLAS_FROM } from './district-presets.ts';

export interface UsAtlasOptions {
  /**
   * The first day of the boundaries, `YYYY-MM-DD`. The source does not state one; the default is long before any data.
   */
  readonly from?: string;
  readonly to?: string;
  readonly precise?: boolean;
  /** Gives Congress districts that are the only one of their state and have no boundary the boundary of the state. */
  readonly atLarge?: boolean;
}

const SUBSTITUTE = 'has collapsed to a line on the grid of the source and is replaced by the grid cells along it';

type Layer = 'nation' | 'states' | 'counties';
/** The files of the package; each also has the layers of those above it, but at a coarser resolution. */
const FILES: readonly (readonly [file: string, layer: Layer])[] = [
  ['nation-10m.json', 'nation'],
  ['states-10m.json', 'states'],
  ['counties-10m.json', 'counties'],
];

/**
 * Opens the npm package us-atlas (TopoJSON of Census boundaries, 1:10,000,000): a folder with its files, or single
 * files. Without a path, the installed package is used.
 */
export async function openUsAtlas(paths: readonly string[], options: UsAtlasOptions): Promise<OpenedSource> {
  const layers = await findLayers(paths);
  return {
    provenance: {
      name: 'us-atlas',
      source: 'https://www.npmjs.com/package/us-atlas',
      license: 'ISC; boundaries of the U.S. Census Bureau, 2017, public domain',
      asOf: null,
    },
    rows: (context) => rowsOf(layers, options, context),
  };
}

async function findLayers(paths: readonly string[]): Promise<Map<Layer, string>> {
  const layers = new Map<Layer, string>();
  const given = paths.length > 0 ? paths : [usAtlasFolder()];
  for (const path of given) {
    if ((await stat(path).catch(() => undefined))?.isDirectory()) {
      for (const [file, layer] of FILES) {
        if (await stat(join(path, file)).catch(() => undefined)) layers.set(layer, join(path, file));
      }
    } else {
      const layer = FILES.find(([file]) => path.endsWith(file))?.[1];
      if (!layer)
        throw new ImportError(
          'us-atlas consists of nation-10m.json, states-10m.json and counties-10m.json, or a folder with them',
          path,
        );
      layers.set(layer, path);
    }
  }
  if (layers.size === 0)
    throw new ImportError(`contains none of ${FILES.map(([file]) => file).join(', ')}`, given.join(', '));
  return layers;
}

async function* rowsOf(
  layers: Map<Layer, string>,
  options: UsAtlasOptions,
  context: ImportContext,
): AsyncIterable<ImportRow> {
  const features: (readonly [Layer, TopoFeature])[] = [];
  for (const [layer, path] of layers) {
    for (const feature of topoFeatures(await readJson(path), layer)) features.push([layer, feature]);
  }
  const described = features.flatMap(([layer, feature]) => {
    const district = describe(layer, feature);
    if (!district)
      context.report.add(
        `${layer} ${feature.id}`,
        'left-out',
        'its FIPS code is not that of a state, or its name is missing',
      );
    return district ? [{ district, feature }] : [];
  });
  for (const { district } of described) yield district;

  const period = { start_date: options.from ?? US_ATLAS_FROM, end_date: options.to, precise: options.precise ?? false };
  const boundaryOf = (ref: { scheme: string; value: string }, record: string, { geometry }: TopoFeature): ImportRow => {
    return { table: 'boundaries', record, refs: { district_id: ref }, values: period, geometry };
  };
  let done = 0;
  for (const { district, feature } of described) {
    context.onRead(++done, described.length, 'rows');
    if (feature.isSubstitute) context.report.add(district.record, 'left-out', SUBSTITUTE);
    const ref = district.ids?.[0];
    if (ref) yield boundaryOf(ref, district.record, feature);
  }
  if (!options.atLarge) return;
  const states = described.filter(({ district }) => district.values.type === 'State');
  for (const { state, ocdid } of await atLargeDistricts(context)) {
    const found = states.find(({ district }) => district.values.state === state);
    if (found)
      yield boundaryOf({ scheme: 'ocdid', value: ocdid }, `${found.district.record} for ${ocdid}`, found.feature);
  }
}

function describe(layer: Layer, { id, properties }: TopoFeature): ImportRow | undefined {
  if (layer === 'nation') return COUNTRY_ROW;
  const state = stateByFips(id.slice(0, 2));
  if (!state || layer === 'states') return state && stateRow(state);
  const name = isObject(properties) && typeof properties.name === 'string' ? properties.name : '';
  if (!name) return undefined;
  const [ocdid, geo_id] = [countyOcdid(state, id, name), `0500000US${id}`];
  const ids = [districtGeoid('County', geo_id), ...(ocdid === undefined ? [] : [{ scheme: 'ocdid', value: ocdid }])];
  const values = { type: 'County', name: countyName(state, id, name), state: state.postal, ocdid, geo_id };
  return { table: 'districts', record: `county ${id}`, ids, values };
}

/**
 * States with several kinds of county equivalents (boroughs, cities, islands), which the source does not distinguish.
 */
const WITHOUT_COUNTIES = new Set(['AK', 'DC']);
/** The code of the first independent city, which is not a county; codes below it are counties. */
const FIRST_CITY = 510;

/**
 * Returns the OCD id of a county if the name alone determines it; OCD ids encode other characters by rules of their
 * own.
 */
function countyOcdid(state: State, fips: string, name: string): string | undefined {
  const isCounty = state.kind === 'state' && !WITHOUT_COUNTIES.has(state.postal) && Number(fips.slice(2)) < FIRST_CITY;
  if (!isCounty || !/^\p{L}+( \p{L}+)*$/u.test(name)) return undefined;
  const kind = state.postal === 'LA' ? 'parish' : 'county';
  return `${stateOcdid(state)}/${kind}:${name.toLowerCase().replaceAll(' ', '_')}`;
}

async function atLargeDistricts({ db }: ImportContext): Promise<{ state: string; ocdid: string }[]> {
  const { rows } = await sql<{ state: string; ocdid: string }>`/* import.at-large */
    select min(state) as state, min(ocdid) as ocdid from districts as d
    where type = 'Congress' and state is not null
    group by state
    having count(*) = 1 and min(ocdid) like '%/cd:at-large'
      and not bool_or(exists (select from boundaries as b where b.district_id = d.id))
    order by state`.execute(db);
  return rows;
}
