import { type Contest, type Tally, votesOf } from './result-contests.ts';

/** Returns the number of names of a contest and of their votes, for the report. */
export function votesIn({ names }: Contest): string {
  const votes = names.reduce((sum, tally) => sum + (votesOf(tally) ?? 0), 0);
  return `${names.length} names with ${votes} votes`;
}

/** Returns what identifies a contest in the report: the file, the office, the area and the district. */
export function recordOf({ file, office, district, special, counties, towns, party, stage }: Contest): string {
  const shown = office.length > 120 ? `${office.slice(0, 120)}…` : office;
  const [county, ...others] = counties;
  const [town, ...more] = towns;
  const where =
    others.length > 0 || !county ? undefined : more.length > 0 || !town ? county.name : `${county.name}, ${town.name}`;
  const again = / RECOUNT.*$/.exec(stage)?.[0].trim();
  return [file, shown, where, district, party, special ? 'special' : '', again].filter(Boolean).join(' | ');
}

/** Returns the votes that the source shows for names. */
export function shownIn(tallies: readonly Tally[]): number {
  return tallies.reduce((sum, { shown }) => sum + shown, 0);
}
