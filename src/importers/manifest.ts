import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { isCalendarDate } from '../base/dates.ts';
import { DISTRICT_TYPES } from './exchange/format.ts';
import { EXCHANGE_FORMAT, ImportError, SOURCES, type SourceOfFile, WITHOUT_PATHS } from './import.ts';
import { readText } from './read/read-documents.ts';
import type { Source, SourceOptions } from './source.ts';
import { elsewhere, optionName } from './source-options.ts';
import { ADDRESS_FIELDS, ADDRESS_PRESETS } from './sources/addresses/address-presets.ts';
import { DISTRICT_PRESETS } from './sources/districts/district-presets.ts';
import { PLACE_FIELDS, PLACE_PRESETS } from './sources/voting-places/place-presets.ts';

/** One import of a manifest. */
export interface ManifestStep {
  readonly source: SourceOfFile;
  readonly paths: readonly string[];
  readonly options: SourceOptions;
  /** The checks whose faults in the source are accepted. */
  readonly accept?: readonly string[] | undefined;
  /** The source and its first path as written in the manifest, for display. */
  readonly title: string;
}

/** Imports that belong together, in the order in which they run. */
export interface Manifest {
  readonly name: string;
  readonly steps: readonly ManifestStep[];
}

const text = z.string('must be a text').trim().min(1, 'is empty');
const day = z.string('must be a day, YYYY-MM-DD').refine(isCalendarDate, 'must be an existing day, YYYY-MM-DD');
const flag = z.boolean('must be true or false');
const oneOf = <Value extends string>(values: readonly Value[]) =>
  z.enum(values, `must be one of: ${values.join(', ')}`);

/** The command-line options, by their names there. */
const options = z
  .object({
    preset: oneOf([...Object.keys(DISTRICT_PRESETS), ...Object.keys(ADDRESS_PRESETS), ...Object.keys(PLACE_PRESETS)]),
    type: oneOf(DISTRICT_TYPES),
    from: day,
    to: day,
    precise: flag,
    partial: flag,
    replaces: flag,
    'at-large': flag,
    properties: z
      .strictObject({ name: text, geoid: text, ocdid: text, state: text, county: text }, 'must name properties')
      .partial(),
    fields: z.partialRecord(
      oneOf([...ADDRESS_FIELDS, ...PLACE_FIELDS]),
      text,
      'must be the fields of an address or a place',
    ),
    join: z.record(text, oneOf(DISTRICT_TYPES), 'must be columns with the type of their districts'),
    'election-type': text,
    state: text,
    layer: text,
    'office-map': text,
    precincts: flag,
    'keep-going': flag,
    'as-of': day,
    date: day,
    name: text,
    source: text,
    license: text,
  })
  .partial();

/** The options by their names in a manifest. */
const OPTIONS = Object.fromEntries(
  Object.values<Source>(SOURCES).flatMap(({ options }) =>
    options.map((option) => [optionName(option), option] as const),
  ),
);

const step = z
  .strictObject(
    {
      import: oneOf([...Object.keys(SOURCES), EXCHANGE_FORMAT] as SourceOfFile[]),
      paths: z
        .union(
          [text.transform((path) => [path]), z.array(text).min(1, 'is empty')],
          'must be a path or a list of paths',
        )
        .optional(),
      accept: z.array(text, 'must be a list of checks').optional(),
      ...options.shape,
    },
    'must be a source, as in {import: medsl, paths: results}',
  )
  .superRefine(({ import: name, paths, accept: _, ...given }, context) => {
    const { options }: Pick<Source, 'options'> = name === EXCHANGE_FORMAT ? { options: [] } : SOURCES[name];
    const known = options.map(optionName);
    const wrong = (message: string, path: string) => context.addIssue({ code: 'custom', message, path: [path] });
    for (const option of Object.keys(given)) {
      if (!known.includes(option)) wrong(elsewhere(SOURCES, name, OPTIONS[option] ?? 'name'), option);
    }
    if (paths === undefined && name !== WITHOUT_PATHS) wrong(`${name} needs paths`, 'import');
    if (name === EXCHANGE_FORMAT && paths && paths.length > 1) wrong(`${name} has one folder`, 'paths');
    if (known.includes('from') && known.includes('preset') && given.preset === undefined && given.from === undefined)
      wrong(`${name} needs from, the first day of the boundaries, or preset, a predefined format of them`, 'import');
  });

