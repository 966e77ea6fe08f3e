import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/base/config/config.ts';

const SECRET = 's'.repeat(32);

describe('the variables of the bulk download', () => {
  it('are optional', () => {
    const { exports } = readConfig({ DATA_DIR: 'somewhere' });
    expect(exports).toMatchObject({
      queriesDir: expect.stringMatching(/db[/\\]queries$/),
      reuseSeconds: 3_600,
      linkSeconds: 300,
      timeoutMs: 300_000,
      atOnce: 2,
      files: { kind: 'local', folder: join('somewhere', 'files'), keys: undefined },
    });
    expect(exports.databaseUrl).toBeUndefined();
  });

  it('select the file store', () => {
    const s3 = { S3_BUCKET: 'b', S3_ENDPOINT: 'https://s3.example/', S3_ACCESS_KEY_ID: 'i', S3_SECRET_ACCESS_KEY: 's' };
    expect(readConfig({ ...s3, S3_FORCE_PATH_STYLE: 'true', S3_PREFIX: 'a/b/' }).exports.files).toEqual({
      kind: 's3',
      settings: {
        bucket: 'b',
        region: 'us-east-1',
        endpoint: 'https://s3.example',
        linkEndpoint: undefined,
        prefix: 'a/b/',
        forcePathStyle: true,
        credentials: { accessKeyId: 'i', secretAccessKey: 's' },
      },
    });
    const keys = `KEY1:${SECRET},KEY2:${SECRET}`;
    expect(readConfig({ FILES_DIR: '/files', FILES_SIGNING_KEYS: keys }).exports.files).toMatchObject({
      folder: '/files',
      keys: [{ id: 'KEY1' }, { id: 'KEY2' }],
    });
  });

  it.each([
    ['EXPORT_LINK_LIFE', '3601', /EXPORT_LINK_LIFE: must be a whole number from 1 to 3600/],
    ['EXPORT_DATABASE_URL', 'mysql://x', /EXPORT_DATABASE_URL: must begin with postgres/],
    ['PUBLIC_URL', 'https://x.example/path', /PUBLIC_URL: must be an address without a path/],
    ['PUBLIC_URL', 'data.example', /PUBLIC_URL/],
    ['FILES_SIGNING_KEYS', 'KEY1:short', /FILES_SIGNING_KEYS: must be id:secret/],
    ['S3_PREFIX', '/x', /S3_PREFIX/],
    ['S3_ACCESS_KEY_ID', 'x', /S3_SECRET_ACCESS_KEY: must be set/],
    ['S3_SECRET_ACCESS_KEY', 'x', /S3_ACCESS_KEY_ID: must be set/],
    ['S3_ENDPOINT', 'http://127.0.0.1:1', /S3_BUCKET: must be set/],
  ])('are rejected with a description of valid values: %s=%s', (name, value, message) => {
    expect(() => readConfig({ [name]: value })).toThrow(message);
  });
});
