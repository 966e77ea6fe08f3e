import { basename } from 'node:path';
import { isCalendarDate } from '../../../base/dates.ts';
import { stateByPostal } from '../../../base/words/states.ts';
import { type OpenedSource, UnusableFileError } from '../../exchange/import-rows.ts';
import { isGeneralElectionDay } from '../../results/contest-elections.ts';
import { type Column, dialect } from '../../results/dialect.ts';
import type { Given } from '../../results/read-rows.ts';
import { openResultTables, type ResultOptions } from './result-files.ts';

/** The day, the state and the parts of a name: `20181106__fl__general__miami-dade.csv`. */
const FILE_NAME = /^(\d{4})(\d\d)(\d\d)__([a-z]{2})__(.+)\.csv$/i;
/** The words for the kind of an election, alone or joined in the first parts of a name: `general_runoff`, `special__primary`. */
const KIND =
  /^(?:(?:general|primary|special|runoff|recall|presidential|democrat|democratic|republican|libertarian|green)(?:[_-]|$))+$/i;
const PARTY = /^(democrat|democratic|republican|libertarian|green)$/;
const EXAMPLE = '20181106__me__general__town.csv';

/** Opens files of the OpenElections project, whose names contain the day, the state and the kind of election. */
export function openOpenElections(paths: readonly string[], options: ResultOptions): Promise<OpenedSource> {
  return openResultTables(dialect('openelections'), paths, options, (file) => {
    const name = withDoubleLines(basename(file.name));
    return { file: { ...file, name }, given: givenFor(name, options) };
  });
}

/** Returns the name of a file whose parts are separated by one underscore each, as the others are by two. */
function withDoubleLines(name: string): string {
  return name.includes('__') ? name : name.replaceAll('_', '__');
}

/** Returns the words for the kind of an election at the beginning of the parts of a name. */
function kindsOf(rest: string): readonly string[] {
  const parts = rest.split('__');
  const count = parts.findIndex((part) => !KIND.test(part));
  return parts.slice(0, count < 0 ? undefined : count).flatMap((part) => part.toLowerCase().split(/[_-]/));
}

/** Returns the values of columns from the name of a file, or the options: the day, the state and the kind of the election. */
function givenFor(file: string, options: ResultOptions): Partial<Record<Column, Given>> {
  const [name, year, month, day, postal = options.state ?? '', rest = ''] = FILE_NAME.exec(file) ?? [];
  const state = stateByPostal(postal.toUpperCase());
  const date = name ? `${year}-${month}-${day}` : (options.date ?? '');
  const inName = name ? kindsOf(rest) : file.toLowerCase().split(/[^a-z]+/);
  // On the day of the general elections, a file whose name says nothing else is one of them.
  const kinds = !name && isCalendarDate(date) && isGeneralElectionDay(date) ? [...inName, 'general'] : inName;
  const isOf = (kind: string) => kinds.includes(kind);
  const isPrimary = isOf('primary');
  const party = isPrimary ? (kinds.find((kind) => PARTY.test(kind)) ?? '') : '';
  if (!state || !isCalendarDate(date) || !kinds.some((kind) => /^(general|primary|special|runoff|recall)$/.test(kind)))
    throw new UnusableFileError(
      `the file name must be like ${EXAMPLE} (day, state, and general, primary, special, runoff or recall); or set --date and --state`,
      file,
    );
  // Who is elected after a recall holds the office for the rest of the term.
  const special = isOf('special') || isOf('recall');
  const stage = `${isPrimary ? 'PRI' : 'GEN'}${isOf('runoff') ? ' RUNOFF' : ''}`;
  return {
    state: { always: state.postal },
    date: { always: date },
    stage: { always: stage },
    special: { always: special ? 'TRUE' : 'FALSE' },
    mode: { always: 'TOTAL' },
    // Contests of a primary differ by their party.
    party:
      party !== '' ? { always: party } : isPrimary ? { hint: 'the party of a primary is a part of its contest' } : {},
  };
}
