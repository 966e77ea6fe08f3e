import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  NotFound,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { S3Settings } from '../../base/config/export-config.ts';
import type { FileStore, StoredFile } from './file-store.ts';
import { mediaTypeOf } from './formats.ts';

/** Two parts of this size are in memory at a time. */
const PART_SIZE = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 2;

/** Stores files in an S3-compatible object store, through the AWS SDK: multipart uploads, presigned links. */
export class S3Files implements FileStore {
  readonly #settings: S3Settings;
  readonly #client: S3Client;
  readonly #linkClient: S3Client;

  constructor(settings: S3Settings) {
    this.#settings = settings;
    this.#client = clientFor(settings, settings.endpoint);
    this.#linkClient = settings.linkEndpoint ? clientFor(settings, settings.linkEndpoint) : this.#client;
  }

  async write(file: StoredFile, blocks: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> {
    const upload = new Upload({
      client: this.#client,
      params: {
        ...this.#object(file),
        Body: Readable.from(blocks, { objectMode: false, highWaterMark: PART_SIZE }),
        ContentType: mediaTypeOf(file.name),
        ContentDisposition: `attachment; filename="${file.name}"`,
        CacheControl: 'private, no-store',
      },
      partSize: PART_SIZE,
      queueSize: PARTS_AT_ONCE,
      leavePartsOnError: false,
    });
    const abort = () => void upload.abort();
    signal.addEventListener('abort', abort);
    try {
      signal.throwIfAborted();
      await upload.done();
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async has(file: StoredFile): Promise<boolean> {
    try {
      await this.#client.send(new HeadObjectCommand(this.#object(file)));
      return true;
    } catch (error) {
      if (error instanceof NotFound) return false;
      throw error;
    }
  }

  async link(file: StoredFile, seconds: number): Promise<string> {
    const command = new GetObjectCommand(this.#object(file));
    // S3 signs but otherwise ignores parameters that begin with x-: this one makes the link unique.
    command.middlewareStack.add(
      (next) => (args) => {
        const request = args.request as { query: Record<string, string> };
        request.query['x-link'] = randomBytes(8).toString('hex');
        return next(args);
      },
      { step: 'build', name: 'linkNumber' },
    );
    return getSignedUrl(this.#linkClient, command, { expiresIn: seconds });
  }

  async clean(before: Date): Promise<void> {
    const { bucket, prefix } = this.#settings;
    const where = { Bucket: bucket, Prefix: `${prefix}exports/` };
    for await (const page of paginateListObjectsV2({ client: this.#client }, where)) {
      const old = (page.Contents ?? []).filter(({ LastModified }) => LastModified && LastModified < before);
      const Objects = old.flatMap(({ Key }) => (Key ? [{ Key }] : []));
      if (Objects.length > 0) {
        await this.#client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }));
      }
    }
    const uploads = await this.#client.send(new ListMultipartUploadsCommand(where));
    for (const { Key, UploadId, Initiated } of uploads.Uploads ?? []) {
      if (!Key || !UploadId || !Initiated || Initiated >= before) continue;
      await this.#client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
    }
  }

  #object(file: StoredFile) {
    return { Bucket: this.#settings.bucket, Key: `${this.#settings.prefix}exports/${file.key}/${file.name}` };
  }
}

function clientFor(settings: S3Settings, endpoint: string | undefined): S3Client {
  const { region, forcePathStyle, credentials } = settings;
  return new S3Client({
    region,
    forcePathStyle,
    ...(endpoint ? { endpoint } : {}),
    ...(credentials ? { credentials } : {}),
    // Object stores other than AWS may not support the checksums that the SDK adds by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}
