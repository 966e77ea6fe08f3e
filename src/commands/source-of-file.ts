import { basename } from 'node:path';
import { ImportError, type SourceName } from '../import/import.ts';
import type { NamedFile } from '../import/named-file.ts';
import { findFiles } from '../import/read-files.ts';

/** The exchange format, which a load reads. */
export const EXCHANGE_FORMAT = 'exchange format';
export type SourceOfFile = SourceName | typeof EXCHANGE_FORMAT;

const EXTENSIONS = ['.csv', '.json', '.geojson', '.topojson', '.xml', '.yaml', '.yml', '.mdx', '.shp'];
/** The bytes of a file that are read to tell its source. */
const HEAD = 64 * 1024;
/** The files of a folder that are read. */
const MOST_FILES = 40;

/**
 * Returns the source of a file, a folder or an archive, by the names and the beginnings of its files.
 * @throws ImportError if it is of no source, or of several.
 */
export async function sourceOf(path: string): Promise<SourceOfFile> {
  const files = await findFiles([path], EXTENSIONS);
  if (files.some(({ name }) => basename(name) === 'dataset.json')) return EXCHANGE_FORMAT;
  const found = new Set<SourceName>();
  for (const file of files.slice(0, MOST_FILES)) {
    const source = sourceOfText(file.name, await headOf(file));
    if (source) found.add(source);
  }
  const [first, ...others] = found;
  if (first && others.length === 0) return first;
  throw new ImportError(
    first
      ? `${path} has files of several sources, ${[...found].join(', ')}: name one with --of`
      : `${path} is of no source that is known by its beginning: name one with --of`,
  );
}

async function headOf(file: NamedFile): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file.read() as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= HEAD) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, HEAD);
}

/** Returns the source of a file by its name and the beginning of its text; undefined if it is of none. */
export function sourceOfText(path: string, head: string): SourceName | undefined {
  const name = basename(path).toLowerCase();
  const extension = /\.[a-z]+$/.exec(name)?.[0] ?? '';
  switch (extension) {
    case '.csv':
      return sourceOfCsv(name, head);
    case '.xml':
      return /<(\w+:)?VipObject\b/.test(head)
        ? 'vip'
        : /<(\w+:)?ElectionReport\b/.test(head)
          ? 'civics-cdf'
          : undefined;
    case '.yaml':
    case '.yml':
      return /ocd-person\//.test(head)
        ? 'openstates-people'
        : /\bbioguide:/.test(head)
          ? 'congress-legislators'
          : undefined;
    case '.mdx':
      return 'maineballot';
    case '.shp':
      return name.includes('addrfeat') ? 'tiger-addrfeat' : 'districts-shapefile';
    default:
      return sourceOfJson(name, head);
  }
}

function sourceOfCsv(name: string, head: string): SourceName | undefined {
  if (/^\d{8}_{1,2}[a-z]{2}_/.test(name)) return 'openelections';
  const columns = (head.split(/\r\n|\r|\n/, 1)[0] ?? '')
    .split(',')
    .map((cell) => cell.replaceAll('"', '').trim().toLowerCase());
  const has = (...names: readonly string[]) => names.some((each) => columns.includes(each));
  if (has('office') && has('candidate') && has('votes'))
    return has('state_po', 'state_postal') ? 'medsl' : 'openelections';
  if (/ocd-division\//.test(head)) return 'ocd-division-ids';
  return has('lon', 'longitude', 'x') && has('lat', 'latitude', 'y') ? 'address-points' : undefined;
}

function sourceOfJson(name: string, head: string): SourceName | undefined {
  if (/"type"\s*:\s*"Topology"/.test(head))
    return /^(nation|states|counties)-10m/.test(name) ? 'us-atlas' : 'districts-topojson';
  if (/"type"\s*:\s*"Feature(Collection)?"/.test(head)) {
    if (/"ZCTA5CE/.test(head)) return 'zcta';
    return /"type"\s*:\s*"Point"/.test(head) ? 'address-points' : 'districts-geojson';
  }
  if (/"tallyResults"/.test(head) || (/"config"/.test(head) && /"results"/.test(head))) return 'rctab';
  return name === 'report.json' || /"officeName"/.test(head) ? 'ranked-vote' : undefined;
}
