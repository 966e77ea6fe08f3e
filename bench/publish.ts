import { readFile, writeFile } from 'node:fs/promises';
import { readmeWith, resultsPage } from './pages.ts';
import { readResults } from './results.ts';

// Writes bench/results.md and the table of the README from bench/results.json.

const bench = import.meta.dirname;
const results = await readResults(`${bench}/results.json`);
await writeFile(`${bench}/results.md`, resultsPage(results));
const readme = `${bench}/../README.md`;
await writeFile(readme, readmeWith(await readFile(readme, 'utf8'), results));
