import type { ArrivalsRun, Outcome } from './arrivals.ts';
import { codeIn, createClient } from './client.ts';

// The load generator: a separate process, so that the times it measures do not include work of the test.

process.on('message', async (run: ArrivalsRun) => {
  const client = createClient(run.url);
  const outcomes: Outcome[] = [];
  const pending = new Set<Promise<void>>();
  const began = performance.now();

  /** Sends a request. Its time counts from when it was due, whether or not it could be sent then. */
  async function sendRequest(number: number, due: number): Promise<void> {
    const request = run.requests[number % run.requests.length];
    const key = run.keys[number % run.keys.length] ?? '';
    const sent = performance.now();
    const lateMs = sent - due;
    const common = { dueMs: due - began, lateMs };
    try {
      const { status, text, headers } = request
        ? await client.send(request, key)
        : { status: 0, text: '', headers: {} };
      const ms = performance.now() - due;
      outcomes.push({ ...common, ms, status, code: codeIn(text), id: String(headers['x-request-id'] ?? '') });
    } catch {
      outcomes.push({ ...common, ms: performance.now() - due, status: 0, code: 'BROKEN', id: '' });
    }
  }

  const total = Math.round(run.perSecond * run.seconds);
  await new Promise<void>((resolve) => {
    let number = 0;
    const timer = setInterval(() => {
      const due = () => began + (number * 1_000) / run.perSecond;
      for (; number < total && due() <= performance.now(); number++) {
        const requested = sendRequest(number, due()).finally(() => pending.delete(requested));
        pending.add(requested);
      }
      if (number < total) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  await Promise.all(pending);
  client.close();
  process.send?.(outcomes);
});
process.on('disconnect', () => process.exit());
