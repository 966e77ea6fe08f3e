import type { z } from 'zod';
import { ImportError } from '../import-rows.ts';
import { decodeText, parseJson } from '../read-documents.ts';
import { type NamedFile, readWhole } from '../read-files.ts';

/** The text of a file of a source. Throws ImportError when it is not UTF-8. */
export async function textOf(file: NamedFile): Promise<string> {
  return decodeText(file.name, await readWhole(file));
}

/** The document of a JSON file. Throws ImportError, with the member at fault, when it is not of the shape. */
export async function jsonOf<T>(file: NamedFile, shape: z.ZodType<T>): Promise<T> {
  return checked(file.name, parseJson(file.name, await textOf(file)), shape);
}

/** A document of a shape. Throws ImportError that names the member at fault. */
export function checked<T>(name: string, document: unknown, shape: z.ZodType<T>): T {
  const parsed = shape.safeParse(document);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ImportError(`${name}: ${issue?.path.join('.') || 'the document'}: ${issue?.message}`);
}
