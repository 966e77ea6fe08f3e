/**
 * Compiles the sample dataset from a folder of open data: `node db/sample/compile.ts <data folder> [output folder]`.
 * The output folder is this one unless named. The same data give the same bytes.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asOf, federalOffices, officialRows, readOfficials } from './compile/congress.ts';
import { districtRows, readCongressDistricts, readStates } from './compile/districts.ts';
import { partyRows } from './compile/parties.ts';
import { Source } from './compile/source.ts';
import { type Dataset, type Table, toCsv } from './compile/tables.ts';

const provenance = {
  name: 'Ballotgraph sample: federal offices of the United States',
  license: 'CC0-1.0 (unitedstates/congress-legislators, opencivicdata/ocd-division-ids)',
  source: 'Compiled from open data; db/sample/README.md names the source of every file',
  as_of: asOf,
};

/** The rows of the sample from the data folder. Throws when a source lacks what the sample relies on. */
export function compileSample(dataFolder: string): Dataset {
  const source = new Source(dataFolder);
  const states = readStates(source);
  const congress = readCongressDistricts(source, states);
  const officials = readOfficials(source, states, congress);
  return {
    districts: districtRows(states, congress),
    parties: partyRows(),
    offices: federalOffices(states, congress, officials),
    ...officialRows(source, officials),
  };
}

/** Writes the dataset as the files of the exchange format. */
export function writeSample(dataset: Dataset, folder: string): void {
  writeFileSync(join(folder, 'dataset.json'), `${JSON.stringify(provenance, null, 2)}\n`);
  for (const table of Object.keys(dataset) as Table[]) {
    writeFileSync(join(folder, `${table}.csv`), toCsv(table, dataset[table]));
  }
}

if (import.meta.main) {
  const [dataFolder, outputFolder = import.meta.dirname] = process.argv.slice(2);
  if (!dataFolder) {
    process.stderr.write('usage: node db/sample/compile.ts <data folder> [output folder]\n');
    process.exit(2);
  }
  writeSample(compileSample(dataFolder), outputFolder);
}
