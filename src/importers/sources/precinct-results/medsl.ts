import { basename } from 'node:path';
import { isCalendarDate } from '../../../base/dates.ts';
import { stateByPostal } from '../../../base/words/states.ts';
import type { OpenedSource } from '../../exchange/import-rows.ts';
import { type Column, dialect } from '../../results/dialect.ts';
import type { Given } from '../../results/read-rows.ts';
import { openResultTables, type ResultOptions } from './result-files.ts';

/** What the name of a file may state: `2018-wi-precinct-general.csv`, `20181106__wi__general.csv`. */
const DAY = /(?<!\d)(\d{4})[-_]?(\d\d)[-_]?(\d\d)(?!\d)/;
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/;
const STATE = /(?<![a-z])[a-z]{2}(?![a-z])/gi;

/** Returns the values of columns that a file may lack, from the options or its name. */
function givenFor(file: string, options: ResultOptions): Partial<Record<Column, Given>> {
  const name = basename(file);
  const [, year, month, day] = DAY.exec(name) ?? [];
  const date = `${year}-${month}-${day}`;
  const [state, another] = new Set(
    name
      .match(STATE)
      ?.map((code) => stateByPostal(code)?.postal)
      .filter(Boolean),
  );
  const isOf = (kind: string) => new RegExp(`(?<![a-z])${kind}(?![a-z])`, 'i').test(name);
  const stage = isOf('primary') ? 'PRI' : isOf('general') ? 'GEN' : undefined;
  return {
    date: {
      otherwise: options.date ?? (isCalendarDate(date) ? date : YEAR.exec(name)?.[0]),
      hint: 'the name of the file may state the day, or --date',
    },
    state: {
      otherwise: options.state ?? (another ? undefined : state),
      hint: 'the name of the file may state the state, or --state',
    },
    stage: {
      otherwise: stage && isOf('runoff') ? `${stage} RUNOFF` : stage,
      hint: 'the name of the file may say general, primary or runoff',
    },
    special: { otherwise: isOf('special') ? 'TRUE' : 'FALSE' },
    mode: { otherwise: 'TOTAL' },
  };
}

/**
 * Opens precinct results of the MIT Election Data and Science Lab, zipped or not: the contests of a file, summed over
 * precincts and voting modes.
 */
export function openMedsl(paths: readonly string[], options: ResultOptions): Promise<OpenedSource> {
  return openResultTables(dialect('medsl'), paths, options, (file) => ({ file, given: givenFor(file.name, options) }));
}
