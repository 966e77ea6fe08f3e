import type { ImportContext } from '../exchange/import-rows.ts';
import type { ResultSums } from './result-sums.ts';

const SUBTOTALS = {
  name: 'is a subtotal by its name',
  sum: 'is a subtotal: it equals the sum of the others',
  'less than the total': 'has a stated total with the votes of precincts without a row for a name, which are added',
  'near the sum': 'is a subtotal: it is named like its county and has nearly the votes of the others',
  'not the total': 'has a stated total that is not the sum of its parts',
  'more than the total': 'has precincts that add up to more than its stated total, which is used instead',
};
const IDENTICAL = 'repeats another row of the file in all columns';
const BY_VALUES = 'is a column whose values show what it is';
const CONTRADICTS = 'has a total that is not the sum of its modes of voting';
const OTHER_PARTIES = 'has another party in some of its rows';
const OUTLIER = 'has far more votes in a precinct than any other contest has there';

/** Reports what was found while a result file was read and its votes were added: each with the line or the place where it is. */
export function reportReading(file: string, sums: ResultSums, report: ImportContext['report']): void {
  for (const { office, county_name, precinct, reason, cells, votes, parts } of sums.subtotals) {
    const record = [file, office, county_name, precinct].filter(Boolean).join(' | ');
    const why = SUBTOTALS[reason];
    if (parts !== undefined) {
      report.add(record, `${why}: ${votes}, and ${parts} in its parts, which are counted`, why);
      continue;
    }
    const counts =
      reason === 'less than the total' ? `${cells} names` : `its ${cells} counts with ${votes} votes are not added`;
    report.add(record, `${why}; ${counts}`, why);
  }
  for (const { header, name } of sums.csv.byValues)
    report.add(`${file}:1 | ${header}`, `is read as ${name}: its values show what it is`, BY_VALUES);
  for (const { line, cells } of sums.csv.repaired)
    report.add(`${file}:${line}`, `shifted cells are read as ${cells.join(' | ')}`, 'shifted cells are put in order');
  for (const { office, county, precinct, name, total, byMode } of sums.contradictions)
    report.add(
      [file, office, county, precinct, name].filter(Boolean).join(' | '),
      `${CONTRADICTS}: ${total} and ${byMode}; at least the smaller one is counted`,
      CONTRADICTS,
    );
  for (const { office, name, record, parties } of sums.otherParties)
    report.add(
      `${file}:${sums.csv.lineOf(record)} | ${office} | ${name}`,
      `${OTHER_PARTIES}: ${parties.join(', ')}`,
      OTHER_PARTIES,
    );
  for (const { office, county, precinct, votes, others } of sums.outliers)
    report.add(
      [file, office, county, precinct].filter(Boolean).join(' | '),
      `has ${votes} votes, and no other contest of the precinct more than ${others}`,
      OUTLIER,
    );
  for (const { record, office, name, votes } of sums.identical)
    report.add(
      `${file}:${sums.csv.lineOf(record)} | ${office} | ${name}`,
      `${IDENTICAL}: its ${votes} votes are not added`,
      IDENTICAL,
    );
  reportSpellings(file, sums, report);
  for (const { line, cells } of sums.csv.malformed)
    report.add(`${file}:${line}`, `has ${cells.length} cells, unlike the header`);
}

/** Reports which spellings of candidates are counted as one. */
export function reportSpellings(file: string, { joined }: ResultSums, report: ImportContext['report']): void {
  for (const { office, name, into, votes } of joined)
    report.add(
      `${file} | ${office} | ${name}`,
      `is another spelling of ${into}: its ${votes} votes are added`,
      'is another spelling of a candidate of the contest',
    );
}
