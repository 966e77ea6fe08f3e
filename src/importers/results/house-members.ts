import { sql } from 'kysely';
import type { Database } from '../../store/sql/database.ts';
import type { ContestOffice } from './contest-offices.ts';
import { electsSeveral, fewestSeats } from './counting-rules.ts';
import { isPrimaryOfAllParties } from './joint-primaries.ts';
import type { Contest } from './result-contests.ts';

/** The members that an edition of a source shows in a district on its day. */
interface Edition {
  readonly ocdid: string;
  readonly date: string;
  readonly members: number;
}

/** The days after an election on which an edition shows those who were elected: members take office within ten weeks. */
const FIRST_DAY = 70;
/** The terms of lower houses are at least two years long. */
const LAST_DAY = 700;

/** States whose lower houses elect each of the two members of a district to a seat of its own. */
const SEPARATE_SEATS = new Set(['ID', 'WA']);

/**
 * Finds the number of seats of districts of lower houses that elect several members at once (New Jersey, Arizona, the
 * Dakotas), for sources without a magnitude. Districts of upper houses elect their members in turn.
 */
export class HouseMembers {
  readonly #db: Database;
  readonly #editions = new Map<string, Promise<ReadonlyMap<string, Edition[]>>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Returns the number of members that an edition after a general election shows in the district, or one of another day
   * if the votes per ballot show the same number; `unknown` if the district has had several members, and nothing shows
   * how many the election filled, or the votes per ballot are too few for them, or if districts of the state may have several and no
   * edition shows their members. Undefined for all other contests, and in states whose districts have one member.
   */
  async seatsOf(contest: Contest, { office, position }: ContestOffice): Promise<number | 'unknown' | undefined> {
    const { state, date, stage, special, statesMagnitude } = contest;
    const isHouse = office.values.chamber === 'Lower' && office.values.level === 'State';
    if (!isHouse || statesMagnitude || special || position !== undefined || stage !== 'GEN') return undefined;
    const known = this.#editions.get(state.postal) ?? this.#read(state.postal);
    this.#editions.set(state.postal, known);
    const editions = (await known).get(office.place.id.value) ?? [];
    const most = (some: readonly Edition[]) => Math.max(1, ...some.map(({ members }) => members));
    if (SEPARATE_SEATS.has(state.postal)) return most(editions) > 1 ? 'unknown' : undefined;
    const after = most(editions.filter((each) => isBetween(daysAfter(date, each.date))));
    const fewest = fewestSeats(contest);
    // Two persons with the seat of one member, one after the other, may both be in an edition.
    if (after > 1) return contest.ballots === null || contest.names.length === 1 || fewest > 1 ? after : 'unknown';
    if (fewest > 1 && editions.some(({ members }) => members === fewest)) return fewest;
    if (most(editions) > 1 && contest.ballots === null) return 'unknown';
    if (isOfSeveral(contest)) return 'unknown';
    if (!electsSeveral(state, 'Lower', date)) return undefined;
    return editions.length > 0 && most(editions) === 1 ? 1 : 'unknown';
  }

  async #read(state: string): Promise<ReadonlyMap<string, Edition[]>> {
    const { rows } = await sql<Edition>`/* import.house-members */
      select d.ocdid, e.as_of as date, count(distinct h.person_id)::integer as members
      from districts as d join offices as o on o.district_id = d.id and o.chamber = 'Lower' and o.level = 'State'
      join officeholders as h on h.office_id = o.id
      join record_sources as r on r.kind = 'officeholder' and r.record_id = h.id
      join sources as e on e.id = r.source_id
      where d.state = ${state} and d.type = 'State Legislative (Lower)' and d.ocdid is not null and e.as_of is not null
        and (h.start_date is null or h.start_date <= e.as_of) and (h.end_date is null or h.end_date > e.as_of)
      group by d.ocdid, e.name, e.as_of`.execute(this.#db);
    return Map.groupBy(rows, ({ ocdid }) => ocdid);
  }
}

/**
 * Returns whether the candidates themselves show that a district elects several members: a party has more than one in a
 * general election.
 */
function isOfSeveral({ names, state, date }: Contest): boolean {
  if (isPrimaryOfAllParties(state.postal, date, '')) return false;
  const printed = names.filter(
    ({ writeIn, party }) => !writeIn && /^(D|R|DEM|REP|DEMOCRAT\w*|REPUBLICAN)$/i.test(party),
  );
  const parties = printed.map(({ party }) => party.slice(0, 1).toUpperCase());
  return new Set(parties).size < parties.length;
}

const DAY = 24 * 60 * 60 * 1000;

function daysAfter(date: string, other: string): number {
  return (Date.parse(other) - Date.parse(date)) / DAY;
}

function isBetween(days: number): boolean {
  return days >= FIRST_DAY && days <= LAST_DAY;
}
