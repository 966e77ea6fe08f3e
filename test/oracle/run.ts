import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { loadFolder } from '../../src/importers/load/load.ts';
import type { DatabaseBackend } from '../../src/store/backend.ts';
import { createDraw } from '../drawn/random.ts';
import type { TestDatabase } from '../support/database.ts';
import { createQuestions } from './questions.ts';
import { type Expected, FORMS } from './requests.ts';
import { expectedOf, type Question } from './rules.ts';
import { openServices } from './services.ts';
import { expectedVoting, factsOf } from './voting.ts';
import { drawWorld, type PrecinctRow, type World } from './world.ts';

export interface OracleOptions {
  readonly database: TestDatabase;
  readonly kind: DatabaseBackend['kind'];
  readonly responses: number;
  readonly seed: number;
  /** The number of responses of one world, before the next one is drawn. */
  readonly responsesPerWorld?: number;
  /** Called after a world is loaded; a test corrupts the data here. */
  readonly onLoaded?: () => Promise<void>;
}

export interface OracleRun {
  readonly worlds: number;
  readonly responses: number;
  /** Responses that are not empty: most points have districts. */
  readonly filled: number;
  /** The questions by what is expected to be known of voting on their day: a state, or no election. */
  readonly states: Readonly<Record<string, number>>;
  readonly differences: readonly string[];
}

/** The maximum number of listed differences, since one defect causes many. */
const MOST_DIFFERENCES = 10;

/**
 * Draws worlds, loads them one after the other instead of all data in the database, and compares the service's
 * responses with the specification. The same seed gives the same worlds and questions.
 */
export async function runOracle({ database, kind, seed, ...options }: OracleOptions): Promise<OracleRun> {
  const { responses: most, responsesPerWorld = 1_000 } = options;
  const differences: string[] = [];
  const states: Record<string, number> = {};
  let [worlds, responses, filled] = [0, 0, 0];
  while (responses < most && differences.length < MOST_DIFFERENCES) {
    const worldSeed = seed + worlds++;
    const draw = createDraw(worldSeed);
    const world = drawWorld(draw);
    await loadWorld(database, world);
    await options.onLoaded?.();
    const facts = await factsOf(database.db);
    const services = await openServices(database, kind);
    const drawQuestion = createQuestions(draw, world);
    for (const end = Math.min(most, responses + responsesPerWorld); responses < end; ) {
      const drawn = drawQuestion();
      const question = { ...drawn, electionId: facts.electionIds[drawn.election] ?? '' };
      for (const difference of await differencesOf(question)) {
        if (differences.length < MOST_DIFFERENCES) differences.push(`world ${worldSeed}: ${difference}`);
      }
    }
    await Promise.all(services.map((service) => service.close()));

    async function differencesOf(question: Question): Promise<string[]> {
      const found: string[] = [];
      const expectedOn = (day: string) => expectedOf(database.db, { ...question, day });
      const byRules = await expectedOn(question.day);
      const voting = await expectedVoting(facts, question, byRules, expectedOn);
      const expectedThen: Expected = { ...byRules, ...voting };
      const now = { ...question, day: question.today };
      const expectedNow: Expected = { ...(await expectedOn(question.today)), ...voting };
      const state = voting.voting?.state ?? 'no election';
      states[state] = (states[state] ?? 0) + 1;
      for (const { name, isToday, request, expected, read } of FORMS) {
        for (const service of services) {
          const right = expected(isToday ? expectedNow : expectedThen);
          const sent = request(isToday ? now : question);
          // A response of another shape, or an error, differs too.
          const response = await service.send(sent, question.today).then(read).catch(String);
          responses++;
          if (/\d/.test(JSON.stringify(right))) filled++;
          if (!isDeepStrictEqual(response, right)) {
            found.push(
              `${name}, ${service.name}, ${JSON.stringify(question)}:\n` +
                `  answered ${JSON.stringify(response)}\n  expected ${JSON.stringify(right)}`,
            );
          }
        }
      }
      return found;
    }
  }
  return { worlds, responses, filled, states, differences };
}

async function loadWorld({ db }: TestDatabase, { files, precinctRows }: World): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'oracle-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await loadFolder(db, folder, { replace: true });
    const { id: source_id } = await db
      .selectFrom('sources')
      .select('id')
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    const rows = precinctRows.map((row: PrecinctRow) => ({ ...row, source_id, file: 'drawn.csv' }));
    // Loading keeps those of the world before, whose races have the same numbers.
    await db.deleteFrom('precinct_results').execute();
    for (const row of rows) await db.insertInto('precinct_results').values(row).execute();
  } finally {
    await rm(folder, { recursive: true });
  }
}
