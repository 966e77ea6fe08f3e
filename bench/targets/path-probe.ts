import { createHook } from 'node:async_hooks';
import { Session } from 'node:inspector/promises';

// Loaded into a server with `--import`. A message of the parent process starts or ends a count of promises, or a profile of
// the processor, and is answered with the result.

export type PathMessage = 'start counting' | 'end counting' | 'start profile' | 'end profile';

/** Microseconds between two samples of a profile. */
const SAMPLE_US = 100;

let promises = 0;
const hook = createHook({
  init(_, type) {
    if (type === 'PROMISE') promises++;
  },
});
const session = new Session();
session.connect();

const ACTIONS: Readonly<Record<PathMessage, () => Promise<unknown> | unknown>> = {
  'start counting': () => {
    promises = 0;
    hook.enable();
  },
  'end counting': () => {
    hook.disable();
    return promises;
  },
  'start profile': async () => {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
    await session.post('Profiler.start');
  },
  'end profile': async () => (await session.post('Profiler.stop')).profile,
};

process.on('message', async (message: PathMessage) => process.send?.({ result: await ACTIONS[message]() }));
process.channel?.unref();
