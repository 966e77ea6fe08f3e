/**
 * Runs a TypeScript program on a Node that can read it: `node src/launch.js FILE [arguments]`. That is the machine's own
 * Node if it is new enough, since the machine's operator updates it, and otherwise the one that `npm ci` installs.
 *
 * npm 11 puts the installed Node into the PATH of scripts, so that this may run on it although the machine has a newer one.
 * npm 10 deletes that link again (it shares its name with the packages of other platforms).
 * Plain JavaScript of old: Node 14 and later can read it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import Module from 'node:module';
import { delimiter, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a supervisor or a terminal may send; SIGKILL and SIGSTOP cannot be forwarded. */
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];
const PARENT_CHECK_MS = 500;
const COMPILE_CACHE = new URL('../node_modules/.cache/compile', import.meta.url);
const isRunByNpm = process.env.npm_lifecycle_event !== undefined;

/** What reads TypeScript: Node 22.18 and 23.6. */
const FIRST_MINOR = { 22: 18, 23: 6 };

const system = process.platform === 'win32' ? 'win' : process.platform;
/** The names under which a package with a Node for this platform may be published. */
const PACKAGES = [`node-${system}-${process.arch}`, `node-bin-${system}-${process.arch}`];

/** Returns the path of the Node in `node_modules` for this platform, or undefined if none is installed. */
function findInstalledNode() {
  return PACKAGES.map((name) => fileURLToPath(new URL(`../node_modules/${name}/bin/node`, import.meta.url)))
    .map((path) => (system === 'win' ? `${path}.exe` : path))
    .find(existsSync);
}

/** Returns whether `npm ci` installs a Node for this platform, unless it is told to omit it. */
function isOffered() {
  const { optionalDependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return PACKAGES.some((name) => name in optionalDependencies);
}

/** Returns the path of the Node that runs npm, if it is new enough and this is another one; npm tells both to scripts. */
function findNewerNodeOfNpm() {
  const { npm_node_execpath: path, npm_config_user_agent: agent } = process.env;
  const [, major, minor] = / node\/v(\d+)\.(\d+)\./.exec(agent || '') || [];
  if (major === undefined || !path || !existsSync(path) || isThis(path)) return undefined;
  return major > 23 || minor >= FIRST_MINOR[major] ? path : undefined;
}

function isThis(node) {
  return realpathSync(node) === realpathSync(process.execPath);
}

/** Returns why a Node does not run on this machine, for example because its C library is missing; undefined if it runs. */
function problemOf(node) {
  const { error, status, signal, stderr } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  // The file is there: what is missing is the loader of its C library.
  if (error) return error.code === 'ENOENT' ? 'it is built for glibc, which is missing here' : error.message;
  return status === 0 ? undefined : stderr.trim().split('\n')[0] || `it ended with ${signal || status}`;
}

/**
 * Calls a function when the parent has ended. npm runs a script in a shell, which SIGTERM ends without being passed on:
 * the program would stay behind. Without npm the parent may be a shell that is left on purpose, and is not watched.
 */
function onParentEnd(stop) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS);
  timer.unref();
}

/**
 * Runs the program in this process, as if it had been started without this launcher. Node caches the compiled modules on
 * disk, which halves the time until a command begins; where the folder cannot be written, it compiles them each time.
 */
function runHere(file) {
  if (Module.enableCompileCache) Module.enableCompileCache(fileURLToPath(COMPILE_CACHE));
  if (isRunByNpm) onParentEnd(() => process.kill(process.pid, 'SIGTERM'));
  process.argv.splice(1, 2, file);
  Module.runMain();
}

/** Runs the program on another Node, with the same options, input, output, signals and exit code. */
function runOn(node, file) {
  const args = [...process.execArgv, file, ...process.argv.slice(3)];
  // Programs that the program starts by the name `node` get the same one.
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH || ''}` };
  // Replaces this process where Node can (22.15 and later, not on Windows): no other process remains.
  if (process.execve && process.platform !== 'win32' && !isRunByNpm) process.execve(node, [node, ...args], env);

  const child = spawn(node, args, { stdio: 'inherit', env });
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  if (isRunByNpm) onParentEnd(() => child.kill('SIGTERM'));
  child.on('error', (error) => fail(`${node} cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    // Ends like the program did, which shells and supervisors look at.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const [, , program] = process.argv;
if (program === undefined) fail('usage: node src/launch.js FILE [arguments]');
const file = resolve(program);
const installed = findInstalledNode();
const newer = installed !== undefined && isThis(installed) ? findNewerNodeOfNpm() : undefined;
if (newer !== undefined) runOn(newer, file);
else if (process.features.typescript) runHere(file);
else {
  const problem = installed === undefined ? 'there is none' : problemOf(installed);
  if (problem === undefined) runOn(installed, file);
  else {
    fail(
      `Ballotgraph needs Node 22.18 or newer. This is Node ${process.versions.node}, and node_modules has no newer one that ` +
        `runs on ${process.platform} ${process.arch} (${problem}): install a newer Node` +
        (installed === undefined && isOffered() ? ', or run "npm ci" without --omit=optional.' : '.'),
    );
  }
}
