import { shown, visibleText } from '../exchange/cells.ts';
import type { Report } from '../exchange/report.ts';
import type { ReportKind } from '../exchange/report-kinds.ts';
import type { UnplacedContest } from './races.ts';
import type { ReadRows } from './read-rows.ts';
import type { Finding, Sums } from './sum.ts';

const FOUND: Readonly<Record<Finding['kind'], readonly [ReportKind, string]>> = {
  'rows-are-a-total': ['totals-among-rows', 'is the sum of other rows: it is not added'],
  'total-of-incomplete-parts': [
    'totals-against-parts',
    'has more votes than its parts, which are incomplete: the total is counted',
  ],
  'total-below-its-parts': [
    'totals-against-parts',
    'has far fewer votes than its parts, some of which are there twice: the total is counted',
  ],
  'total-near-its-parts': ['totals-against-parts', 'has nearly the votes of its parts: the parts are counted'],
  'rows-without-a-precinct': [
    'totals-against-parts',
    'has rows without a precinct that are no total of the others: they are not added',
  ],
  'modes-are-the-total': [
    'totals-among-rows',
    'has the same votes in each mode of voting: each is the total, and counts once',
  ],
  'modes-contradict-total': ['totals-against-parts', 'has modes of voting with more votes than their total'],
  'repeated-rows': [
    'identical-rows',
    'has rows that repeat another one in all columns: whole precincts count once, single rows are added',
  ],
};

/** Reports what was found while the rows of a file were read and added up. */
export function reportSums(file: string, { malformed, lineOf }: ReadRows, { findings }: Sums, report: Report): void {
  for (const { kind, county, precinct, contest, record, counts, votes, others } of findings) {
    const [check, sentence] = FOUND[kind];
    report.add(
      report.locate(
        [file, county, precinct, contest].filter(Boolean).join(' | '),
        file,
        record === undefined ? undefined : lineOf(record),
      ),
      check,
      sentence,
      `${counts} ${counts === 1 ? 'count' : 'counts'}, ${votes} and ${others} votes`,
    );
  }
  for (const { line, cells } of malformed)
    report.add(
      report.locate(`${file}:${line}`, file, line),
      'malformed-rows',
      `has ${cells.length} cells, unlike the header`,
    );
}

const UNDECLARED = 'no row declares the office: it is kept as the source wrote it';

/** Reports the contests that are not placed: one entry an office of a file, with the number of its contests and their votes. */
export function reportUnplaced(contests: readonly UnplacedContest[], report: Report): void {
  const groups = Map.groupBy(contests, ({ file, office, reason }) => `${file}\n${office}\n${reason ?? ''}`);
  for (const [, group] of groups) {
    const [first] = group;
    if (!first || first.reason?.startsWith('another')) continue;
    const votes = group.reduce((sum, { names }) => sum + names.reduce((all, name) => all + name.votes, 0), 0);
    report.locate(`${first.file} | ${first.office}`, first.file, first.line);
    report.add(
      `${first.file} | ${first.office}`,
      first.kind,
      first.reason ?? UNDECLARED,
      `${group.length} contests with ${votes} votes`,
    );
  }
}

/** Returns a contest that is not placed without invisible and control characters, which are reported. */
export function visibleContest(contest: UnplacedContest, report: Report): UnplacedContest {
  const { file, line, names, office, district, county, party } = contest;
  const written = [office, district, county, party, ...names.flatMap((each) => [each.name, each.party])];
  const odd = written.find((text) => visibleText(text) !== text);
  if (odd === undefined) return contest;
  const visible = {
    ...contest,
    office: visibleText(office),
    district: visibleText(district),
    county: visibleText(county),
    party: visibleText(party),
    names: names.map((each) => ({ ...each, name: visibleText(each.name), party: visibleText(each.party) })),
  };
  const record = report.locate(`${file} | ${visible.office}`, file, line);
  report.add(record, 'invisible-characters', 'invisible or control characters are removed', shown(odd));
  return visible;
}
