import type { ReportEntry } from '../import/import.ts';
import type { Severity } from './check.ts';

/** A check of what an importer reports: the entries of its report whose kind matches. */
export interface ReportedCheck {
  readonly name: string;
  readonly severity: Severity;
  readonly finds: string;
  readonly kind: RegExp;
}

/** The checks of reports; an entry belongs to the first one that matches. */
export const REPORTED: readonly ReportedCheck[] = [
  {
    name: 'repeated-votes',
    severity: 'fault',
    finds: 'contests with far more votes than their voters cast elsewhere; they are not stored',
    kind: /: rows repeat votes$|where no other contest of the same voters has more/,
  },
  {
    name: 'districts-without-a-seat',
    severity: 'fault',
    finds: 'contests of a Congress district that the state does not have; they are not stored',
    kind: /^the state has .* districts? of Congress, but no district/,
  },
  {
    name: 'precincts-beyond-voters',
    severity: 'fault',
    finds:
      'precincts in which a contest has three times the votes of those for president, Congress and governor: one of them is wrong',
    kind: /^has far more votes in a precinct/,
  },
  {
    name: 'totals-against-parts',
    severity: 'warning',
    finds: 'stated totals that are not the sum of their precincts or modes of voting',
    kind: /has a total that is not the sum|stated total|near(ly)? the votes of the others/,
  },
  {
    name: 'identical-rows',
    severity: 'warning',
    finds: 'rows that repeat another one in all columns; their votes are not added',
    kind: /^repeats another row/,
  },
  {
    name: 'totals-among-rows',
    severity: 'warning',
    finds: 'rows that are totals of others; their votes are not added',
    kind: /^is a subtotal/,
  },
  {
    name: 'labels-in-place-of-names',
    severity: 'warning',
    finds: 'texts in place of names that are no persons, as far as the file shows; they are not stored',
    kind: /is no name of a person|counts ballots or voters|names neither a candidate nor an answer|choice of a newspaper|a party.* not a (person|candidate)|as a name/,
  },
  {
    name: 'counts-among-candidates',
    severity: 'warning',
    finds: 'counts of ballots, blank votes and votes without a name, which are not stored',
    kind: /^not attributed to a candidate/,
  },
  {
    name: 'counts-that-are-no-numbers',
    severity: 'warning',
    finds: 'counts that are hidden, or no number of votes',
    kind: /is not a number of votes|counts are hidden/,
  },
  {
    name: 'malformed-rows',
    severity: 'warning',
    finds: 'rows with another number of cells than the header',
    kind: /cells, unlike the header|shifted cells/,
  },
  {
    name: 'counties-missing',
    severity: 'warning',
    finds: 'contests of a state or of several counties without the votes of some of them; their outcome is unknown',
    kind: /counties are missing|no votes from counties|files are of single counties|has the contest too/,
  },
  {
    name: 'weak-scopes',
    severity: 'warning',
    finds: 'contests of which the source does not state who votes on them; their outcome is unknown',
    kind: /its county is assumed|other rows of the office and district|the district decides|a judge of the part is stored/,
  },
  {
    name: 'parties-by-precinct',
    severity: 'warning',
    finds:
      'candidates with different parties in different precincts; that of almost all votes is stored, otherwise none',
    kind: /^has another party in some/,
  },
  {
    name: 'names-in-several-spellings',
    severity: 'warning',
    finds: 'candidates with several spellings in one contest, whose votes are added',
    kind: /is another spelling|is a candidate of the race already/,
  },
  {
    name: 'more-votes-than-ballots',
    severity: 'warning',
    finds: 'contests with more votes than ballots and seats allow, and seats that the source states in several ways',
    kind: /more votes than|exceed|magnitude is/,
  },
  {
    name: 'undecided-contests',
    severity: 'warning',
    finds: 'contests without an outcome, because the source does not prove one',
    kind: /the outcome is unknown|number of seats is unknown/,
  },
  {
    name: 'incomplete-maps',
    severity: 'warning',
    finds: 'districts and areas that are missing from a map',
    kind: /is missing from the map|no district covers/,
  },
  {
    name: 'older-maps',
    severity: 'warning',
    finds: 'boundaries that a newer map ends, or that stay beside it',
    kind: /ends?\b.*\bmap|of another source from the same day/,
  },
  {
    name: 'unreadable-files',
    severity: 'warning',
    finds: 'files that are skipped because they cannot be read',
    kind: /^the file is skipped/,
  },
  {
    name: 'left-out',
    severity: 'warning',
    finds: 'other records that are not stored, or not completely',
    kind: /(?:)/,
  },
];

/** Returns the entries of a report by check, in the order of the checks, without those that have none. */
export function reportedBy(
  entries: readonly ReportEntry[],
): readonly { readonly check: ReportedCheck; readonly entries: readonly ReportEntry[] }[] {
  const checks = new Map<string, ReportedCheck | undefined>();
  const found = Map.groupBy(entries, ({ kind }) => {
    if (!checks.has(kind))
      checks.set(
        kind,
        REPORTED.find((check) => check.kind.test(kind)),
      );
    return checks.get(kind);
  });
  return REPORTED.flatMap((check) => {
    const own = found.get(check);
    return own ? [{ check, entries: own }] : [];
  });
}
