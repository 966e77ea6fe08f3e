import { normalName } from '../../base/words/normal-name.ts';
import type { Report } from '../exchange/report.ts';
import { votesIn } from './contest-records.ts';
import { nameKey, personName } from './names.ts';
import { officeTitle } from './office-titles.ts';
import type { Contest } from './result-contests.ts';
import { titleCase } from './title-case.ts';

/** The races and measures of an import with the contest that each of them is: two contests are never one race. */
export class RaceClaims {
  readonly #owners = new Map<string, Contest>();
  readonly #report: Report;

  constructor(report: Report) {
    this.#report = report;
  }

  /**
   * Returns the position under which a contest is a race of its own: of two contests for one office the second one is
   * known by what its text says. Undefined, and reported, if even that is taken; and if the office is one seat for which the
   * other contest has the same text.
   */
  claim(
    contest: Contest,
    id: readonly string[],
    position: string | undefined,
    record: string,
    isOneSeat = false,
  ): { position?: string } | undefined {
    for (const choice of positionsOf(contest, position)) {
      const key = [...id, choice].join('|');
      const owner = this.#owners.get(key) ?? contest;
      if (owner !== contest && isRepetition(contest, owner)) {
        const why = 'the source repeats a contest under another spelling of its office or district';
        this.#report.add(record, 'left-out', `${why}: ${votesIn(contest)}`, why);
        return undefined;
      }
      if (owner !== contest && isOneSeat && isOfSameText(contest, owner)) break;
      if (owner !== contest) continue;
      this.#owners.set(key, contest);
      return choice === undefined ? {} : { position: choice };
    }
    const why = 'another contest has the same office, district and day';
    this.#report.add(record, 'left-out', `${why}: ${votesIn(contest)}`, why);
    return undefined;
  }
}

/** Yields the positions under which a contest can be stored, the best one first. */
function* positionsOf(contest: Contest, position: string | undefined): Generator<string | undefined> {
  const inPosition = (text: string) => (position === undefined ? text : `${position}, ${text}`);
  yield position;
  yield inPosition(officeTitle(contest.office));
  const counties = contest.counties.map(({ name }) => titleCase(name));
  yield inPosition(counties.sort().join(', '));
  const [one, other] = contest.names.map(({ name }) => personName(name)).sort();
  yield inPosition(other === undefined ? `Contest of ${one}` : `Contest of ${one} and ${other}`);
}

/** Returns whether the texts of two contests differ at most in punctuation. */
function isOfSameText(one: Contest, other: Contest): boolean {
  return normalName(one.office) === normalName(other.office);
}

/** Returns whether two contests of one file have most of their names in common. */
function isRepetition(one: Contest, other: Contest): boolean {
  if (one.file !== other.file) return false;
  const keys = new Set(other.names.map(({ name }) => nameKey(personName(name))));
  const common = one.names.filter(({ name }) => keys.has(nameKey(personName(name))));
  return common.length * 2 > one.names.length && !one.isQuestion;
}
