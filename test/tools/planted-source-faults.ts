/**
 * Plants faults in copies of real sources at random places, audits each copy and its source as it is, and prints how many of the faults
 * the audit finds, by kind: a finding has to name the fault, and must not be in the audit of the source as it is.
 *
 *   npm run node -- test/tools/planted-source-faults.ts FOLDER [--seed 1] [--copies 40]
 *
 * FOLDER contains `data` and `more-data`, as db/fourteen-states.yaml names them. The database at DATABASE_URL has the schema and no
 * data; nothing is written to it. Faults that are not found are written to the standard error output.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ImportOptions, runImport, type SourceOfFile } from '../../src/importers/import.ts';
import { inOneTransaction } from '../../src/importers/load/transaction.ts';
import { auditFiles } from '../../src/operate/commands/audit-files.ts';
import type { Audit } from '../../src/operate/integrity/audit.ts';
import type { Database } from '../../src/store/sql/database.ts';
import { seeded } from '../drawn/random.ts';
import { openAuditedDatabase } from '../import-audit/database.ts';
import type { PlantedFault } from './source-faults/fault.ts';
import { MAP_FAULTS, plantTerms } from './source-faults/other-faults.ts';
import { RESULT_FAULTS } from './source-faults/result-faults.ts';
import { ResultTable } from './source-faults/result-table.ts';
import { SAMPLE_FAULTS, type Tables } from './source-faults/sample-faults.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, copies: { type: 'string', default: '40' } },
});
const [folder = ''] = positionals;
if (!existsSync(join(folder, 'data'))) {
  process.stdout.write(`Skipped: there is no folder ${join(folder, 'data')}.\n`);
  process.exit(0);
}
const MOST_ROWS = 100_000;
const FAULTS_IN_COPY = 7;
const TODAY = '2026-06-15';
const draw = seeded(Number(values.seed));
const db = openAuditedDatabase();
const work = mkdtempSync(join(tmpdir(), 'planted-source-faults-'));
const counts = new Map<string, { planted: number; found: number }>();

/** Audits files in a database with the outlines of the states. */
function auditWithStates(source: SourceOfFile, paths: readonly string[], options: ImportOptions): Promise<Audit> {
  return inOneTransaction(db, true, async (transaction) => {
    await runImport(transaction, 'us-atlas', []);
    return audited(transaction, source, paths, options);
  });
}

function audited(on: Database, source: SourceOfFile, paths: readonly string[], options: ImportOptions): Promise<Audit> {
  return auditFiles(on, source, paths, { options, today: TODAY, most: MOST_ROWS });
}

/** Returns the findings as texts, by check. */
function textsOf({ findings }: Audit): { readonly check: string; readonly text: string }[] {
  return findings.flatMap(({ check, rows }) =>
    rows.map(({ file, row, problem }) => ({ check, text: `${file} | ${row} | ${problem}` })),
  );
}

function plain(text: string): string {
  return text.toUpperCase().replaceAll('.', '');
}

function count(faults: readonly PlantedFault[], planted: Audit, clean: Audit, copy: string): void {
  const before = new Set(textsOf(clean).map(({ check, text }) => `${check} ${text}`));
  const added = textsOf(planted).filter(({ check, text }) => !before.has(`${check} ${text}`));
  for (const { kind, checks, names } of faults) {
    const isFound = added.some(
      ({ check, text }) =>
        checks.includes(check) &&
        names.every((name) => [name].flat().some((each) => plain(text).includes(plain(each)))),
    );
    const known = counts.get(kind) ?? { planted: 0, found: 0 };
    counts.set(kind, { planted: known.planted + 1, found: known.found + (isFound ? 1 : 0) });
    if (!isFound) process.stderr.write(`not found in ${copy}: ${kind} (${names.join(', ')})\n`);
  }
}

/** Returns the kinds of faults of the next copy: all of them in turn. */
function* turns(kinds: readonly string[]): Generator<string> {
  for (;;) yield* kinds;
}

