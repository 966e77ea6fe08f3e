import type { Command, Option } from 'commander';
import { dictionary } from '../../base/dictionary.ts';

/** Options of these commands that npm expands to options of its own: npm 10 and later the first one, npm 11 both. */
const COMPLETED: Readonly<Record<string, string>> = dictionary({
  '--replace': 'replaceregistryhost',
  '--to': 'tokendescription',
});
/** Values to which an `.npmrc` may set `replace-registry-host`. */
const REGISTRY_HOST = /^(never|always|npmjs|[\w-]+(\.[\w-]+)+)?$/;
/** `npx --package` sets it for every program that it runs. */
const SET_BY_NPX = '--package';

/**
 * Exits with a usage error if npm has consumed options of the command line that are meant for the command. Without `--`
 * before the arguments, npm calls the command without `--dry-run`, and passes that option in the environment as
 * `npm_config_dry_run`.
 */
export function rejectSwallowedOptions(program: Command, args: readonly string[], env: NodeJS.ProcessEnv): void {
  const path = pathTo(program, args);
  const command = path.at(-1) ?? program;
  const swallowed = [...allOptions(program).values()].filter(
    (option) =>
      isSetByNpm(option, env) &&
      !args.some((arg) => arg === option.long || arg.startsWith(`${option.long}=`)) &&
      (option.long !== SET_BY_NPX || command.options.some(({ long }) => long === SET_BY_NPX)),
  );
  if (swallowed.length === 0) return;
  const names = swallowed.map(({ long }) => long).join(', ');
  const [script = '', ...subcommands] = path.map((each) => each.name());
  const own = swallowed.filter(({ long }) => command.options.some((option) => option.long === long));
  const usage = command.usage().replace('[options]', '').trim();
  const correct = [...subcommands, usage, ...own.map(({ flags }) => flags)].filter(Boolean).join(' ');
  program.error(
    `error: npm consumed ${names} as its own options; nothing was done. ` +
      `Put all arguments after "--": npm run ${script} -- ${correct}`,
  );
}

/** Returns the command that the arguments name, with its parent commands except the program. */
function pathTo(program: Command, args: readonly string[]): Command[] {
  const path: Command[] = [];
  for (const arg of args) {
    const next = (path.at(-1) ?? program).commands.find((command) => command.name() === arg);
    if (!next) break;
    path.push(next);
  }
  return path;
}

function allOptions(command: Command, found = new Map<string, Option>()): Map<string, Option> {
  for (const option of command.options) if (option.long) found.set(option.long, option);
  for (const below of command.commands) allOptions(below, found);
  return found;
}

function isSetByNpm(option: Option, env: NodeJS.ProcessEnv): boolean {
  const long = option.long ?? '';
  const name = long.replaceAll('-', '');
  return Object.entries(env).some(([variable, value = '']) => {
    if (!/^npm_config_/i.test(variable)) return false;
    const key = variable.slice('npm_config_'.length).replaceAll(/[-_]/g, '').toLowerCase();
    if (key === name) return !option.isBoolean() || value !== '';
    return key === COMPLETED[long] && !(long === '--replace' && REGISTRY_HOST.test(value));
  });
}