const manifest = z.strictObject(
  { sources: z.array(step, 'must be a list of sources').min(1, 'is empty') },
  'must be a mapping with the list sources',
);

/**
 * Reads a manifest: YAML with the list `sources`. Each entry has the name of a source as `import`, its `paths`, and
 * options by their command-line names. Relative paths are resolved against the data folder, or without one against the
 * folder of the manifest, as a folder in the exchange format always is; all of them must exist.
 * @param checks the names of the checks whose faults an entry may accept; any if omitted.
 * @throws ImportError listing all errors with file, line and key, and what is valid.
 */
export async function readManifest(
  file: string,
  dataFolder = dirname(file),
  checks?: readonly string[],
): Promise<Manifest> {
  const lines = new LineCounter();
  const document = parseDocument(await readText(file), { lineCounter: lines });
  const reject = (problems: readonly ManifestProblem[]) => {
    const located = problems.map((problem) => ({
      ...problem,
      line: lines.linePos(offsetOf(document, problem.path)).line,
    }));
    const shown = located
      .sort((a, b) => a.line - b.line)
      .map(({ path, line, reason }) => `${file}:${line}: ${path.map(String).join('.') || 'the manifest'}: ${reason}`);
    return new ImportError(shown.join('\n'));
  };
  const [error] = document.errors;
  if (error) throw new ImportError(`is not YAML: ${error.code}`, file, error.linePos?.[0].line ?? 1);
  const read = manifest.safeParse(plain(document, reject));
  if (!read.success) throw reject(read.error.issues.flatMap(problemsOf));
  const steps = read.data.sources.map(({ import: source, paths = [], accept, ...given }): ManifestStep => {
    const {
      'election-type': electionType,
      'at-large': atLarge,
      'as-of': asOf,
      'keep-going': keepGoing,
      'office-map': map,
      ...others
    } = given;
    const officeMap = map === undefined ? undefined : resolve(dataFolder, map);
    return {
      source,
      paths: paths.map((path) => resolve(source === EXCHANGE_FORMAT ? dirname(file) : dataFolder, path)),
      accept,
      options: { ...others, atLarge, asOf, keepGoing, officeMap, electionType },
      title: [source, paths[0]].filter(Boolean).join(' '),
    };
  });
  const missing: ManifestProblem[] = [];
  for (const [index, { paths, accept = [] }] of steps.entries()) {
    for (const name of accept)
      if (checks && !checks.includes(name))
        missing.push({
          path: ['sources', index, 'accept'],
          reason: `${name} is not a check that finds faults: ${checks.join(', ')}`,
        });
    for (const path of paths) {
      const isThere = await stat(path).catch(() => undefined);
      if (!isThere) missing.push({ path: ['sources', index, 'paths'], reason: `there is no ${path}` });
    }
  }
  if (missing.length > 0) throw reject(missing);
  return { name: basename(file), steps };
}

interface ManifestProblem {
  /** The keys that lead to the invalid value. */
  readonly path: readonly PropertyKey[];
  readonly reason: string;
}

function plain(document: Document.Parsed, reject: (problems: readonly ManifestProblem[]) => ImportError): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw reject([{ path: [], reason: 'has an alias (*); write its value instead' }]);
  }
}

function problemsOf(issue: z.core.$ZodIssue): ManifestProblem[] {
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, reason: issue.message }];
  return issue.keys.map((key) => ({ path: [...issue.path, key], reason: 'is not a valid key here' }));
}

/** Returns the offset at which the value of a key begins; if there is none, the offset of its parent. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth--) {
    const node = document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
