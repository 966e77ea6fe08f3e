import { join } from 'node:path';

/** The folder with the files that run in browsers. */
export const WEB_FOLDER = join(import.meta.dirname, '../../../web');
