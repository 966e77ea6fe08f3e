import { beforeAll, describe, expect, test } from 'vitest';
import type { AccessGrant } from '../../src/database/tables.ts';
import { BACKEND, useFolder } from '../exports/support.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { ALL_GRANTS } from '../support/graph.ts';
import { keyWith } from '../support/rest.ts';
import { collect } from './collect.ts';
import { addSources, CHANGES, type Change, createBase, removeResults, tieResults } from './worlds.ts';

/** A package, and the changes of the data that it must not notice. */
interface Case {
  readonly grants: readonly AccessGrant[];
  readonly changes: readonly (keyof typeof ALL_CHANGES)[];
}

const ALL_CHANGES = { ...CHANGES, 'no results': removeResults, ties: tieResults } satisfies Record<string, Change>;
const RESULTS = ['results', 'no results', 'ties'] as const;

/** Requests that show data though the grant is missing: REST shows the number of an election that was found by a point. */
const OPEN: Readonly<Record<string, RegExp>> = {
  election_ids: /^\/data\/election_dates\/point|\{ election\(databaseId/,
};

const without = (...grants: AccessGrant[]) => ALL_GRANTS.filter((grant) => !grants.includes(grant));

const CASES: Readonly<Record<string, Case>> = {
  'no-results': { grants: without('results'), changes: RESULTS },
  'no-contact': { grants: without('contact'), changes: ['contact'] },
  'no-social': { grants: without('social'), changes: ['social'] },
  'no-boundaries': { grants: without('boundaries'), changes: ['boundaries'] },
  'no-officeholders': { grants: without('officeholders'), changes: ['officeholders'] },
  'no-elections': { grants: without('elections'), changes: ['results', 'elections'] },
  'no-dates': { grants: without('elections', 'election_dates'), changes: ['elections', 'election_dates'] },
  'dates-alone': { grants: ['election_dates', 'bulk'], changes: ['elections', 'election_ids', 'election_districts'] },
  lookup: { grants: ['districts', 'officeholders', 'contact', 'bulk'], changes: ['social', 'elections'] },
  ballots: { grants: ['elections', 'bulk'], changes: ['results', 'contact', 'officeholders'] },
  nothing: { grants: [], changes: ['elections', 'officeholders'] },
};

const FULL: Case = { grants: ALL_GRANTS, changes: [] };

/** The service over the small country, changed or not. `collectAs` sends all requests with a key of the package. */
function useWorld(change?: Change) {
  const database = useDatabase();
  const folder = useFolder();
  beforeAll(async () => {
    await createBase(database.db);
    await change?.(database.db);
    await addSources(database.db);
  });
  const environment = {
    get FILES_DIR() {
      return folder.path;
    },
  };
  const service = useApp(database, environment, BACKEND);
  return async (name: string, { grants }: Case) => collect(service.app, await keyWith(database.db, name, grants));
}

const before = new Map<string, Map<string, string>>();

describe('unchanged data', () => {
  const collectAs = useWorld();

  test.each(Object.entries(CASES))('are requested with the package %s', async (name, given) => {
    before.set(name, await collectAs(name, given));
  });

  test('are requested with the package that has all grants', async () => {
    before.set('full', await collectAs('full', FULL));
  });
});

describe.each(Object.entries(ALL_CHANGES))('changed data: %s', (name, change) => {
  const collectAs = useWorld(change);
  const blind = Object.entries(CASES).filter(([, { changes }]) => changes.some((each) => each === name));

  // First, so that responses for this package are cached when the others send the same requests.
  test('change responses for the package that has all grants', async () => {
    const after = await collectAs('full', FULL);
    const differing = [...after].filter(([title, text]) => text !== before.get('full')?.get(title));
    expect(differing.length).toBeGreaterThan(0);
  });

  test.each(blind)('change no response for the package %s', async (packageName, given) => {
    const after = await collectAs(packageName, given);
    const seen = before.get(packageName);
    const differing = [...after].filter(([title, text]) => text !== seen?.get(title) && !OPEN[name]?.test(title));
    expect(after.size).toBe(seen?.size);
    expect(differing.map(([title, text]) => ({ title, text, before: seen?.get(title) }))).toEqual([]);
  });
});
