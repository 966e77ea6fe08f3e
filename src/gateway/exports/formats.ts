/** The format of a file with the result of a stored query: what is written around and between its rows. */
export interface Format {
  readonly mediaType: string;
  readonly extension: string;
  readonly head: string;
  /** Written before every row except the first. */
  readonly separator: string;
  readonly tail: string;
}

/** `json` and `csv` are defined by the contract, the others by this service. Every format has one row per line. */
export const FORMATS = {
  json: { mediaType: 'application/json', extension: 'json', head: '[', separator: ',', tail: ']\n' },
  csv: { mediaType: 'text/csv; charset=utf-8; header=present', extension: 'csv', head: '', separator: '', tail: '' },
  ndjson: { mediaType: 'application/x-ndjson', extension: 'ndjson', head: '', separator: '', tail: '' },
  geojson: {
    mediaType: 'application/geo+json',
    extension: 'geojson',
    head: '{"type":"FeatureCollection","features":[',
    separator: ',',
    tail: ']}\n',
  },
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

/** The extension of files that are stored compressed. */
export const GZIP = 'gz';

/** Returns the media type of a file by its name. */
export function mediaTypeOf(name: string): string {
  const extension = name.slice(name.lastIndexOf('.') + 1);
  if (extension === GZIP) return 'application/gzip';
  return FORMAT_NAMES.includes(extension as FormatName)
    ? FORMATS[extension as FormatName].mediaType
    : 'application/octet-stream';
}
