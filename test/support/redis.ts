import { type ChildProcess, spawn } from 'node:child_process';

/** The path of Debian's package `redis-server`. */
export const REDIS = '/usr/bin/redis-server';

/** Starts an in-memory Redis on the loopback interface. */
export function startRedis(port: number): ChildProcess {
  return spawn(REDIS, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
    stdio: 'ignore',
  });
}
