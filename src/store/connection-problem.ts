import { codeOf } from './faults.ts';

/** What to do about errors of PostgreSQL that trying again does not help against, by their SQLSTATE. */
const ADVICE: Readonly<Record<string, string>> = {
  '3D000': 'Create it (createdb), or correct DATABASE_URL.',
  '28P01': 'Correct the user or the password in DATABASE_URL.',
  '28000': 'Correct the user in DATABASE_URL, or let it in (pg_hba.conf).',
  '42501': 'Grant the user of DATABASE_URL what it needs (docs/operations.md, "Run it for real").',
};

/** Returns one line about why the database of DATABASE_URL cannot be used, with what to do about it where that is known. */
export function connectionProblem(thrown: unknown): string {
  // One for each address of a host, all of them about the same.
  const error = thrown instanceof AggregateError ? (thrown.errors[0] ?? thrown) : thrown;
  const text = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const advice = ADVICE[codeOf(cause)];
  const [line = ''] = text.split('\n');
  return advice ? `DATABASE_URL: ${line.replace(/[.\s]*$/, '')}. ${advice}` : line;
}
