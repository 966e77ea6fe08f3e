import { dictionary } from '../../dictionary.ts';
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
export const ADDRESS_PRESETS: Readonly<Record<string, AddressPreset>> = dictionary({
  'vermont-e911': {
    title: "Vermont's E911 address points (GeoJSON of the VCGI)",
    fields: {
      number: 'HOUSE_NUMBER',
      'number-suffix': 'HOUSE_NUMBERSUFFIX',
      street: 'PRIMARYNAME',
      town: 'TOWNNAME',
      zip: 'ZIP',
      id: 'ESITEID',
      kind: 'SITETYPE',
    },
    state: 'VT',
    name: 'Vermont E911 address points',
    source: 'https://geodata.vermont.gov/',
    license: 'open data of the State of Vermont',
  },
  openaddresses: {
    title: 'OpenAddresses: address points of any region (CSV; --state if it has no column REGION)',
    fields: {
      number: 'NUMBER',
      street: 'STREET',
      town: 'CITY',
      state: 'REGION',
      zip: 'POSTCODE',
      id: 'HASH',
      longitude: 'LON',
      latitude: 'LAT',
    },
    name: 'OpenAddresses',
    source: 'https://openaddresses.io/',
    license: 'of each publisher',
  },
});
