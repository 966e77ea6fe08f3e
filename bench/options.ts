import { parseArgs } from 'node:util';
import { isSize, SIZES } from './database/sizes.ts';
import { WORKLOADS, type WorkloadName } from './workloads.ts';

export const IMPORT = 'import';

/**
 * Reads the options of `npm run bench`.
 * @throws Error naming the wrong option and what is accepted.
 */
export function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      accept: { type: 'boolean', default: false },
      size: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      connections: { type: 'string' },
      workloads: { type: 'string' },
      targets: { type: 'string' },
      pool: { type: 'string', default: '4' },
      processes: { type: 'string', default: '1' },
      out: { type: 'string' },
      'add-to': { type: 'string' },
      against: { type: 'string' },
      help: { type: 'boolean', default: false },
      drop: { type: 'boolean', default: false },
    },
  });
  const { quick, check, accept } = values;
  const size = values.size ?? (check || accept ? 'small' : 'national');
  if (!isSize(size)) throw new Error(`--size must be one of: ${Object.keys(SIZES).join(', ')}.`);
  const workloads: readonly string[] = values.workloads?.split(',') ?? WORKLOADS;
  const unknown = workloads.find((name) => name !== IMPORT && !WORKLOADS.includes(name as WorkloadName));
  if (unknown !== undefined) {
    throw new Error(`--workloads: ${unknown} is none of: ${[...WORKLOADS, IMPORT].join(', ')}.`);
  }
  return {
    size,
    check,
    accept,
    rounds: positive('rounds', values.rounds ?? (quick ? '1' : '3')),
    seconds: positive('seconds', values.seconds ?? '1.5'),
    warmUpSeconds: quick ? 2 : 5,
    connections: (values.connections ?? (quick ? '16' : '1,16,64')).split(',').map((n) => positive('connections', n)),
    workloads: workloads.filter((name): name is WorkloadName => name !== IMPORT),
    imports: workloads.includes(IMPORT),
    targets: values.targets?.split(','),
    pool: positive('pool', values.pool),
    processes: positive('processes', values.processes),
    out: values.out,
    addTo: values['add-to'],
    against: values.against,
    drop: values.drop,
    help: values.help,
  };
}

export type Options = ReturnType<typeof readOptions>;

function positive(name: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${name} must be a positive number, not ${JSON.stringify(text)}.`);
  return number;
}
