import { dictionary } from '../../../base/dictionary.ts';
import { readTable } from '../../../base/words/read-table.ts';

/** What the fields of a file may contain. */
export const ADDRESS_FIELDS = [
  ...['number', 'number-suffix', 'street', 'town', 'state', 'zip', 'id', 'kind', 'longitude', 'latitude'],
] as const;
export type AddressField = (typeof ADDRESS_FIELDS)[number];

/** The field of a file for each part of an address; several fields joined by `+` are one text. */
export type AddressFields = Readonly<Partial<Record<AddressField, string>>>;

interface AddressPreset {
  readonly title: string;
  readonly fields: AddressFields;
  readonly state?: string;
  readonly name: string;
  readonly source: string;
  readonly license: string;
}

/** The formats of published address files that need no further options. */
export const ADDRESS_PRESETS: Readonly<Record<string, AddressPreset>> = dictionary(
  Object.fromEntries(
    readTable<'preset' | keyof AddressPreset>('address-presets', import.meta.url).map(
      ({ preset, state, fields, ...provenance }) => [
        preset,
        {
          ...provenance,
          ...(state && { state }),
          fields: Object.fromEntries(fields.split(' ').map((field) => field.split(':'))),
        },
      ],
    ),
  ),
);
