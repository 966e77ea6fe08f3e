import { expect, it } from 'vitest';
import { createLogger } from '../../src/base/logger.ts';

function logged(line: object): Record<string, unknown> {
  const lines: string[] = [];
  createLogger('trace', { write: (written: string) => void lines.push(written) }).info(line, 'the message');
  return JSON.parse(lines.join(''));
}

it('writes one JSON object with the time and the name of the level', () => {
  expect(logged({ status: 200 })).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    status: 200,
    msg: 'the message',
  });
});

it('omits requests and responses that any library passes', () => {
  const line = logged({
    req: { url: '/?lat=39.123987', headers: { 'x-api-key': 'canary' } },
    res: { headers: 'canary' },
  });
  expect(JSON.stringify(line)).not.toMatch(/39\.1239|canary/);
});

it('writes the code of a failed request, and no value of another kind', () => {
  expect(logged({ error: 'RATE_LIMITED' }).error).toBe('RATE_LIMITED');
  expect(logged({ err: 'stopped' }).err).toBe('stopped');
  expect(logged({ err: { secret: 'canary' } }).err).toEqual({ message: 'object' });
});

it('omits the values that a PostgreSQL error contains in addition to its message', () => {
  const error = Object.assign(new Error('duplicate key', { cause: new Error('below') }), {
    code: '23505',
    detail: 'Key (sha256)=(canary)',
    where: 'canary',
    parameters: ['canary'],
  });
  const line = logged({ err: error });
  expect(line.err).toMatchObject({ message: 'duplicate key', code: '23505', cause: { message: 'below' } });
  expect(JSON.stringify(line)).not.toContain('canary');
});
