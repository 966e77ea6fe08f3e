import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Returns the folder of the npm package us-atlas, with the outlines of the states and counties. */
export const usAtlasFolder = () => dirname(createRequire(import.meta.url).resolve('us-atlas/package.json'));
