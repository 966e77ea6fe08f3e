/**
 * Compiles the sample dataset from a folder of open data: `npm run node -- db/sample/compile.ts <data folder> [output
 * folder]`. The output folder defaults to this one. The same data give the same bytes.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { electionRows, readElections } from './compile/calendar.ts';
import { asOf, federalOffices, officialRows, readOfficials } from './compile/congress.ts';
import { congressBoundaries } from './compile/congress-map.ts';
import { districtRows, readCongressDistricts, readStates } from './compile/districts.ts';
import { measureRows } from './compile/measures.ts';
import { partyRows } from './compile/parties.ts';
import { People } from './compile/people.ts';
import { pointFolders } from './compile/points.ts';
import { raceRows } from './compile/races.ts';
import { readResults, statesWithResults } from './compile/results.ts';
import { Source } from './compile/source.ts';
import { type Dataset, toCsv } from './compile/tables.ts';
import { readKnownPersons, senateClassAt } from './compile/terms.ts';
import { votingFiles } from './compile/voting.ts';

const provenance = {
  name: 'Ballotgraph sample: federal offices and Congress districts, and elections in Alaska, Maine, New Mexico and Vermont',
  license: 'Facts from sources under CC0-1.0, MIT and ISC and from official election results, see db/sample/README.md',
  source: 'Compiled from open data; db/sample/README.md names the source of every file',
  as_of: asOf,
};

/** The rows of the sample, the lines of its boundaries.geojsonl, and the files in the formats of their sources by their paths. */
export interface Sample {
  readonly dataset: Dataset;
  readonly boundaries: readonly string[];
  readonly voting: Readonly<Record<string, string>>;
}

/** Returns the sample from the data folder. Throws if a source lacks data that the sample relies on. */
export async function compileSample(dataFolder: string): Promise<Sample> {
  const source = new Source(dataFolder);
  const states = readStates(source);
  const congress = readCongressDistricts(source, states);
  const officials = readOfficials(source, states, congress);
  const elections = readElections(source, states);
  const known = readKnownPersons(source, states, statesWithResults);
  const results = await readResults(source, elections, (election) => senateClassAt(election, known));
  const people = new People(known);
  const races = raceRows(results.races, people);
  const { persons, ...holders } = officialRows(source, officials);
  const candidates = [...people.persons.values()].filter(({ id }) => persons.every((person) => person.id !== id));
  const dataset: Dataset = {
    districts: districtRows(states, congress),
    parties: partyRows(),
    offices: [...federalOffices(states, congress, officials), ...results.stateOffices.sort((a, b) => a.id - b.id)],
    persons: [...persons, ...candidates.map(({ row }) => row).sort((a, b) => Number(a.id) - Number(b.id))],
    ...holders,
    elections: electionRows(elections),
    ...races,
    ballot_measures: measureRows(elections, results.questions),
  };
  return {
    dataset,
    boundaries: await congressBoundaries(source, states, congress),
    voting: votingFiles(source),
  };
}

/** Writes the dataset as the files of the exchange format, and the others beside it. */
export function writeSample({ dataset, boundaries, voting }: Sample, folder: string): void {
  writeFileSync(join(folder, 'dataset.json'), `${JSON.stringify(provenance, null, 2)}\n`);
  for (const table of Object.keys(dataset) as (keyof Dataset)[]) {
    writeFileSync(join(folder, `${table}.csv`), toCsv(table, dataset[table]));
  }
  writeFileSync(join(folder, 'boundaries.geojsonl'), [...boundaries, ''].join('\n'));
  const points = pointFolders().flatMap(({ name, files }) =>
    Object.entries(files).map(([file, text]) => [join(name, file), text] as const),
  );
  for (const [path, text] of [...points, ...Object.entries(voting)]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

if (import.meta.main) {
  const [dataFolder, outputFolder = import.meta.dirname] = process.argv.slice(2);
  if (!dataFolder) {
    process.stderr.write('usage: npm run node -- db/sample/compile.ts <data folder> [output folder]\n');
    process.exit(2);
  }
  writeSample(await compileSample(dataFolder), outputFolder);
}
