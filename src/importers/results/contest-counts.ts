import type { Contest } from './result-contests.ts';

const STAGES: readonly [pattern: RegExp, stage: string][] = [
  [/^GEN(ERAL)?$/, 'General'],
  [/^PRI(MARY)?$/, 'Primary'],
  [/^(GEN )?RUNOFF$/, 'General Runoff'],
  [/^PRI(MARY)? RUNOFF$/, 'Primary Runoff'],
];
/** Returns the stage of a contest as the store names it; undefined for one that is not known. */
export function stageOf({ stage }: Contest): string | undefined {
  const plain = stage.replace(/ RECOUNT.*$/, '');
  return STAGES.find(([pattern]) => pattern.test(plain))?.[1];
}

/** Returns what a contest and its recounts have in common. */
export function keyOf({ state, date, special, office, district, counties, towns, party }: Contest): string {
  const names = [...counties, ...(towns.length === 1 ? towns : [])].map(({ name }) => name).sort();
  return [state.postal, date, special, office, district, party, ...names].join('|');
}

/** A recount of fewer precincts does not replace the count. */
const WHOLE_SHARE = 0.9;

/** Returns the last of several counts of a contest that is of all precincts: `GEN`, `GEN RECOUNT`, `GEN RECOUNT 2`. */
export function lastCount(counts: readonly Contest[]): Contest | undefined {
  const numberOf = ({ stage }: Contest) =>
    Number(/ RECOUNT ?(\d*)$/.exec(stage)?.[1] || (stage.includes(' RECOUNT') ? 1 : 0));
  const all = Math.max(...counts.map(({ precincts }) => precincts));
  const whole = counts.filter(({ precincts }) => precincts >= all * WHOLE_SHARE);
  return whole.toSorted((a, b) => numberOf(b) - numberOf(a))[0];
}
