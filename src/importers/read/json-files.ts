import type { z } from 'zod';
import { ImportError } from '../exchange/import-rows.ts';
import type { NamedFile } from './named-file.ts';
import { decodeText, parseJson } from './read-documents.ts';
import { readWhole } from './read-files.ts';

/** Returns the text of a source file. Throws ImportError if it is not UTF-8. */
export async function textOf(file: NamedFile): Promise<string> {
  return decodeText(file.name, await readWhole(file));
}

/**
 * Returns the document of a JSON file. Throws ImportError with the invalid member if the document does not match the
 * schema.
 */
export async function jsonOf<T>(file: NamedFile, shape: z.ZodType<T>): Promise<T> {
  return checked(file.name, parseJson(file.name, await textOf(file)), shape);
}

/** Returns a document after checking it against a schema. Throws ImportError that names the invalid member. */
export function checked<T>(name: string, document: unknown, shape: z.ZodType<T>): T {
  const parsed = shape.safeParse(document);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ImportError(`${issue?.path.join('.') || 'the document'}: ${issue?.message}`, name);
}
