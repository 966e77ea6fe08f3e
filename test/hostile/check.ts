import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Patterns that no response may contain: SQL, codes of PostgreSQL, files, stacks, libraries, names of tables and roles. */
const LEAKS =
  /\bselect\b.+\bfrom\b|SQLSTATE|\bpg_\w+|kysely|fastify|node_modules|\.[jt]s:\d+|\bat \w+ \(|\/(work|srv|home|usr|tmp|etc)\/|boundary_pieces|api_keys|relation "|:5432\b/i;
/** Twenty times the usual duration of a rejection: only a defect is slower. */
const SLOWEST_MS = 2_000;
const ENVELOPE = ['success', 'data', 'message'];

export interface CheckedResponse {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders | OutgoingHttpHeaders;
  readonly body: string;
}

/**
 * Returns what is wrong with a response to any request: an internal error, a leak, the format of another API, slowness.
 * Undefined for a correct response.
 */
export function harmIn(response: CheckedResponse, { key, ms }: { key: string; ms: number }): string[] {
  const { statusCode, headers, body } = response;
  const harm: string[] = [];
  if (statusCode >= 500) harm.push(`the status ${statusCode}`);
  if (!/^[\w-]{8,36}$/.test(String(headers['x-request-id']))) harm.push('no request id');
  const leak = LEAKS.exec(body)?.[0] ?? LEAKS.exec(JSON.stringify(headers))?.[0];
  if (leak !== undefined) harm.push(`a leak: ${leak}`);
  if (key.length > 40 && body.includes(key.slice(12))) harm.push('the key');
  if (ms >= SLOWEST_MS) harm.push(`a response after ${Math.round(ms)} ms`);
  if (String(headers['content-type']).startsWith('application/json') && body !== '') harm.push(...harmInBody(response));
  return harm;
}

function harmInBody({ statusCode, body }: CheckedResponse): string[] {
  const read = JSON.parse(body);
  if ('success' in read) {
    const missing = ENVELOPE.filter((name) => !(name in read)).map((name) => `an envelope without ${name}`);
    return read.success === (statusCode === 200) ? missing : [...missing, `success: ${read.success}`];
  }
  const harm = Object.keys(read)
    .filter((name) => !['data', 'errors'].includes(name))
    .map((name) => `the member ${name}`);
  for (const error of read.errors ?? []) {
    const code = String(error.extensions?.code);
    if (error.message === '') harm.push('an error without a message');
    if (!/^[A-Z_]+$/.test(code) || code === 'INTERNAL') harm.push(`an error with the code ${code}`);
  }
  return harm;
}
