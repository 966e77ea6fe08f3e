import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { ImportError } from '../import-rows.ts';
import { type NamedFile, readWhole } from '../read-files.ts';

/** The text of a file of a source. Throws ImportError when it is not UTF-8. */
export async function textOf(file: NamedFile): Promise<string> {
  const bytes = await readWhole(file);
  if (!isUtf8(bytes)) throw new ImportError(`${file.name}: is not UTF-8`);
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** The document of a JSON file. Throws ImportError, with the member at fault, when it is not of the shape. */
export async function jsonOf<T>(file: NamedFile, shape: z.ZodType<T>): Promise<T> {
  let document: unknown;
  try {
    document = JSON.parse(await textOf(file));
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(`${file.name}: is not JSON, is cut off, or is nested too deep`);
  }
  return checked(file.name, document, shape);
}

/** A document of a shape. Throws ImportError that names the member at fault. */
export function checked<T>(name: string, document: unknown, shape: z.ZodType<T>): T {
  const parsed = shape.safeParse(document);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ImportError(`${name}: ${issue?.path.join('.') || 'the document'}: ${issue?.message}`);
}
