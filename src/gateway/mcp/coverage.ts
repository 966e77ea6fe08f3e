import { DISTRICT_TYPES } from '../../graph/districts/district-type.ts';
import { loadedElections as sentenceOfElections } from '../../graph/elections/loaded-elections.ts';
import { prepareDocument } from '../graphql/typed-document.ts';
import { CoverageOfStateDocument, type CoverageOfStateQuery } from './generated/documents.ts';
import type { ToolScope } from './tool.ts';

const run = prepareDocument(CoverageOfStateDocument);

export type Coverage = NonNullable<CoverageOfStateQuery['coverage']>;

/** Returns what the data contains of a state (two letters) on a day; empty if it has no such state. */
export async function coverageOf({ execute, context }: ToolScope, state: string, on: string): Promise<Coverage> {
  return (await run(execute, { state, on }, context)).coverage ?? [];
}

/** The name of a district type in `coverage` by that of the schema. */
const KINDS: ReadonlyMap<string, string> = new Map(DISTRICT_TYPES.map(([name, kind]) => [name, kind]));

/**
 * Says of which types no district of a state is loaded on a day, so that they are not known there: one sentence for each
 * reason. A type that is loaded and of which no district contains a point is no gap of the data.
 * @param types the types in question; all if undefined.
 */
export function missingDistricts(
  coverage: Coverage,
  state: string,
  on: string,
  types: readonly string[] | undefined,
): string[] {
  const kinds = types?.map((type) => KINDS.get(type) ?? type);
  const missing = coverage.filter(
    ({ layer, kind, covered }) => layer === 'districts' && covered === 0 && (!kinds || kinds.includes(kind ?? '')),
  );
  return [...Map.groupBy(missing, (each) => each.missing ?? '')].map(([reason, ofReason]) =>
    // That a newer map is not loaded is a sentence of its own, the same everywhere.
    reason.endsWith('.') ? reason : `${state} on ${on}: ${reason} (${ofReason.map(({ kind }) => kind).join(', ')}).`,
  );
}

/** Says which types of elections of a state are in the data. */
export function loadedElections(coverage: Coverage, state: string): string[] {
  if (coverage.length === 0) return [`The data has no state ${state}.`];
  const layer = coverage.find(({ layer: name }) => name === 'elections');
  if (!layer) return [];
  return [sentenceOfElections(state, layer.electionTypes ?? [])];
}

/** Says how many contests of a state are no races, so that what was searched may be among them. */
export function unplacedContests(coverage: Coverage): string[] {
  return coverage.flatMap(({ unplacedNote }) => unplacedNote ?? []);
}
