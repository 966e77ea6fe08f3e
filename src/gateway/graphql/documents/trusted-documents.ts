import { hash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GraphQLError, type GraphQLSchema, Kind, parse, print, Source, separateOperations, validate } from 'graphql';
import { z } from 'zod';
import { dictionary } from '../../../base/dictionary.ts';
import { folderError } from '../../../base/folder-error.ts';

/** A document that a client may execute by its id. */
export interface TrustedDocument {
  /** The operation name; identifies the document in the metrics. */
  readonly name: string;
  readonly text: string;
}

/** By id, without the optional prefix `sha256:`. */
export type TrustedDocuments = ReadonlyMap<string, TrustedDocument>;

/** A document of the map page as the browser gets it: it sends the id, and shows the text in GraphiQL. */
export interface PageDocument {
  readonly id: string;
  readonly text: string;
}

/** Returns the documents of the map page in the form in which the server finds them. */
export function trustedPageDocuments(documents: ReadonlyMap<string, PageDocument>): TrustedDocuments {
  return new Map([...documents].map(([name, { id, text }]) => [withoutPrefix(id), { name, text }]));
}

const PREFIX = 'sha256:';

/** Returns the id of a document without the optional prefix, which code generators write into manifests. */
export function withoutPrefix(id: string): string {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id;
}

export const MANIFEST = 'persisted-documents.json';

/** The formats that code generators write for clients, including Apollo's. */
const manifest = z.union([
  z
    .object({
      format: z.literal('apollo-persisted-query-manifest'),
      operations: z.array(z.object({ id: z.string(), body: z.string() })),
    })
    .transform(({ operations }) => operations.map(({ id, body }) => [id, body] as const)),
  z.record(z.string(), z.string()).transform((texts) => Object.entries(texts)),
]);

/**
 * Returns the documents of all manifests (`*.json`) in a folder.
 * @throws Error with the file name if a file is not a manifest or has a document that is invalid against the schema.
 */
export async function readTrustedDocuments(folder: string, schema: GraphQLSchema): Promise<TrustedDocuments> {
  const documents = new Map<string, TrustedDocument>();
  const names = await readdir(folder).catch((error) => {
    throw folderError('PERSISTED_DIR', folder, error);
  });
  for (const name of names.filter((file) => file.endsWith('.json')).sort()) {
    const file = join(folder, name);
    try {
      for (const [id, text] of manifest.parse(JSON.parse(await readFile(file, 'utf8')))) {
        documents.set(withoutPrefix(id), { name: checked(text, schema), text });
      }
    } catch (error) {
      const reason = error instanceof z.ZodError ? 'it is not a manifest' : error instanceof Error ? error.message : '';
      throw new Error(`PERSISTED_DIR: ${file}: ${reason}`);
    }
  }
  return documents;
}

/**
 * Writes the manifest for the `.graphql` files of a client's folder: each operation with its fragments, by the SHA-256
 * of its text.
 * @returns the number of operations in it.
 */
export async function writeManifest(folder: string, schema: GraphQLSchema): Promise<number> {
  const texts: Record<string, string> = dictionary();
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.graphql')).sort()) {
    const source = new Source(await readFile(join(folder, name), 'utf8'), name);
    for (const document of Object.values(separateOperations(parse(source)))) {
      const text = print(document);
      checked(text, schema);
      texts[`${PREFIX}${sha256(text)}`] = text;
    }
  }
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(texts, null, 2)}\n`);
  return Object.keys(texts).length;
}

export function sha256(text: string): string {
  return hash('sha256', text);
}

/** Validates a document and returns the name of its operation. */
function checked(text: string, schema: GraphQLSchema): string {
  const document = parse(text);
  const [error] = validate(schema, document);
  if (error) throw new GraphQLError(error.message);
  const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return operation?.name?.value ?? sha256(text).slice(0, 8);
}
