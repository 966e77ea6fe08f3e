import { type ExecutionResult, execute, parse, validate } from 'graphql';
import type { Context } from '../../src/graphql/context.ts';
import { schema } from '../../src/graphql/schema.ts';
import type { Database } from '../../src/store/database.ts';
import type { AccessGrant } from '../../src/store/tables.ts';

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
];

export interface AskOptions {
  readonly variables?: Record<string, unknown>;
  /** All of them when left out. */
  readonly grants?: readonly AccessGrant[];
  readonly today?: string;
}

/** What resolvers get of a request that nobody else shares. */
export function contextOf(db: Database, { grants = ALL_GRANTS, today = '2026-07-01' }: AskOptions = {}): Context {
  const caller = { packageName: 'test', grants: new Set(grants), keyId: 1 };
  return { db, caller, today };
}

/** Runs a document against the schema, without HTTP. A document that is not valid is a mistake of the test: it throws. */
export async function ask(db: Database, source: string, options: AskOptions = {}): Promise<ExecutionResult> {
  const document = parse(source);
  const errors = validate(schema, document);
  if (errors.length > 0) throw new AggregateError(errors, errors.map((error) => error.message).join('\n'));
  const contextValue = contextOf(db, options);
  const result = await execute({ schema, document, variableValues: options.variables, contextValue });
  return JSON.parse(JSON.stringify(result)) as ExecutionResult;
}
