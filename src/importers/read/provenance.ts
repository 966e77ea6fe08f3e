import { resolve, sep } from 'node:path';
import type { Provenance } from '../exchange/import-rows.ts';

type Given = { readonly [Member in keyof Provenance]?: Provenance[Member] | undefined };

/**
 * Returns the provenance of files: as the operator states it, otherwise that of the preset. A data set without a name has the last two
 * parts of its path, as `cds/2016`.
 */
export function provenanceOf([path = '']: readonly string[], given: Given, preset?: Given): Provenance {
  return {
    name: given.name ?? preset?.name ?? resolve(path).split(sep).slice(-2).join('/'),
    source: given.source ?? preset?.source ?? null,
    license: given.license ?? preset?.license ?? null,
    asOf: given.asOf ?? null,
  };
}
