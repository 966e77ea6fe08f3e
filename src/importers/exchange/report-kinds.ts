/** What a report can say about a record, with its severity: each kind is a check of an audit, which `finds` describes. */
export const REPORT_KINDS = {
  'repeated-votes': {
    severity: 'fault',
    finds: 'contests with far more votes than their voters cast elsewhere; they are not stored',
  },
  'districts-without-a-seat': {
    severity: 'fault',
    finds:
      'contests of a district of Congress or of a legislature that the state does not have; they are kept as the source wrote them',
  },
  'precincts-beyond-voters': {
    severity: 'fault',
    finds:
      'precincts in which a contest has three times the votes of those for president, Congress and governor: one of them is wrong',
  },
  'totals-against-parts': {
    severity: 'warning',
    finds: 'stated totals that are not the sum of their precincts or modes of voting',
  },
  'identical-rows': {
    severity: 'warning',
    finds: 'rows that repeat another one in all columns; those of a whole contest of a precinct count once',
  },
  'totals-among-rows': { severity: 'warning', finds: 'rows that are totals of others; their votes are not added' },
  'labels-in-place-of-names': {
    severity: 'warning',
    finds: 'texts in place of names that are no persons, as far as the file shows; they are not stored',
  },
  'counts-among-candidates': {
    severity: 'warning',
    finds: 'counts of ballots, blank votes and votes without a name, which are not stored',
  },
  'counts-that-are-no-numbers': {
    severity: 'warning',
    finds: 'counts that are hidden, or no number of votes',
  },
  'malformed-rows': { severity: 'warning', finds: 'rows with another number of cells than the header' },
  'counties-missing': {
    severity: 'warning',
    finds: 'contests of a state or of several counties without the votes of some of them; their outcome is unknown',
  },
  'parties-by-precinct': {
    severity: 'warning',
    finds:
      'candidates with different parties in different precincts; that of almost all votes is stored, otherwise none',
  },
  'names-in-several-spellings': {
    severity: 'warning',
    finds: 'candidates with several spellings in one contest, whose votes are added',
  },
  'more-votes-than-ballots': {
    severity: 'warning',
    finds: 'contests with more votes than ballots and seats allow, and seats that the source states in several ways',
  },
  'undecided-contests': {
    severity: 'warning',
    finds: 'contests without an outcome, because the source does not prove one',
  },
  'unplaced-contests': {
    severity: 'warning',
    finds: 'contests that no row declares, or whose district is not known; they are kept as the source wrote them',
  },
  'incomplete-maps': { severity: 'warning', finds: 'districts and areas that are missing from a map' },
  'older-maps': { severity: 'warning', finds: 'boundaries that a newer map ends, or that stay beside it' },
  'places-and-districts': {
    severity: 'warning',
    finds:
      'places to vote whose districts are not known, districts without a place, and those with several on election day',
  },
  'replaced-records': {
    severity: 'warning',
    finds: 'records of an older edition of a file that the newer one lacks; they are removed, unless others need them',
  },
  'another-day': {
    severity: 'warning',
    finds: 'contests that an edition of the file has on another day of the same week, which may be a correction',
  },
  'invisible-characters': {
    severity: 'warning',
    finds: 'names with control characters, or with ones that turn the text around; they are stored without these',
  },
  'unreadable-files': {
    severity: 'warning',
    finds: 'files that are skipped because they cannot be read, or have something else',
  },
  'left-out': { severity: 'warning', finds: 'other records that are not stored, or not completely' },
} as const satisfies Record<string, { severity: 'fault' | 'warning'; finds: string }>;

export type ReportKind = keyof typeof REPORT_KINDS;

/** Why a record is not stored, or not completely. */
export interface Reason {
  readonly kind: ReportKind;
  readonly reason: string;
}
