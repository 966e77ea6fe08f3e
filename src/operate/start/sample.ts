import { join } from 'node:path';
import { withProgressLines } from '../../base/progress.ts';
import {
  activateDemoKey,
  isDemoKeyReserved,
  isUntouched,
  reserveDemoKey,
} from '../../gateway/access/demo-key.store.ts';
import { type ImportOptions, runImport, type SourceName } from '../../importers/import.ts';
import { loadFolder } from '../../importers/load/load.ts';
import type { Database } from '../../store/sql/database.ts';

/** A part of the sample data; loading it again changes nothing. */
export interface SamplePart {
  readonly title: string;
  load(db: Database): Promise<unknown>;
}

const FOLDER = join(import.meta.dirname, '../../../db/sample');

/** A part in the format of its source, which a newer edition then replaces as a whole. */
const imported = (what: string, source: SourceName, path: string, options: ImportOptions): SamplePart => ({
  title: `Loading ${what} (db/sample/${path})`,
  load: (db) => runImport(db, source, [join(FOLDER, path)], options),
});

const PARTS: readonly SamplePart[] = [
  ...['towns', 'zip-codes'].map((name) => ({
    title: `Loading points of ${name.replace('zip-', 'ZIP ')} (db/sample/${name})`,
    load: (db: Database) => loadFolder(db, join(FOLDER, name)),
  })),
  { title: 'Loading offices, people and elections (db/sample)', load: (db) => loadFolder(db, FOLDER) },
  { title: 'Loading boundaries (us-atlas)', load: (db) => runImport(db, 'us-atlas', [], { atLarge: true }) },
  imported('towns of Vermont', 'districts-topojson', 'vermont-towns/vermont.json', { preset: 'vermont-towns' }),
  imported('places to vote', 'voting-places', 'voting-places', {
    preset: 'us-polling-places',
    join: { jurisdiction: 'County subdivision' },
  }),
  imported('deadlines', 'vote-gov', 'vote-gov', { asOf: '2024-07-25' }),
];

/**
 * Returns whether the sample data should be loaded: the database has never contained data, or a previous load was
 * interrupted.
 */
export async function wantsSample(db: Database): Promise<boolean> {
  return (await isUntouched(db)) || (await isDemoKeyReserved(db));
}

/**
 * Loads the sample data and then activates the demo key. This happens only once for a database: data that an operator
 * deletes, or a key that an operator revokes, is not restored.
 */
export async function loadSample(db: Database, parts: readonly SamplePart[] = PARTS): Promise<void> {
  if (!(await isDemoKeyReserved(db))) await reserveDemoKey(db);
  for (const part of parts) await withProgressLines(part.title, () => part.load(db));
  await activateDemoKey(db);
}
