import type { Database } from '../store/sql/database.ts';
import { TABLES } from './exchange/format.ts';
import { type Edition, type ImportContext, ImportError, type OpenedSource } from './exchange/import-rows.ts';
import type { LoadSummary, Progress } from './exchange/load-summary.ts';
import { Report, type ReportEntry } from './exchange/report.ts';
import { ValidationErrors } from './exchange/validation-errors.ts';
import { runDirectImport } from './load/direct-import.ts';
import { recordEditions, replaceEditions } from './load/editions/replace-editions.store.ts';
import type { Inspect } from './load/inspect.ts';
import { loadFolder } from './load/load.ts';
import { Identities } from './load/match/identities.ts';
import { recordIncumbency } from './load/persons/incumbency.store.ts';
import { type JoinEntry, joinPersons } from './load/persons/join-persons.ts';
import { recordOfficesOnDays } from './load/persons/offices-on-day.store.ts';
import { runLoad } from './load/run-load.ts';
import { type LostVotes, recordLeftOut } from './load/settle/lost-votes.ts';
import { endStoredTerms } from './load/settle/overlapping-terms.ts';
import { prepareImport } from './load/settle/prepare-import.ts';
import { type Brought, RowStager } from './load/stage/stage-rows.ts';
import type { Source, SourceOptions } from './source.ts';
import { checkOptions } from './source-options.ts';

export { ImportError } from './exchange/import-rows.ts';
export { type ReportEntry, type ReportLine, reportCsv } from './exchange/report.ts';
export { DatasetError, LoadInProgressError } from './exchange/validation-errors.ts';

export interface ImportOptions extends SourceOptions {
  /** Reads, matches and counts everything, and changes nothing. */
  readonly dryRun?: boolean;
  readonly onProgress?: (progress: Progress) => void;
  /** Looks at the result before the transaction ends; an error undoes the import. */
  readonly inspect?: Inspect | undefined;
}

export interface ImportSummary extends LoadSummary {
  /** The records that were left out, and why. */
  readonly report: readonly ReportEntry[];
  /** The records of the same person that were joined, and by which rule. */
  readonly joins: readonly JoinEntry[];
}

const AMBIGUOUS_PERSON = 'may be any of several other persons of the office, so no records were merged';
const BOUNDARIES = ['preset', 'type', 'from', 'to', 'precise', 'partial', 'replaces', 'properties', 'state'] as const;
const PROVENANCE = ['name', 'source', 'license', 'asOf'] as const;

/**
 * The sources that can be imported, by their names in commands. The module of a source is loaded when it is opened: the libraries
 * for formats that an import does not read would take a fourth of the time until it begins.
 */
