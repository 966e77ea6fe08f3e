import { dictionary } from '../base/dictionary.ts';
import { codeOf } from '../base/errors.ts';

/** Advice for PostgreSQL errors that do not go away by retrying, by SQLSTATE. */
const ADVICE: Readonly<Record<string, string>> = dictionary({
  '3D000': 'Create it (createdb), or correct DATABASE_URL.',
  '28P01': 'Correct the user or the password in DATABASE_URL.',
  '28000': 'Correct the user in DATABASE_URL, or allow it in pg_hba.conf.',
  '42501':
    'Run npm run migrate as the owner of the tables, or grant the user of DATABASE_URL the required privileges (docs/operations.md, "Roles of the database").',
});

/**
 * Returns a one-line explanation of why the database of DATABASE_URL cannot be used, with advice if the cause is known.
 */
export function connectionProblem(thrown: unknown): string {
  return advisedProblem(thrown) ?? firstLine(firstError(thrown));
}

/** Returns the same explanation if the cause is known; else undefined. */
export function advisedProblem(thrown: unknown): string | undefined {
  const error = firstError(thrown);
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const advice = ADVICE[codeOf(cause)];
  return advice && `DATABASE_URL: ${firstLine(error).replace(/[.\s]*$/, '')}. ${advice}`;
}

/** Returns the error of one address of the host: there is one for each, usually all with the same cause. */
const firstError = (thrown: unknown): unknown =>
  thrown instanceof AggregateError ? (thrown.errors[0] ?? thrown) : thrown;

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
