import { readFile, writeFile } from 'node:fs/promises';

/** The statements of a request that are expected, by target and workload: those of a cached target without any are its hits. */
export type ExpectedStatements = Readonly<Record<string, Readonly<Record<string, number>>>>;

const FILE = new URL('statements.json', import.meta.url);

/**
 * Compares the statements of requests with those of `statements.json`, or writes them there.
 * @param counted by workload and target, separated by a blank; targets and workloads that were not chosen are not compared.
 * @returns the exit code: 1 if one differs, also if it is lower: then the file has to be written anew, which a reader sees.
 */
export async function checkStatements(
  counted: Readonly<Record<string, number>>,
  accept: boolean,
  writeLine: (line: string) => void,
): Promise<number> {
  const found: Record<string, Record<string, number>> = {};
  for (const [name, count] of Object.entries(counted)) {
    const [workload = '', ...target] = name.split(' ');
    found[target.join(' ')] = { ...found[target.join(' ')], [workload]: count };
  }
  const expected: ExpectedStatements = JSON.parse(await readFile(FILE, 'utf8').catch(() => '{}'));
  if (accept) {
    await writeFile(FILE, `${JSON.stringify({ ...expected, ...found }, null, 2)}\n`);
    return 0;
  }
  const problems = differencesOf(found, expected);
  for (const problem of problems) writeLine(problem);
  writeLine(problems.length === 0 ? `statements as expected: ${Object.keys(counted).length}` : 'statements differ');
  return problems.length === 0 ? 0 : 1;
}

/** Returns a sentence for each number of statements that differs from the expected one. */
export function differencesOf(found: ExpectedStatements, expected: ExpectedStatements): string[] {
  return Object.entries(found).flatMap(([target, counts]) =>
    Object.entries(counts).flatMap(([workload, count]) => {
      const wanted = expected[target]?.[workload];
      if (count === wanted) return [];
      const cached = wanted === 0 && target.endsWith('cached') ? ': the response is not from the cache' : '';
      return `${workload} of ${target}: ${count} statements a request, not ${wanted ?? 'known'}${cached}`;
    }),
  );
}
