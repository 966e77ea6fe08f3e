import { describe, expect, inject, test } from 'vitest';
import type { AccessGrant } from '../../src/store/sql/tables.ts';
import { createDraw } from '../drawn/random.ts';
import { useFolder } from '../exports/support.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { request } from '../support/graph.ts';
import { type Ask, differingFields, dumpOf, type Records } from './copy/dump.ts';
import { CALLERS, runCopy } from './copy/run.ts';
import { runStep, STEPS } from './copy/steps.ts';

interface Change {
  readonly kind: 'CREATED' | 'UPDATED' | 'DELETED';
  readonly recordId: string;
  readonly fields: readonly string[] | null;
}

/** Fields that are told though they are the same: of columns that show in places or deadlines of another argument, or not on this day. */
const NEEDLESS = [
  ...['Election votingPlaces', 'Election deadlines', 'Election state', 'Officeholder status', 'Candidate parties'],
  // Loads write the persons of their file, and then repeat merges.
  ...['Officeholder person', 'Candidate person', 'Person contacts', 'Person socialLinks', 'Officeholder socialLinks'],
];
/** Those that edits alone set: the file of the votes of a precinct. */
const NEEDLESS_IN_EDITS = ['Race results'];
const STEPS_OF_RUN = 30;

describe.each([20_221_108, Math.floor(Math.random() * 2 ** 31)])('after each change of a country, seed %d', (seed) => {
  const database = useDatabase();

  test('the feed tells each caller of the records that are new, changed and gone for it, and of no others', async () => {
    const draw = createDraw(seed);
    const { db } = database;
    const callers = Object.entries(CALLERS).map(([name, grants]) => {
      return { name, grants, ask: askAs(grants), next: '', records: new Map() as Records, needless: [''] };
    });
    for (const caller of callers) {
      caller.records = await dumpOf(db, caller.ask, caller.grants);
      caller.next = (await changesAfter(caller.ask, '')).next;
    }
    const names = Object.keys(STEPS);
    const faults: string[] = [];
    let told = 0;
    for (let at = 0; at < STEPS_OF_RUN && faults.length < 20; at++) {
      const step = at === 0 ? (names[0] ?? '') : draw.pick(names);
      await runStep(db, step, draw);
      for (const caller of callers) {
        const before = caller.records;
        caller.records = await dumpOf(db, caller.ask, caller.grants);
        const { changes, next } = await changesAfter(caller.ask, caller.next);
        caller.next = next;
        told += changes.length;
        const isEdit = step === 'edits';
        const { missed, needless } = compared(before, caller.records, changes, isEdit);
        caller.needless = needless;
        const expected = isEdit ? [...NEEDLESS, ...NEEDLESS_IN_EDITS] : NEEDLESS;
        const strange = needless.filter((each) => !expected.includes(each.replace(/:\w+/, '')));
        const found = [...missed.map((each) => `not told: ${each}`), ...strange.map((each) => `needless: ${each}`)];
        faults.push(...found.map((each) => `${at} ${step}, ${caller.name}: ${each}`));
      }
      // What only others may see tells a caller nothing.
      const [full, less] = callers.map(({ needless }) => needless);
      faults.push(
        ...(less ?? []).filter((each) => !full?.includes(each)).map((each) => `${at} ${step}: ${each} tells of more`),
      );
    }
    expect(faults).toEqual([]);
    expect(told).toBeGreaterThan(1_000);
  }, 300_000);

  function askAs(grants: readonly AccessGrant[]): Ask {
    return async (document, variables = {}) => {
      const { data, errors } = await request(database.db, document, { grants, variables });
      if (errors) throw new Error(errors.map(({ message }) => message).join('\n'));
      return data as Record<string, unknown>;
    };
  }
});

async function changesAfter(ask: Ask, after: string): Promise<{ changes: Change[]; next: string }> {
  const found: Change[] = [];
  for (let next = after; ; ) {
    const { changes } = await ask(
      'query ($after: String) { changes(after: $after, first: 100) { nodes { kind recordId fields } next isUpToDate } }',
      { after: next },
    );
    const page = changes as { nodes: Change[]; next: string; isUpToDate: boolean };
    found.push(...page.nodes);
    next = page.next;
    if (page.isUpToDate) return { changes: found, next };
  }
}

/** Compares what changed with what was told; the parts of an edit are told one by one. */
function compared(before: Records, after: Records, changes: readonly Change[], isEdit: boolean) {
  const [missed, needless]: [string[], string[]] = [[], []];
  const told = Map.groupBy(changes, ({ recordId }) => recordId);
  for (const id of new Set([...before.keys(), ...after.keys(), ...told.keys()])) {
    const [old, now, own = []] = [before.get(id), after.get(id), told.get(id)];
    const name = Buffer.from(id, 'base64url').toString();
    const kinds = new Set(own.map(({ kind }) => kind));
    if (!old || !now) {
      const right = now ? 'CREATED' : old ? 'DELETED' : undefined;
      if (right && !kinds.has(right)) missed.push(`${name} ${right}, but ${[...kinds]}`);
      const isOfEdit = isEdit && (right !== undefined || (kinds.has('CREATED') && kinds.has('DELETED')));
      if (kinds.size > (right ? 1 : 0) && !isOfEdit) needless.push(`${name} ${[...kinds]}`);
      continue;
    }
    const differing = differingFields(old, now);
    const fields = new Set(own.flatMap(({ fields: each }) => each ?? []));
    const isWhole = own.some((change) => change.fields === null);
    if (kinds.has('CREATED') || kinds.has('DELETED')) needless.push(`${name} ${[...kinds]}`);
    if (!isWhole) missed.push(...differing.filter((field) => !fields.has(field)).map((field) => `${name} ${field}`));
    needless.push(...[...fields].filter((field) => !differing.includes(field)).map((field) => `${name} ${field}`));
    if (isWhole && differing.length === 0) needless.push(`${name} as a whole`);
  }
  return { missed, needless };
}

describe('copies that are kept by the feed alone', () => {
  const database = useDatabase();
  const folder = useFolder();
  const environment = {
    MAX_IN_FLIGHT_PER_KEY: '100',
    get FILES_DIR() {
      return folder.path;
    },
  };
  const service = useApp(database, environment, inject('backend').kind);

  test('equal the records that their callers may see, though their processes are killed at random moments', async () => {
    const urls = [await service.app.listen({ port: 0, host: '127.0.0.1' })];
    const callers = Object.entries(CALLERS).map(([name, grants]) => ({ name, grants, key: service.key(name) }));
    const run = await runCopy({
      ...{ db: database.db, urls: { graphql: urls, sse: urls, rest: urls, files: urls }, callers },
      ...{ transports: ['graphql', 'sse', 'files'], seed: 7, imports: 4, kills: 6 },
    });
    expect(run).toMatchObject({ imports: 4, kills: 6, differences: [] });
    expect(run.records.full).toBeGreaterThan(50);
  }, 300_000);
});
