import { html } from 'lit-html';
import { ask } from './api.ts';
import { notice } from './ballot.ts';
import type { Rung } from './data.ts';
import type { Html } from './dom.ts';
import type { CoverageQuery, SourcesQuery } from './generated/operations.ts';
import type { Point } from './place-address.ts';
import { kindOf, listed, shortDay } from './words.ts';

/** What the database contains for a state, layer by layer. */
export type Coverage = NonNullable<CoverageQuery['coverage']>;

/** How far from a point a line is close, in degrees of latitude: 1 km, about the error of simplified outlines. */
const CLOSE_DEGREES = 0.009;
const DIRECTIONS = 8;

const known = new Map<string, Coverage>();

/** Returns what the database contains for a state on a day; nothing if the package does not include it. */
export async function readCoverage(state: string, on: string, signal: AbortSignal): Promise<Coverage> {
  const name = `${state} ${on}`;
  const found = known.get(name) ?? (await ask('Coverage', { state, on }, signal)).coverage ?? [];
  known.set(name, found);
  return found;
}

/** Returns the types of districts of which maps of a state are loaded for a day; undefined if this is not known. */
export async function typesWithMaps(
  state: string | null | undefined,
  on: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  const coverage = state ? await readCoverage(state, on, signal) : [];
  if (coverage.length === 0) return;
  const mapped = coverage.filter(({ layer, covered }) => layer === 'districts' && covered > 0);
  return new Set(mapped.flatMap(({ kind }) => (kind ? [typeOf(kind)] : [])));
}

/** Returns the value of the enum for the type that `coverage` calls, for example, `State Legislative (Upper)`. */
const typeOf = (kind: string) =>
  kind
    .toUpperCase()
    .replaceAll(/[^A-Z]+/g, '_')
    .replace(/_$/, '');

/** Reads which of the simplified outlines that contain a point do not contain all points around it. */
export async function readCloseLines(
  { latitude, longitude }: Point,
  on: string | undefined,
  rungs: readonly Rung[],
  signal: AbortSignal,
): Promise<Rung[]> {
  const simplified = rungs.filter(({ boundary }) => !boundary.precise);
  if (simplified.length === 0) return [];
  const points = Array.from({ length: DIRECTIONS }, (_, index) => {
    const angle = (2 * Math.PI * index) / DIRECTIONS;
    const stretch = Math.cos((latitude * Math.PI) / 180);
    return {
      latitude: latitude + CLOSE_DEGREES * Math.sin(angle),
      longitude: longitude + (CLOSE_DEGREES * Math.cos(angle)) / stretch,
    };
  });
  const { locations } = await ask('Nearby', { points, on }, signal);
  const around = (locations ?? []).map(
    ({ districtsWithBoundary }) => new Set((districtsWithBoundary ?? []).map(({ boundary }) => boundary.databaseId)),
  );
  return simplified.filter(({ boundary }) => around.some((ids) => !ids.has(boundary.databaseId)));
}

/** Says that a point is close to the line of simplified outlines. */
export function closeLines(rungs: readonly Rung[]): Html {
  if (rungs.length === 0) return '';
  const kinds = [...new Set(rungs.map(({ district }) => inSentence(kindOf(district.type))))];
  const outlines = `The ${listed(kinds)} ${kinds.length > 1 ? 'outlines here are' : 'outline here is'} simplified`;
  return notice(
    '',
    'warning',
    'This point is close to a line.',
    `${outlines}, so the point may be on the other side. Check with your county.`,
  );
}

export const inSentence = (kind: string) => kind.replace(/^[A-Z](?!\.)/, (first) => first.toLowerCase());

/** The plural names of the district types, as `coverage` calls them. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['Congress', 'U.S. House districts'],
  ['State Legislative (Upper)', 'state senate districts'],
  ['State Legislative (Lower)', 'state house districts'],
  ['State subdivision', 'parts of the state'],
  ['County', 'counties'],
  ['County subdivision', 'town and county districts'],
  ['City-town', 'cities and towns'],
  ['City-town subdivision', 'wards'],
  ['School District', 'school districts'],
  ['School district subdivision', 'school district seats'],
  ['Judicial District', 'court districts'],
  ['Judicial district subdivision', 'court district seats'],
  ['Special District', 'special districts'],
  ['Special district subdivision', 'special district seats'],
]);

/** Says which district types of a state have no boundaries. */
export function missingLayers(coverage: Coverage, place: string, state: string): Html {
  const missing = coverage.flatMap(({ layer, kind, covered }) =>
    layer === 'districts' && covered === 0 && kind ? [KINDS.get(kind) ?? kind] : [],
  );
  const both = ['state senate districts', 'state house districts'];
  const kinds = both.every((kind) => missing.includes(kind))
    ? ['state legislature districts', ...missing.filter((kind) => !both.includes(kind))]
    : missing;
  if (kinds.length === 0) return '';
  const names = listed(kinds);
  return notice(
    '',
    'info',
    `Not every district of ${place} is loaded.`,
    html`${names.slice(0, 1).toUpperCase()}${names.slice(1)} of ${state} are missing. <a href="#coverage" data-action="coverage">What we have</a>`,
  );
}

/** Renders what the database contains for a state as a table. */
export function coverageTable(coverage: Coverage, state: string): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Coverage of ${state}"><table class="same"><caption class="small">${state}</caption>
    <thead><tr><th scope="col">Data</th><th scope="col">Loaded</th><th scope="col">Days</th><th scope="col">What is missing</th></tr></thead>
    <tbody>${coverage.map(
      ({ layer, kind, records, covered, firstDay, lastDay, asOf, missing, unplacedNote }) =>
        html`<tr><th scope="row">${layer.slice(0, 1).toUpperCase()}${layer.slice(1)}${kind ? `, ${KINDS.get(kind) ?? kind}` : ''}</th><td>${covered} of ${records}</td><td>${daysOf(firstDay, lastDay, asOf)}</td><td>${missing}${missing && unplacedNote ? html`<br>` : ''}${unplacedNote}</td></tr>`,
    )}</tbody></table></div>`;
}

/** Renders all data sets of the gateway with their terms of use as a table. */
export function sourcesTable(sources: NonNullable<SourcesQuery['sources']>): Html {
  if (sources.length === 0) return html`<p class="none">No sources are in the data.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="All sources and licenses"><table class="same">
    <thead><tr><th scope="col">Data set</th><th scope="col">From</th><th scope="col">License</th><th scope="col">As of</th></tr></thead>
    <tbody>${sources.map(
      ({ name, source, license, asOf }) =>
        html`<tr><th scope="row">${name}</th><td>${source ? linkedSource(source) : 'Not known'}</td><td>${license ?? 'Not known'}</td><td>${asOf ? shortDay(asOf) : 'Not known'}</td></tr>`,
    )}</tbody></table></div>`;
}

/** Returns where a data set is from, as a link if it is an address. */
function linkedSource(source: string): Html {
  return /^https?:\/\/\S+$/.test(source)
    ? html`<a href="${source}">${source.replace(/^https?:\/\/(www\.)?|\/$/g, '')}</a>`
    : html`${source}`;
}

function daysOf(first: string | null, last: string | null, asOf: string | null): string {
  if (asOf) return `As of ${shortDay(asOf)}`;
  if (first && last) return `${shortDay(first)} to ${shortDay(last)}`;
  return last !== null ? `Since ${shortDay(last)}` : '';
}
