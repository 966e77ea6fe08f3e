import { type ChildProcess, spawn } from 'node:child_process';

/** Of Debian's package `redis-server`. */
export const REDIS = '/usr/bin/redis-server';

/** A Redis in memory, on the loopback. */
export function startRedis(port: number): ChildProcess {
  return spawn(REDIS, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  });
}
