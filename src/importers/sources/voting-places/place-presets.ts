import { dictionary } from '../../../base/dictionary.ts';
import { readTable } from '../../../base/words/read-table.ts';

/** What the columns of a file of places to vote may contain. */
export const PLACE_FIELDS = [
  ...['date', 'state', 'county', 'jurisdiction', 'voters', 'kind', 'name', 'address', 'notes', 'hours', 'intervals'],
  ...['time-zone', 'longitude', 'latitude', 'status', 'moved-to', 'url', 'as-of'],
] as const;
export type PlaceField = (typeof PLACE_FIELDS)[number];

interface PlacePreset {
  readonly title: string;
  readonly name: string;
  readonly source: string;
  readonly license: string;
  readonly fields: Readonly<Partial<Record<PlaceField, string>>>;
}

/** The formats of published files of places to vote that need no further options. */
export const PLACE_PRESETS: Readonly<Record<string, PlacePreset>> = dictionary(
  Object.fromEntries(
    readTable<'preset' | keyof PlacePreset>('place-presets', import.meta.url).map(({ preset, fields, ...rest }) => [
      preset,
      { ...rest, fields: Object.fromEntries(fields.split(' ').map((field) => field.split(':'))) },
    ]),
  ),
);

/** The kinds of places by the texts that state them. */
export const PLACE_KINDS = new Map(
  readTable<'text' | 'kind' | 'source'>('place-kinds', import.meta.url).map(({ text, kind }) => [text, kind]),
);