async function resultFaults(copies: number): Promise<void> {
  const zips = globSync(join(folder, '{data,more-data}/results/medsl/*/*.zip'));
  const small = zips.filter((zip) => readFileSync(zip).length < 800_000).sort();
  const open = globSync(join(folder, '{data,more-data}/results/openelections/*/*general*.csv')).sort();
  const clean = new Map<string, Audit>();
  const kinds = turns(Object.keys(RESULT_FAULTS));
  for (let number = 0; number < copies; number++) {
    const path = number % 8 === 7 ? open[Math.floor(draw() * open.length)] : small[Math.floor(draw() * small.length)];
    if (path === undefined) return;
    const isMedsl = path.endsWith('.zip');
    const source = isMedsl ? 'medsl' : 'openelections';
    const name = isMedsl ? `${basename(path, '.zip')}.csv` : basename(path);
    const text = isMedsl
      ? execFileSync('unzip', ['-p', path, '*.csv', '-x', '__MACOSX/*'], {
          maxBuffer: 2 ** 30,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        })
      : readFileSync(path, 'utf8');
    const original = join(work, 'clean', name);
    mkdirSync(join(work, 'clean'), { recursive: true });
    writeFileSync(original, text);
    const known = clean.get(name) ?? (await audited(db, source, [original], {}));
    clean.set(name, known);
    const table = new ResultTable(text);
    const used = new Set<string>();
    const faults: PlantedFault[] = [];
    for (let tries = 0; faults.length < FAULTS_IN_COPY && tries < 30; tries++) {
      const kind = kinds.next().value ?? '';
      const fault = RESULT_FAULTS[kind]?.(table, draw, used);
      if (fault && !faults.some((other) => other.kind === fault.kind)) faults.push(fault);
    }
    const copy = join(work, name);
    writeFileSync(copy, table.toText());
    count(faults, await audited(db, source, [copy], {}), known, name);
    rmSync(copy);
  }
}

const IN_SAMPLE = ['dataset.json', 'districts.csv', 'parties.csv', 'offices.csv', 'persons.csv', 'elections.csv'];
const CHANGED = ['candidates.csv', 'races.csv', 'ranked_choice_rounds.csv', 'ballot_measures.csv'] as const;

async function sampleFaults(copies: number): Promise<void> {
  const sample = join(import.meta.dirname, '../../db/sample');
  const to = join(work, 'sample');
  mkdirSync(to);
  for (const file of [...IN_SAMPLE, ...CHANGED]) cpSync(join(sample, file), join(to, file));
  const clean = await audited(db, 'exchange format', [to], {});
  for (let number = 0; number < copies; number++) {
    const tables = Object.fromEntries(
      CHANGED.map((file) => [file, new ResultTable(readFileSync(join(sample, file), 'utf8'))]),
    ) as Tables;
    const used = new Set<string>();
    const faults = Object.values(SAMPLE_FAULTS).flatMap((plant) => plant(tables, draw, used) ?? []);
    for (const file of CHANGED) writeFileSync(join(to, file), tables[file].toText());
    count(faults, await audited(db, 'exchange format', [to], {}), clean, `sample ${number}`);
  }
}

async function mapFaults(copies: number): Promise<void> {
  const maps = globSync(join(folder, '{data,more-data}/boundaries/unitedstates-districts/states/*/sld{l,u}')).sort();
  const options = { preset: 'state-legislative-2012' };
  const kinds = turns(Object.keys(MAP_FAULTS));
  const clean = new Map<string, Audit>();
  for (let number = 0; number < copies; number++) {
    const path = maps[Math.floor(draw() * maps.length)] ?? '';
    const known = clean.get(path) ?? (await auditWithStates('districts-geojson', [path], options));
    clean.set(path, known);
    const copy = join(work, ...path.split('/').slice(-3));
    cpSync(path, copy, { recursive: true });
    const fault = MAP_FAULTS[kinds.next().value ?? '']?.(copy, draw);
    if (fault) count([fault], await auditWithStates('districts-geojson', [copy], options), known, path);
    rmSync(copy, { recursive: true });
  }
}

async function termFaults(copies: number): Promise<void> {
  const day = '2021-02-10';
  const text = readFileSync(
    join(folder, 'data/officeholders/congress-legislators', day, 'legislators-current.yaml'),
    'utf8',
  );
  const to = join(work, day);
  mkdirSync(to);
  const file = join(to, 'legislators-current.yaml');
  writeFileSync(file, text);
  const clean = await audited(db, 'congress-legislators', [to], { asOf: day });
  for (let number = 0; number < copies; number++) {
    const planted = plantTerms(text, draw, 4);
    writeFileSync(file, planted.text);
    count(planted.faults, await audited(db, 'congress-legislators', [to], { asOf: day }), clean, `terms ${number}`);
  }
}

try {
  const copies = Number(values.copies);
  await resultFaults(copies);
  await sampleFaults(Math.ceil(copies / 5));
  await mapFaults(Math.ceil(copies / 2));
  await termFaults(Math.ceil(copies / 15));
} finally {
  rmSync(work, { recursive: true, force: true });
  await db.destroy();
}
const all = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
process.stdout.write('| kind | planted | found |\n|---|--:|--:|\n');
for (const [kind, { planted, found }] of all) process.stdout.write(`| ${kind} | ${planted} | ${found} |\n`);
const sum = (of: 'planted' | 'found') => all.reduce((total, [, each]) => total + each[of], 0);
process.stdout.write(`| all, of ${all.length} kinds | ${sum('planted')} | ${sum('found')} |\n`);
if (sum('found') < 0.98 * sum('planted')) process.exitCode = 1;
