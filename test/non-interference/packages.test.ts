import { beforeAll, describe, expect, test } from 'vitest';
import type { AccessGrant } from '../../src/store/sql/tables.ts';
import { BACKEND, useFolder } from '../exports/support.ts';
import { useApp } from '../support/app.ts';
import { useDatabase } from '../support/database.ts';
import { ALL_GRANTS } from '../support/graph.ts';
import { keyWith } from '../support/rest.ts';
import { collect, type Responses } from './collect.ts';
import { addSources, CHANGES, type Change, createBase, removeResults, tieResults } from './worlds.ts';

/** A package, and the changes of the data that it must not notice. */
interface Case {
  readonly grants: readonly AccessGrant[];
  readonly changes: readonly (keyof typeof ALL_CHANGES)[];
}

const ALL_CHANGES = { ...CHANGES, 'no results': removeResults, ties: tieResults } satisfies Record<string, Change>;
const RESULTS = ['results', 'no results', 'ties'] as const;

/**
 * Requests that show data though the grant is missing: REST shows the number of an election that was found by a point, and the feed tells
 * of records that have another number, and of those that are removed and inserted again.
 */
const OPEN: Readonly<Record<string, RegExp>> = {
  election_ids: /^\/data\/election_dates\/point|\{ election\(databaseId|\{ changes|files of changes/,
  ties: /\{ changes|files of changes/,
};

const without = (...grants: AccessGrant[]) => ALL_GRANTS.filter((grant) => !grants.includes(grant));

const CASES: Readonly<Record<string, Case>> = {
  'no-results': { grants: without('results'), changes: RESULTS },
  'no-contact': { grants: without('contact'), changes: ['contact'] },
  'no-social': { grants: without('social'), changes: ['social'] },
  'no-boundaries': { grants: without('boundaries'), changes: ['boundaries'] },
  'no-voting': { grants: without('voting'), changes: ['voting'] },
  'no-officeholders': { grants: without('officeholders'), changes: ['officeholders'] },
  'no-elections': { grants: without('elections'), changes: ['results', 'elections'] },
  'no-dates': { grants: without('elections', 'election_dates'), changes: ['elections', 'election_dates'] },
  'dates-alone': { grants: ['election_dates', 'bulk'], changes: ['elections', 'election_ids', 'election_districts'] },
  lookup: { grants: ['districts', 'officeholders', 'contact', 'bulk'], changes: ['social', 'elections'] },
  ballots: { grants: ['elections', 'bulk'], changes: ['results', 'contact', 'officeholders'] },
  nothing: { grants: [], changes: ['elections', 'officeholders'] },
};

const FULL: Case = { grants: ALL_GRANTS, changes: [] };

/** Returns the responses of the service over the small country, changed or not, by package: available from `beforeAll` on. */
function useResponses(packages: Readonly<Record<string, Case>>, change?: Change): ReadonlyMap<string, Responses> {
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
  const responses = new Map<string, Responses>();
  beforeAll(async () => {
    const keys = new Map<string, string>();
    for (const [name, { grants }] of Object.entries(packages)) keys.set(name, await keyWith(database.db, name, grants));
    for (const [name, ofPackage] of await collect(service.app, keys)) responses.set(name, ofPackage);
  });
  return responses;
}

let before: ReadonlyMap<string, Responses>;

describe('unchanged data', () => {
  // The package that has all grants is the last here: no response for it is cached yet when the others send a request.
  before = useResponses({ ...CASES, full: FULL });

  test.each([...Object.keys(CASES), 'full'])('are requested with the package %s', (name) => {
    expect(before.get(name)?.size).toBeGreaterThan(0);
  });
});

describe.each(Object.entries(ALL_CHANGES))('changed data: %s', (name, change) => {
  const blind = Object.entries(CASES).filter(([, { changes }]) => changes.some((each) => each === name));
  // The package that has all grants is the first, so that its response is cached when the others send the same request.
  const after = useResponses({ full: FULL, ...Object.fromEntries(blind) }, change);

  test('change responses for the package that has all grants', () => {
    const differing = [...(after.get('full') ?? [])].filter(([title, text]) => text !== before.get('full')?.get(title));
    expect(differing.length).toBeGreaterThan(0);
  });

  test.each(blind)('change no response for the package %s', (packageName) => {
    const seen = before.get(packageName);
    const found = after.get(packageName);
    const differing = [...(found ?? [])].filter(
      ([title, text]) => text !== seen?.get(title) && !OPEN[name]?.test(title),
    );
    expect(found?.size).toBeGreaterThan(0);
    expect(found?.size).toBe(seen?.size);
    expect(differing.map(([title, text]) => ({ title, text, before: seen?.get(title) }))).toEqual([]);
  });
});