export const SOURCES = {
  'us-atlas': {
    title: 'boundaries of country, states and counties (TopoJSON; without a path those of the npm package)',
    options: ['from', 'to', 'precise', 'atLarge'],
    open: async (paths, options) => (await import('./sources/districts/us-atlas.ts')).openUsAtlas(paths, options),
  },
  'congress-legislators': {
    title: 'members of Congress, presidents and vice presidents (a folder of YAML)',
    options: ['asOf'],
    open: async (paths, options) =>
      (await import('./sources/congress/congress-legislators.ts')).openCongressLegislators(paths, options),
  },
  'districts-geojson': {
    title: 'boundaries of districts of any type, with --from or --preset (GeoJSON files, folders or zips)',
    options: [...BOUNDARIES, ...PROVENANCE],
    open: async (paths, options) =>
      (await import('./sources/districts/districts-geojson.ts')).openDistrictsGeoJson(paths, options),
  },
  'districts-shapefile': {
    title: 'the same from shapefiles (zips as the Census publishes them, or folders)',
    options: [...BOUNDARIES, ...PROVENANCE],
    open: async (paths, options) =>
      (await import('./sources/districts/districts-shapefile.ts')).openDistrictsShapefile(paths, options),
  },
  'districts-topojson': {
    title: 'the same from TopoJSON, with --layer if a file has several (files, folders or zips)',
    options: [...BOUNDARIES, 'layer', ...PROVENANCE],
    open: async (paths, options) =>
      (await import('./sources/districts/districts-topojson.ts')).openDistrictsTopoJson(paths, options),
  },
  'ocd-division-ids': {
    title: 'names and identifiers of districts: OCD ids, GEOIDs, NCES ids (CSV files or folders; --state AK,VT)',
    options: ['state', 'asOf'],
    open: async (paths, options) =>
      (await import('./sources/ocd-divisions/ocd-division-ids.ts')).openOcdDivisionIds(paths, options),
  },
  'openstates-people': {
    title: 'state legislators, governors and mayors (folders of YAML files, one per person)',
    options: ['asOf'],
    open: async (paths, options) =>
      (await import('./sources/openstates/openstates-people.ts')).openOpenStatesPeople(paths, options),
  },
  medsl: {
    title: 'precinct results of the MIT Election Data and Science Lab, summed by contest (CSV or zips of it)',
    options: ['date', 'state', 'officeMap', 'precincts', 'keepGoing'],
    open: async (paths, options) => (await import('./sources/precinct-results/medsl.ts')).openMedsl(paths, options),
  },
  openelections: {
    title: 'results of OpenElections (CSV named like 20181106__me__general__town.csv)',
    options: ['date', 'state', 'officeMap', 'precincts', 'keepGoing'],
    open: async (paths, options) =>
      (await import('./sources/precinct-results/openelections.ts')).openOpenElections(paths, options),
  },
  'ranked-vote': {
    title: 'rounds of ranked-choice contests (report.json files, or folders that contain them)',
    options: ['keepGoing'],
    open: async (paths, options) =>
      (await import('./sources/ranked-choice/ranked-vote.ts')).openRankedVote(paths, options),
  },
  rctab: {
    title:
      'rounds of ranked-choice contests with one or several winners as RCTab writes them (JSON summaries), with transferred surplus',
    options: ['date', 'state', 'keepGoing'],
    open: async (paths, options) => (await import('./sources/ranked-choice/rctab.ts')).openRctab(paths, options),
  },
  vip: {
    title: 'elections, contests, candidates, measures and places to vote of the Voting Information Project (VIP 5 XML)',
    options: [],
    open: async (paths) => (await import('./sources/feeds/vip.ts')).openVip(paths),
  },
  'civics-cdf': {
    title: 'elections with results, or officeholders, of the Civics Common Data Format (NIST SP 1500-100 XML)',
    options: [],
    open: async (paths) => (await import('./sources/feeds/civics-cdf.ts')).openCivicsCdf(paths),
  },
  'vote-gov': {
    title:
      'deadlines to register by state, as rules with their translations, of vote.gov (its folder data, with --as-of)',
    options: ['asOf'],
    open: async (paths, options) => (await import('./sources/vote-gov/vote-gov.ts')).openVoteGov(paths, options),
  },
  'voting-places': {
    title: 'places to vote of elections, with --preset or --fields, and --join for their districts (CSV)',
    options: ['preset', 'fields', 'join', 'electionType', ...PROVENANCE],
    open: async (paths, options) =>
      (await import('./sources/voting-places/voting-places.ts')).openVotingPlaces(paths, options),
  },
  'address-points': {
    title: 'addresses with their points, with --preset or --fields (GeoJSON or CSV files, folders or zips)',
    options: ['preset', 'fields', 'state', ...PROVENANCE],
    open: async (paths, options) =>
      (await import('./sources/addresses/address-points.ts')).openAddressPoints(paths, options),
  },
  'tiger-addrfeat': {
    title: 'address ranges of the Census, from which points are estimated (TIGER/Line ADDRFEAT, or GeoJSON of it)',
    options: ['state', ...PROVENANCE],
    open: async (paths, options) =>
      (await import('./sources/addresses/tiger-addrfeat.ts')).openTigerAddrfeat(paths, options),
  },
  zcta: {
    title: 'areas of ZIP codes: ZIP Code Tabulation Areas of the Census (GeoJSON or shapefiles, folders or zips)',
    options: PROVENANCE,
    open: async (paths, options) => (await import('./sources/addresses/zcta.ts')).openZcta(paths, options),
  },
} satisfies Record<string, Source>;

export type SourceName = keyof typeof SOURCES;

/** The exchange format, which a load reads. */
export const EXCHANGE_FORMAT = 'exchange format';
export type SourceOfFile = SourceName | typeof EXCHANGE_FORMAT;

export function isSourceName(name: string): name is SourceName {
  return Object.hasOwn(SOURCES, name);
}

/** The source that reads the installed package if no path is given. */
export const WITHOUT_PATHS: SourceName = 'us-atlas';

/**
 * Opens a source at its paths, without a database: whatever is wrong with how it was called is said before anything changes.
 * @throws ImportError if the source, its paths or options cannot be used (an option of another source is rejected).
 */
