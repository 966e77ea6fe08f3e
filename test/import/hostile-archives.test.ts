import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { zipOf } from '../support/zip.ts';
import { GOOD_SOURCES, type GoodSource, shapefile, useGoodSources } from './good-sources.ts';

type Files = Readonly<Record<string, string | Buffer>>;

// Archives that are broken or do harm, and files that are too large, through the importers.

const database = useDatabase();
const { importOf, rejectionOf } = useGoodSources(database);

describe('archives', () => {
  const PLACES = GOOD_SOURCES['districts-shapefile'];
  const { medsl } = GOOD_SOURCES;
  const bytes = (text: string) => Buffer.from(text);
  const zeros = (size: number) => Buffer.alloc(size, '0');
  const shapes = (name: string, change: (content: Buffer) => Buffer) =>
    zipOf(shapefile().map((entry) => (entry.name === name ? { ...entry, content: change(entry.content) } : entry)));

  test.each<[what: string, good: GoodSource, files: () => Files, message: RegExp]>([
    [
      'a zip that is cut off',
      PLACES,
      () => ({ 'places.zip': PLACES.content.subarray(0, -30) }),
      /^places\.zip: cannot be unpacked/,
    ],
    ['a file that is not a zip', PLACES, () => ({ 'places.zip': 'PK' }), /^places\.zip: cannot be unpacked/],
    [
      'a zip bomb',
      medsl,
      () => ({ 'a.zip': zipOf([{ name: 'a.csv', content: zeros(20_000_000) }]) }),
      /^a\.zip: unpacks to more than 100 times/,
    ],
    [
      'a zip bomb among others',
      medsl,
      () => ({
        'a.zip': zipOf([
          { name: 'a.csv', content: zeros(2_000_000) },
          { name: 'b.csv', content: crypto.getRandomValues(Buffer.alloc(60_000)) },
        ]),
      }),
      /^a\.zip\/a\.csv: unpacks to more than 100 times/,
    ],
    [
      'a zip that lies about its size',
      medsl,
      () => ({ 'a.zip': zipOf([{ name: 'a.csv', content: zeros(200_000), lie: { size: 1_000 } }]) }),
      /^a\.zip\/a\.csv: cannot be unpacked/,
    ],
    [
      'more than 4 GiB',
      medsl,
      () => ({
        'a.zip': zipOf([1, 2].map((n) => ({ name: `${n}.csv`, content: zeros(10), lie: { size: 2 ** 32 - 2 } }))),
      }),
      /^a\.zip: unpacks to more than 4 GiB/,
    ],
    [
      '10,001 files',
      medsl,
      () => ({ 'a.zip': zipOf(Array.from({ length: 10_001 }, (_, n) => ({ name: `${n}.csv`, content: bytes('') }))) }),
      /^a\.zip: contains more than 10000 files/,
    ],
    [
      'a path out of the archive',
      medsl,
      () => ({ 'a.zip': zipOf([{ name: '../../a.csv', content: bytes('x') }]) }),
      /^a\.zip: cannot be unpacked: invalid relative path/,
    ],
    [
      'an absolute path',
      medsl,
      () => ({ 'a.zip': zipOf([{ name: '/etc/a.csv', content: bytes('x') }]) }),
      /^a\.zip: cannot be unpacked: absolute path/,
    ],
    [
      'an encrypted file',
      medsl,
      () => ({ 'a.zip': zipOf([{ name: 'a.csv', content: bytes('x'), lie: { flags: 1 } }]) }),
      /^a\.zip\/a\.csv: is encrypted/,
    ],
    [
      'a damaged file',
      medsl,
      () => ({ 'a.zip': zipOf([{ name: 'a.csv', content: bytes('x'), lie: { crc: 1 } }]) }),
      /^a\.zip\/a\.csv: /,
    ],
    [
      'a gzip bomb',
      medsl,
      () => ({ 'a.csv.gz': gzipSync(zeros(20_000_000)) }),
      /^a\.csv\.gz: unpacks to more than 100 times/,
    ],
    [
      'a gzip file that is cut off',
      medsl,
      () => ({ 'a.csv.gz': gzipSync(medsl.content).subarray(0, -20) }),
      /^a\.csv\.gz: cannot be unpacked/,
    ],
    [
      'a shapefile without its table',
      PLACES,
      () => ({ 'places.zip': zipOf(shapefile().slice(0, 1)) }),
      /^places\.zip\/place\.shp: the \.dbf file is missing in the same folder/,
    ],
    [
      'shapes that are cut off',
      PLACES,
      () => ({ 'places.zip': shapes('place.shp', (content) => content.subarray(0, -8)) }),
      /^places\.zip\/place\.shp: is not a shapefile, or is cut off/,
    ],
    [
      'another projection',
      PLACES,
      () => ({
        'places.zip': shapes('place.prj', () =>
          bytes('PROJCS["NAD_1983_UTM_Zone_18N",GEOGCS["GCS_North_American_1983"]]'),
        ),
      }),
      /^places\.zip\/place\.prj: .* NAD_1983_UTM_Zone_18N/,
    ],
    [
      'a line without end',
      medsl,
      () => ({ 'a.csv': Buffer.concat([bytes(medsl.content), zeros(20 * 2 ** 20)]) }),
      /^a\.csv:\d+: /,
    ],
    [
      'a Feature without end',
      GOOD_SOURCES['districts-geojson'],
      () => ({ 'a.geojson': Buffer.concat([bytes('{"features":[{"a":"'), zeros(65 * 2 ** 20)]) }),
      /^a\.geojson:1: .*64 MiB/,
    ],
  ])('%s is rejected with its name', async (_, good, files, message) => {
    expect(await rejectionOf(importOf(good, files()))).toMatch(message);
  });
});
