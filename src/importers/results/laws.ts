import { readTable } from '../../base/words/read-table.ts';

/** What a law may say; docs/sources.md explains each. */
export type LawKind =
  | 'majority'
  | 'ranked-choice'
  | 'all-party-primary'
  | 'ticket'
  | 'seats'
  | 'several-members'
  | 'numbered-seats'
  | 'none-of-these'
  | 'fusion'
  | 'plurality'
  | 'share'
  | 'hidden-counts'
  | 'writes-all-names'
  | 'no-elections';

/** The contest about which a law is asked. */
export interface LawFacts {
  readonly state: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** A scope of `offices.csv`, or what a question is about: `amendment`, `bond`, `question`. */
  readonly scope: string;
  readonly name?: string;
  /** The code of the district. */
  readonly code?: string;
  readonly isSpecial?: boolean;
}

interface Law {
  readonly kind: LawKind;
  readonly states: ReadonlySet<string>;
  readonly offices: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly value: string;
}

const LOCAL = new Set(['county', 'county part', 'town', 'district']);
/** Laws that only withhold an outcome may be unverified. */
const WITHHOLDS = new Set<string>([
  'majority',
  'ranked-choice',
  'several-members',
  'all-party-primary',
  'numbered-seats',
]);

const LAWS: ReadonlyMap<LawKind, readonly Law[]> = Map.groupBy(
  readTable<'kind' | 'states' | 'offices' | 'from' | 'to' | 'value' | 'source'>('law', import.meta.url)
    .filter(({ kind, source }) => source !== 'unverified' || WITHHOLDS.has(kind))
    .map(({ kind, states, offices, from, to, value }) => ({
      kind: kind as LawKind,
      states: new Set(states.split(' ').filter(Boolean)),
      offices: offices.split(';').map((each) => each.trim().toLowerCase()),
      from: from || '0001-01-01',
      to: to || '9999-12-31',
      value,
    })),
  ({ kind }) => kind,
);

/** Returns what a law says about a contest: the value of its row, which may be empty; undefined if there is no row. */
export function lawOn(kind: LawKind, facts: LawFacts): string | undefined {
  const { state, date } = facts;
  return LAWS.get(kind)?.find(
    ({ states, offices, from, to }) =>
      (states.size === 0 || states.has(state)) &&
      date >= from &&
      date <= to &&
      offices.some((each) => isOn(each, facts)),
  )?.value;
}

/** Returns where and when a law applies to some offices at least. */
export function placesOf(kind: LawKind): readonly Pick<Law, 'states' | 'from' | 'to'>[] {
  return LAWS.get(kind) ?? [];
}

/** Returns whether the offices of a law include a contest: `special local`, `state:governor`, `lower:addison-1`, `*`. */
function isOn(offices: string, { scope, name, code, isSpecial = false }: LawFacts): boolean {
  const when = ['special', 'regular'].find((each) => offices.startsWith(each));
  if (when && (when === 'special') !== isSpecial) return false;
  const what = offices.slice(when?.length ?? 0).trim();
  if (what === '*' || what === '' || (what === 'local' && LOCAL.has(scope))) return true;
  const [of, own] = what.split(':');
  return of === scope && (own === undefined || own === name?.toLowerCase() || own === code?.toLowerCase());
}
