import { codeOf } from '../database/connection-errors.ts';

/** Advice for PostgreSQL errors that do not go away by retrying, by SQLSTATE. */
const ADVICE: Readonly<Record<string, string>> = {
  '3D000': 'Create it (createdb), or correct DATABASE_URL.',
  '28P01': 'Correct the user or the password in DATABASE_URL.',
  '28000': 'Correct the user in DATABASE_URL, or allow it in pg_hba.conf.',
  '42501': 'Grant the user of DATABASE_URL the required privileges (docs/operations.md, "Run it for real").',
};

/**
 * Returns a one-line explanation of why the database of DATABASE_URL cannot be used, with advice if the cause is known.
 */
export function connectionProblem(thrown: unknown): string {
  // The error contains one error for each address of the host, usually all with the same cause.
  const error = thrown instanceof AggregateError ? (thrown.errors[0] ?? thrown) : thrown;
  const text = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const advice = ADVICE[codeOf(cause)];
  const [line = ''] = text.split('\n');
  return advice ? `DATABASE_URL: ${line.replace(/[.\s]*$/, '')}. ${advice}` : line;
}
