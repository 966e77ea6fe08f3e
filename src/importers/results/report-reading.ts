import type { ImportContext } from '../exchange/import-rows.ts';
import type { Reason } from '../exchange/report-kinds.ts';
import type { ResultSums } from './result-sums.ts';

const SUBTOTALS: Readonly<Record<ResultSums['subtotals'][number]['reason'], Reason>> = {
  name: { kind: 'totals-among-rows', reason: 'is a subtotal by its name' },
  sum: { kind: 'totals-among-rows', reason: 'is a subtotal: it equals the sum of the others' },
  'less than the total': {
    kind: 'totals-against-parts',
    reason: 'has a stated total with the votes of precincts without a row for a name, which are added',
  },
  'near the sum': {
    kind: 'totals-among-rows',
    reason: 'is a subtotal: it is named like its county and has nearly the votes of the others',
  },
  'not the total': { kind: 'totals-against-parts', reason: 'has a stated total that is not the sum of its parts' },
  'more than the total': {
    kind: 'totals-against-parts',
    reason: 'has precincts that add up to more than its stated total, which is used instead',
  },
};
const IDENTICAL = 'repeats another row of the file in all columns';
const BY_VALUES = 'is a column whose values show what it is';
const CONTRADICTS = 'has a total that is not the sum of its modes of voting';
const OTHER_PARTIES = 'has another party in some of its rows';
const OUTLIER = 'has far more votes in a precinct than any other contest has there';

/** Reports what was found while a result file was read and its votes were added: each with the line or the place where it is. */
export function reportReading(file: string, sums: ResultSums, report: ImportContext['report']): void {
  for (const { office, county_name, precinct, reason, cells, votes, parts } of sums.subtotals) {
    const record = report.locate([file, office, county_name, precinct].filter(Boolean).join(' | '), file);
    const { kind, reason: why } = SUBTOTALS[reason];
    if (parts !== undefined) {
      report.add(record, kind, `${why}: ${votes}, and ${parts} in its parts, which are counted`, why);
      continue;
    }
    const counts =
      reason === 'less than the total' ? `${cells} names` : `its ${cells} counts with ${votes} votes are not added`;
    report.add(record, kind, `${why}; ${counts}`, why);
  }
  for (const { header, name } of sums.csv.byValues)
    report.add(
      report.locate(`${file}:1 | ${header}`, file, 1),
      'left-out',
      `is read as ${name}: its values show what it is`,
      BY_VALUES,
    );
  for (const { line, cells } of sums.csv.repaired)
    report.add(
      report.locate(`${file}:${line}`, file, line),
      'malformed-rows',
      `shifted cells are read as ${cells.join(' | ')}`,
      'shifted cells are put in order',
    );
  for (const { office, county, precinct, name, total, byMode } of sums.contradictions)
    report.add(
      report.locate([file, office, county, precinct, name].filter(Boolean).join(' | '), file),
      'totals-against-parts',
      `${CONTRADICTS}: ${total} and ${byMode}; at least the smaller one is counted`,
      CONTRADICTS,
    );
  const at = (record: number, office: string, name: string) => {
    const line = sums.csv.lineOf(record);
    return report.locate(`${file}:${line} | ${office} | ${name}`, file, line);
  };
  for (const { office, name, record, parties } of sums.otherParties)
    report.add(
      at(record, office, name),
      'parties-by-precinct',
      `${OTHER_PARTIES}: ${parties.join(', ')}`,
      OTHER_PARTIES,
    );
  for (const { office, county, precinct, votes, others } of sums.outliers)
    report.add(
      report.locate([file, office, county, precinct].filter(Boolean).join(' | '), file),
      'precincts-beyond-voters',
      `has ${votes} votes, and no other contest of the precinct more than ${others}`,
      OUTLIER,
    );
  for (const { record, office, name, votes } of sums.identical)
    report.add(at(record, office, name), 'identical-rows', `${IDENTICAL}: its ${votes} votes are not added`, IDENTICAL);
  reportSpellings(file, sums, report);
  for (const { line, cells } of sums.csv.malformed)
    report.add(
      report.locate(`${file}:${line}`, file, line),
      'malformed-rows',
      `has ${cells.length} cells, unlike the header`,
    );
}

/** Reports which spellings of candidates are counted as one. */
export function reportSpellings(file: string, { joined }: ResultSums, report: ImportContext['report']): void {
  for (const { office, name, into, votes } of joined)
    report.add(
      report.locate(`${file} | ${office} | ${name}`, file),
      'names-in-several-spellings',
      `is another spelling of ${into}: its ${votes} votes are added`,
      'is another spelling of a candidate of the contest',
    );
}
