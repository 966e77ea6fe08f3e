import { ImportError } from '../../importers/import.ts';
import { DatasetError } from '../../importers/load/load.ts';
import type { Finding } from './audit.ts';

/** What a line of the message of an error begins with: the file, and the line in it. */
const BEGINS_WITH_FILE =
  /^(?<file>[^|]*?\.(?:csv|tsv|json|geojson|geojsonl|topojson|xml|ya?ml|mdx|shp|zip|txt))(?=$|[\s|:#(])(?::(?<line>\d+))?[\s|:]*(?<rest>.*)$/is;

/** Returns what an error of an import says about its files, as the finding of a check; undefined for another error. */
export function refusal(error: unknown): Finding | undefined {
  if (!(error instanceof ImportError) && !(error instanceof DatasetError)) return undefined;
  const lines = error.message.split('\n').filter((line) => line.trim() !== '');
  const rows = lines.map((text) => {
    const { file = null, line, rest = text.trim() } = BEGINS_WITH_FILE.exec(text.trim())?.groups ?? {};
    const number = line ?? /\bline (\d+)\b/.exec(text)?.[1];
    return { file, line: number === undefined ? null : Number(number), row: '', problem: rest };
  });
  const finds = 'files that the importer refuses; nothing of them is stored';
  return { check: 'refused', severity: 'fault', finds, count: rows.length, rows };
}
