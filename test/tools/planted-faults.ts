import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/**
 * Plants one fault after the other in the sources, runs tests of `npm test`, and prints the files that find it: what a change
 * of the suites must not lose. Restores the sources.
 *
 *   npm run node -- test/tools/planted-faults.ts [beginning of the name of a fault]
 */
interface Fault {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Where it must be found. */
  readonly tests: readonly string[];
  /** Whether tests that read all pages do not end: the run ends with the first failed one. */
  readonly neverEnds?: boolean;
}

const RULES = 'db/migrations/0014-date-rules.ts';
const OF_RULES = ['test/ballots', 'test/districts', 'test/database/date-rules', 'test/rest/districts-point'];
const FAULTS: readonly Fault[] = [
  {
    name: 'rule 1: a boundary is in effect a day before its start',
    file: RULES,
    from: 'where b.start_date <= on_day\n',
    to: 'where b.start_date <= on_day + 1\n',
    tests: OF_RULES,
  },
  {
    name: 'rule 2: without a date, another day than today',
    file: 'src/graph/districts/districts.store.ts',
    from: 'on ?? today',
    to: "on ?? '2020-01-01'",
    tests: OF_RULES,
  },
  {
    name: 'rule 3: the race year ends on 1 January',
    file: RULES,
    from: '+ 1, 1, 31)',
    to: '+ 1, 1, 1)',
    tests: OF_RULES,
  },
  {
    name: 'rule 4: a special race uses its swearing-in date',
    file: RULES,
    from: 'then election_date',
    to: 'then coalesce(swearing_in_date, election_date)',
    tests: OF_RULES,
  },
  {
    name: 'rule 5: a regular race uses its election date',
    file: RULES,
    from: 'coalesce(swearing_in_date,',
    to: 'coalesce(election_date,',
    tests: OF_RULES,
  },
  {
    name: 'a grant: votes need no grant for results',
    file: 'src/graph/ballots/candidate.ts',
    from: "...requireGrants('results'),",
    to: '',
    tests: ['test/schema/grants', 'test/ballots', 'test/rest', 'test/graphql/not-in-package'],
  },
  {
    name: 'a cursor: the next page begins with the last record of the one before',
    file: 'src/graph/builder/keyset.ts',
    from: "{ after: '>', before: '<' }",
    to: "{ after: '>=' as '>', before: '<' }",
    tests: ['test/graphql/paging', 'test/graphql/connections', 'test/rest/election-dates'],
    neverEnds: true,
  },
  {
    name: 'a cache key: without the grants of the caller',
    file: 'src/gateway/cache/response-cache.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
    from: '`${today} ${grantsKey(grants)}`',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
    to: '`${today}`',
    tests: ['test/cache'],
  },
];

const ROOT = join(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'planted-faults-'));
const report = join(work, 'report.json');

/** Runs the tests and returns the files with failed tests. */
function failingFiles({ tests, neverEnds = false }: Fault): string[] {
  rmSync(report, { force: true });
  const options = ['--project=units', '--project=database', ...(neverEnds ? ['--bail=1'] : [])];
  spawnSync('npm', ['test', '--', ...options, ...tests], {
    cwd: ROOT,
    env: { ...process.env, TEST_REPORT: report },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const failed = testResults.filter(({ status }: { status: string }) => status === 'failed');
  return failed.map(({ name }: { name: string }) => relative(ROOT, name)).sort();
}

function plant(fault: Fault): void {
  const { name, file, from, to } = fault;
  const path = join(ROOT, file);
  const source = readFileSync(path, 'utf8');
  if (!source.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  try {
    const found = failingFiles(fault);
    process.stdout.write(`${name}: ${found.length === 0 ? 'NOT FOUND' : found.join(', ')}\n`);
    if (found.length === 0) process.exitCode = 1;
  } finally {
    writeFileSync(path, source);
  }
}

try {
  const wanted = process.argv[2] ?? '';
  for (const fault of FAULTS.filter(({ name }) => name.startsWith(wanted))) plant(fault);
} finally {
  rmSync(work, { recursive: true });
}
