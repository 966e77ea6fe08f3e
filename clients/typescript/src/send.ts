import type { ResponseError } from './error.ts';

/** Fields that are null because the package of the API key lacks a grant. */
export interface NotInPackage {
  readonly grant: string | readonly string[];
  readonly paths: readonly (readonly string[])[];
}

export interface Body {
  readonly data?: unknown;
  readonly errors?: readonly ResponseError[];
  readonly message?: string;
  readonly extensions?: { readonly notInPackage?: readonly NotInPackage[] };
}

/** Sends a request, and sends it again as long as it is rejected with `Retry-After`, at most `retries` times. */
export async function sendWithRetries(
  once: () => Promise<[Response, Body]>,
  retries: number,
  signal: AbortSignal,
): Promise<[Response, Body]> {
  for (let attempt = 0; ; attempt++) {
    const [response, body] = await once();
    const retryAfter = response.headers.get('retry-after');
    if (retryAfter === null || response.ok || attempt >= retries) return [response, body];
    await pause(millisecondsUntil(retryAfter), signal);
  }
}

/** Returns the body of a response; an empty one if it is not JSON, as that of a proxy. */
export async function bodyOf(response: Response): Promise<Body> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Body;
  } catch {
    return {};
  }
}

/** Returns the time until the moment in a Retry-After header, which is a number of seconds or a date. */
function millisecondsUntil(retryAfter: string): number {
  const seconds = Number(retryAfter);
  const milliseconds = Number.isNaN(seconds) ? Date.parse(retryAfter) - Date.now() : seconds * 1_000;
  return Math.max(0, milliseconds || 0);
}

/** Waits; rejects with the reason of the signal as soon as it is aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
