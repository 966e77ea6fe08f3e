import { type ExecutionResult, execute, parse, validate } from 'graphql';
import { type PreparedDocument, prepareValid } from '../../src/gateway/graphql/documents/documents.ts';
import type { Context } from '../../src/graph/builder/context.ts';
import { schema } from '../../src/graph/schema.ts';
import type { Database } from '../../src/store/sql/database.ts';
import type { AccessGrant } from '../../src/store/sql/tables.ts';

export const ALL_GRANTS: readonly AccessGrant[] = [
  'districts',
  'officeholders',
  'election_dates',
  'elections',
  'bulk',
  'results',
  'contact',
  'social',
  'election_ids',
  'election_districts',
  'boundaries',
  'voting',
];

export interface ExecuteOptions {
  readonly variables?: Record<string, unknown>;
  /** Defaults to all grants. */
  readonly grants?: readonly AccessGrant[];
  readonly today?: string;
}

/** Returns the resolver context of a request that shares no loaders or cache with others. */
export function contextOf(db: Database, { grants = ALL_GRANTS, today = '2026-07-01' }: ExecuteOptions = {}): Context {
  const caller = { packageName: 'test', grants: new Set(grants), keyId: 1 };
  return { db, caller, today };
}

/** Prepares a document of a test, which is valid, for `execute`. */
export function prepare(source: string): PreparedDocument {
  return prepareValid(schema, parse(source));
}

/** Executes a document against the schema, without HTTP. An invalid document is an error in the test: it throws. */
export async function request(db: Database, source: string, options: ExecuteOptions = {}): Promise<ExecutionResult> {
  const document = parse(source);
  const errors = validate(schema, document);
  if (errors.length > 0) throw new AggregateError(errors, errors.map((error) => error.message).join('\n'));
  const contextValue = contextOf(db, options);
  const result = await execute({ schema, document, variableValues: options.variables, contextValue });
  return JSON.parse(JSON.stringify(result)) as ExecutionResult;
}
