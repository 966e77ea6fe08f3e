import { isNoneOfThese } from '../../importers/facts/names.ts';
import { compareNames, type PersonName, parsePersonName } from '../../importers/facts/person-name.ts';
import type { Database } from '../../store/sql/database.ts';
import type { ComputedCheck, Violation } from './check.ts';
import { inScope, type Scope } from './check-scope.ts';

interface Candidate {
  readonly id: number;
  readonly race: number;
  readonly personId: number;
  readonly person: string;
  readonly isWriteIn: boolean | null;
}

interface Named extends Candidate {
  readonly letters: string;
  readonly parsed: PersonName | undefined;
}

/** Names of fewer letters may differ by one and be two persons: Lee and Li. */
const FEWEST_LETTERS = 8;

export const ALIKE_NAMES: ComputedCheck = {
  name: 'candidates-alike',
  severity: 'warning',
  finds:
    'candidates of one race whose names may be two spellings of one: the same last name and a compatible first name, or one other letter',
  over: ['candidates'],
  find: async (db, _, scope) =>
    [...Map.groupBy(await candidatesOf(db, scope), ({ race }) => race).values()].flatMap((all) => alikeIn(all)),
};

async function candidatesOf(db: Database, scope: Scope): Promise<Named[]> {
  const found: readonly Candidate[] = await db
    .selectFrom('candidates as c')
    .innerJoin('persons as p', 'p.id', 'c.person_id')
    .where(({ ref }) => inScope(scope, 'candidates', ref('c.id')))
    .orderBy('c.race_id')
    .orderBy('c.id')
    .select(['c.id', 'c.race_id as race', 'p.id as personId', 'p.name as person', 'c.is_write_in as isWriteIn'])
    .execute();
  return found
    .filter(({ person }) => !isNoneOfThese(person))
    .map((each) => ({
      ...each,
      letters: each.person.toLowerCase().replace(/[^\p{L}]/gu, ''),
      parsed: parsePersonName(each.person),
    }));
}

function alikeIn(all: readonly Named[]): Violation[] {
  return all.flatMap((one, index) =>
    all
      .slice(index + 1)
      // A person twice is what another check finds. Voters write one name in several ways, of which a state may list each.
      .filter((other) => other.personId !== one.personId && !(one.isWriteIn && other.isWriteIn) && areAlike(one, other))
      .map((other) => ({ record: `candidate ${one.id}`, problem: `${one.person} and ${other.person}` })),
  );
}

function areAlike(one: Named, other: Named): boolean {
  if (one.letters.length >= FEWEST_LETTERS && differByOne(one.letters, other.letters)) return true;
  const agreement = one.parsed && other.parsed ? compareNames(one.parsed, other.parsed) : undefined;
  return agreement !== undefined && agreement.first !== 'loose';
}

/** Returns whether two words differ by one letter at most: another one, one more, one less, or two that are exchanged. */
function differByOne(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let from = 0;
  while (from < one.length && one[from] === other[from]) from++;
  const rest = (text: string, skipped: number) => text.slice(from + skipped);
  if (one.length !== other.length)
    return one.length > other.length ? rest(one, 1) === rest(other, 0) : rest(one, 0) === rest(other, 1);
  if (rest(one, 1) === rest(other, 1)) return true;
  return one[from] === other[from + 1] && one[from + 1] === other[from] && rest(one, 2) === rest(other, 2);
}
