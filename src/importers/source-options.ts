import { isCalendarDate } from '../base/dates.ts';
import { ImportError } from './exchange/import-rows.ts';
import type { Source, SourceOptions } from './source.ts';

const DAYS = ['from', 'to', 'asOf', 'date'] as const;

/** Returns the name of an option on the command line: `as-of` for `asOf`. */
export function optionName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * Checks the options given for one of the sources.
 * @throws ImportError for an option that the source does not have, naming the sources that have it; for a day that does
 * not exist; and for a last day before the first.
 */
export function checkOptions(sources: Readonly<Record<string, Source>>, name: string, given: SourceOptions): void {
  const all = new Set(Object.values(sources).flatMap(({ options }) => options));
  for (const option of all) {
    if (given[option] === undefined || sources[name]?.options.includes(option)) continue;
    throw new ImportError(`--${optionName(option)} ${elsewhere(sources, name, option)}`);
  }
  for (const option of DAYS) {
    const value = given[option];
    if (value === undefined || isCalendarDate(value)) continue;
    throw new ImportError(`--${optionName(option)} ${value}: is not a date YYYY-MM-DD`);
  }
  if (given.from !== undefined && given.to !== undefined && given.to < given.from)
    throw new ImportError(`--to ${given.to}: is before --from ${given.from}`);
}

/** Describes an option that a source does not have, and names the sources that have it. */
export function elsewhere(
  sources: Readonly<Record<string, Source>>,
  name: string,
  option: keyof SourceOptions,
): string {
  const owners = Object.keys(sources).filter((source) => sources[source]?.options.includes(option));
  const own = (sources[name]?.options ?? []).map((each) => `--${optionName(each)}`);
  const known = own.length === 0 ? `${name} has no options` : `${name} has ${own.join(', ')}`;
  return `is an option of ${owners.join(', ')}, not of ${name}; ${known}`;
}
