import type { Report } from '../exchange/report.ts';
import type { Contest } from './result-contests.ts';

interface OfState {
  readonly record: string;
  readonly counties: ReadonlySet<string>;
}

const LACKS = 'has no votes from counties of the files that other contests of the state have';
const SHOWN = 5;

/** Finds the contests of a state that lack counties which the other contests of the state have. */
export class StateCounties {
  readonly #contests = new Map<string, OfState[]>();

  /** Adds a contest on which the whole state votes. */
  add({ state, date, stage, party, counties }: Contest, record: string): void {
    const key = [state.postal, date, stage, party].join('|');
    const known = this.#contests.get(key) ?? [];
    this.#contests.set(key, [...known, { record, counties: new Set(counties.map(({ name }) => name)) }]);
  }

  /** Reports the contests without a county that most others have. */
  report(report: Report): void {
    for (const contests of this.#contests.values()) {
      const counts = new Map<string, number>();
      for (const name of contests.flatMap(({ counties }) => [...counties]))
        counts.set(name, (counts.get(name) ?? 0) + 1);
      const usual = [...counts].filter(([, count]) => count * 2 >= contests.length).map(([name]) => name);
      for (const { record, counties } of contests) {
        const missing = usual.filter((name) => !counties.has(name));
        if (missing.length === 0 || counties.size === 0) continue;
        const names = missing.slice(0, SHOWN).join(', ');
        report.add(
          record,
          'counties-missing',
          `${LACKS}: ${names}${missing.length > SHOWN ? ` and ${missing.length - SHOWN} others` : ''}`,
          LACKS,
        );
      }
    }
  }
}
