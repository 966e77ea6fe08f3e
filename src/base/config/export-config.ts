import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { parseSigningKeys } from './signing-keys.ts';
import { flag, origin, postgresAddress, wholeNumber } from './values.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const MEBIBYTE = 1024 * 1024;
const OWN_QUERIES = fileURLToPath(new URL('../../../db/queries', import.meta.url));

const signingKeys = z.string().transform((text, { addIssue }) => {
  const keys = parseSigningKeys(text);
  if (!keys)
    addIssue('must be id:secret, or several with commas between them: 4 to 16 of A-Z 0-9, 32 characters or more');
  return keys;
});

/** The environment variables of the bulk download. */
export const exportVariables = {
  QUERIES_DIR: z.string().optional().describe('Folder of the stored queries; `db/queries` if not set'),
  EXPORT_DATABASE_URL: postgresAddress
    .optional()
    .describe('Database that runs stored queries, for example a replica; `DATABASE_URL` if not set'),
  EXPORT_CONNECTIONS: wholeNumber(1, 50, 2).describe('Maximum number of stored queries that run at once; others wait'),
  EXPORT_TIMEOUT_MS: wholeNumber(100, DAY * 1_000, 300_000).describe('Time limit of a stored query'),
  EXPORT_MAX_MB: wholeNumber(1, 1_000_000, 4_096).describe('Maximum size of a file in MiB'),
  EXPORT_TTL: wholeNumber(0, 7 * DAY, HOUR).describe(
    'Seconds for which a finished file is reused, unless the data changes',
  ),
  EXPORT_LINK_LIFE: wholeNumber(1, HOUR, 300).describe('Seconds for which a download link is valid'),
  PUBLIC_URL: origin
    .optional()
    .describe(
      'Public address of the service, without a path: download links and the addresses of tiles begin with it, and `/openapi.json` names it; has to be set with `TRUSTED_PROXIES`. Without it, they begin with the address that the gateway listens on if only this machine can reach it, and are relative otherwise',
    ),
  FILES_DIR: z.string().optional().describe('Folder of finished files; `files` in `DATA_DIR` if not set'),
  FILES_SIGNING_KEYS: signingKeys
    .optional()
    .describe(
      'Keys for download links, `id:secret,…`: the first one signs, all are accepted; if not set, a key is generated',
    ),
  S3_BUCKET: z.string().optional().describe('S3 bucket for finished files, instead of a folder'),
  S3_REGION: z.string().default('us-east-1').describe('Region of the bucket'),
  S3_ENDPOINT: origin.optional().describe('Address of an S3-compatible object store; AWS if not set'),
  S3_LINK_ENDPOINT: origin.optional().describe('Address of the same object store for clients, if it differs'),
  S3_PREFIX: z
    .string()
    .regex(/^([A-Za-z0-9_-]+\/)*$/, 'must be names of folders, each followed by a /')
    .default('')
    .describe('Prefix for the names of all objects'),
  S3_FORCE_PATH_STYLE: flag(false).describe('Whether the bucket is in the path of the URL instead of in the host name'),
  S3_ACCESS_KEY_ID: z.string().optional().describe('Access key; if not set, the AWS SDK finds one'),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe('Secret access key'),
} as const;

type Read = z.output<z.ZodObject<typeof exportVariables>>;

/** Returns the problem with a combination of variables that are valid individually; undefined when there is none. */
export function exportProblem(read: Read): string | undefined {
  const { S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = read;
  if (S3_ACCESS_KEY_ID && !S3_SECRET_ACCESS_KEY) return 'S3_SECRET_ACCESS_KEY: must be set with S3_ACCESS_KEY_ID';
  if (S3_SECRET_ACCESS_KEY && !S3_ACCESS_KEY_ID) return 'S3_ACCESS_KEY_ID: must be set with S3_SECRET_ACCESS_KEY';
  if (!S3_BUCKET && (read.S3_ENDPOINT || S3_ACCESS_KEY_ID)) return 'S3_BUCKET: must be set with the other S3 variables';
  return undefined;
}

export type ExportConfig = ReturnType<typeof exportConfig>;

export function exportConfig(read: Read, dataDir: string) {
  return {
    queriesDir: read.QUERIES_DIR ?? OWN_QUERIES,
    /** undefined to use the database of the lookups. */
    databaseUrl: read.EXPORT_DATABASE_URL,
    atOnce: read.EXPORT_CONNECTIONS,
    timeoutMs: read.EXPORT_TIMEOUT_MS,
    largestBytes: read.EXPORT_MAX_MB * MEBIBYTE,
    reuseSeconds: read.EXPORT_TTL,
    linkSeconds: read.EXPORT_LINK_LIFE,
    publicUrl: read.PUBLIC_URL,
    files: read.S3_BUCKET
      ? { kind: 's3' as const, settings: s3Settings(read, read.S3_BUCKET) }
      : { kind: 'local' as const, folder: read.FILES_DIR ?? join(dataDir, 'files'), keys: read.FILES_SIGNING_KEYS },
  } as const;
}

export type S3Settings = ReturnType<typeof s3Settings>;

function s3Settings(read: Read, bucket: string) {
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = read;
  return {
    bucket,
    region: read.S3_REGION,
    /** undefined for AWS. */
    endpoint: read.S3_ENDPOINT,
    /** Endpoint for clients, if it differs from the endpoint that the gateway uses. */
    linkEndpoint: read.S3_LINK_ENDPOINT,
    /** Prefix of all object keys: `ballotgraph/`, or empty. */
    prefix: read.S3_PREFIX,
    forcePathStyle: read.S3_FORCE_PATH_STYLE,
    /** undefined to use the default lookup of the SDK (environment, files, the machine's role). */
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  } as const;
}
