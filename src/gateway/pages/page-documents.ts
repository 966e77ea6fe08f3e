import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, print } from 'graphql';
import { type PageDocument, sha256 } from '../graphql/documents/trusted-documents.ts';
import { WEB_FOLDER } from './web-folder.ts';

/** Returns the documents of the map page by the name of their operation. */
export function readPageDocuments(): ReadonlyMap<string, PageDocument> {
  const folder = join(WEB_FOLDER, 'documents');
  return new Map(
    readdirSync(folder).map((file) => {
      const text = print(parse(readFileSync(join(folder, file), 'utf8')));
      const name = /^query (\w+)/m.exec(text)?.[1];
      if (name === undefined) throw new Error(`${file} has no named query`);
      return [name, { id: `sha256:${sha256(text)}`, text }];
    }),
  );
}