export async function openSource(
  name: string,
  paths: readonly string[],
  options: SourceOptions,
): Promise<OpenedSource> {
  if (!isSourceName(name))
    throw new ImportError(`There is no source ${name}. The sources are: ${Object.keys(SOURCES).join(', ')}.`);
  checkOptions(SOURCES, name, options);
  const source: Source = SOURCES[name];
  if (paths.length === 0 && name !== WITHOUT_PATHS) throw new ImportError(`${name} needs paths: ${source.title}`);
  return source.open(paths, options);
}

/**
 * Imports data as a source publishes them, in one transaction. Records that match an external identifier, or the exact
 * names that the source's adapter compares, retain their id; new ones get a stable id. Records that cannot be imported,
 * or only by guessing, are left out and reported.
 * @throws ImportError if the source, its paths or options cannot be used, or a file cannot be read completely.
 * @throws LoadInProgressError immediately if another load or import is running on the database.
 */
export async function runImport(
  db: Database,
  source: SourceName,
  paths: readonly string[],
  options: ImportOptions = {},
): Promise<ImportSummary> {
  return importOpened(db, source, await openSource(source, paths, options), options);
}

/**
 * Imports files of a source, or loads a folder in the exchange format and joins its persons with those of other sources, as
 * after an import.
 */
export async function importOrLoad(
  db: Database,
  source: SourceOfFile,
  paths: readonly string[],
  options: ImportOptions = {},
): Promise<ImportSummary> {
  if (source !== EXCHANGE_FORMAT) return runImport(db, source, paths, options);
  const report = new Report(source);
  let joins: readonly JoinEntry[] = [];
  const afterWriting = async (transaction: Database) => {
    joins = await joinAndReport(transaction, report);
  };
  const summary = await loadFolder(db, paths[0] ?? '', { ...options, afterWriting });
  return { ...summary, report: report.entries, joins };
}

/** Imports what `openSource` has opened. */
export async function importOpened(
  db: Database,
  source: string,
  opened: OpenedSource,
  options: ImportOptions,
): Promise<ImportSummary> {
  const report = new Report(source);
  const onRead: ImportContext['onRead'] = (done, total, unit) =>
    options.onProgress?.({ phase: 'read', file: source, done, total, unit });
  if (opened.write) {
    const summary = await runDirectImport(db, source, opened, {
      dryRun: options.dryRun ?? false,
      report,
      onRead,
      inspect: options.inspect,
    });
    return { ...summary, report: report.entries, joins: [] };
  }
  let identities: Identities | undefined;
  let lost: readonly LostVotes[] = [];
  let brought: readonly Brought[] = [];
  let left: readonly Edition[] = [];
  let joins: readonly JoinEntry[] = [];
  const summary = await runLoad(db, {
    provenance: opened.provenance,
    replace: false,
    dryRun: options.dryRun ?? false,
    onProgress: options.onProgress,
    errors: new ValidationErrors(),
    inspect: options.inspect,
    report,
    async fill(transaction, staging) {
      identities = new Identities(transaction);
      await identities.create();
      const context = { db: transaction, report, onRead };
      const stager = new RowStager(context, staging, identities);
      for await (const row of opened.rows(context)) await stager.add(row);
      await stager.complete();
      ({ lost, brought, left } = stager);
      const tables = TABLES.filter(({ name }) => new Set(stager.tables).has(name));
      return {
        columns: new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name)])),
        unreadable: new Set(),
      };
    },
    importer: source,
    async prepare(transaction, scope, onCheck) {
      const read = { importer: source, provenance: opened.provenance, brought, left, files: opened.editions?.() ?? [] };
      const removed = await replaceEditions(transaction, read, report);
      const prepared = await prepareImport(transaction, scope, opened, report, lost, onCheck);
      return { ...prepared, removed };
    },
    async finish(transaction, scope) {
      await identities?.write(scope.supplied);
      await recordEditions(transaction);
    },
    async complete(transaction, sourceId) {
      await opened.finish?.(transaction, sourceId);
      await recordLeftOut(transaction, opened.provenance);
      await recordOfficesOnDays(transaction, opened.provenance);
      await endStoredTerms(transaction);
      joins = await joinAndReport(transaction, report);
      await recordIncumbency(transaction);
    },
  });
  return { ...summary, report: report.entries, joins };
}

async function joinAndReport(transaction: Database, report: Report): Promise<readonly JoinEntry[]> {
  const { joins, ambiguous } = await joinPersons(transaction);
  for (const { id, name } of ambiguous) report.add(`person ${id} (${name})`, 'left-out', AMBIGUOUS_PERSON);
  return joins;
}
