import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';
import type { PROJECTS } from '../projects.ts';

interface SkippedTestsOptions {
  /** The project that the run leaves out; undefined if it runs what was named. */
  readonly leftOut: keyof typeof PROJECTS | undefined;
  readonly print?: (line: string) => void;
}

/**
 * Prints at the end of a run what was not run: the suites that were skipped, whose titles say what they need, and the
 * project that was left out.
 */
export class SkippedTests implements Reporter {
  readonly #options: SkippedTestsOptions;
  #isFiltered = false;

  constructor(options: SkippedTestsOptions) {
    this.#options = options;
  }

  onInit({ config }: { readonly config: { readonly testNamePattern?: RegExp | undefined } }): void {
    this.#isFiltered = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const { leftOut, print = (line) => process.stdout.write(`${line}\n`) } = this.#options;
    const skipped = this.#isFiltered ? [] : modules.flatMap(skippedIn);
    if (skipped.length > 0) print('\nSkipped:');
    for (const { title, count } of skipped) print(`  ${title} (${count} ${count === 1 ? 'test' : 'tests'})`);
    if (leftOut) print(`\nNot run: the project ${leftOut} of test/projects.ts. npm run test:all runs everything.`);
  }
}

interface Skipped {
  readonly title: string;
  readonly count: number;
}

/** Returns what was skipped in a file: the outermost suites of which no test ran, and single tests. */
function skippedIn(module: TestModule): Skipped[] {
  const counts = new Map<string, number>();
  for (const test of module.children.allTests('skipped')) {
    const { title } = outermostSkipped(test);
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  return [...counts].map(([title, count]) => ({ title: `${module.relativeModuleId}: ${title}`, count }));
}

function outermostSkipped(test: TestCase): { readonly title: string } {
  let found: TestCase | TestSuite = test;
  for (let { parent } = found; parent.type === 'suite'; parent = parent.parent) {
    const ran = [...parent.children.allTests()].some((each) => each.result().state !== 'skipped');
    if (ran) break;
    found = parent;
  }
  return { title: found.fullName };
}
