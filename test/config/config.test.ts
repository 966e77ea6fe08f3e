import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/base/config/config.ts';
import { environment } from '../../src/base/config/environment.ts';
import { PRESETS } from '../../src/base/config/presets.ts';

it('reads the size of the response cache from RESPONSE_CACHE_BYTES', () => {
  expect(readConfig({ RESPONSE_CACHE_BYTES: '0' }).cacheBytes).toBe(0);
  expect(readConfig({}).cacheBytes).toBe(64 * 1024 * 1024);
});

it('rejects a variable with its former name and reports the present name', () => {
  const read = () => readConfig({ CACHE: '0', PORT: 'x' });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/^ {2}CACHE: was renamed; set RESPONSE_CACHE_BYTES instead$/m);
  expect(read, 'next to other problems').toThrow(/^ {2}PORT: /m);
});

it('ignores a former name that is empty', () => {
  expect(readConfig({ CACHE: '' }).cacheBytes).toBe(64 * 1024 * 1024);
});

it('reports what replaces a variable that was removed', () => {
  expect(() => readConfig({ MAX_QUEUE_MS: '100' })).toThrow(/^ {2}MAX_QUEUE_MS: was removed; POOL_WAIT_MS /m);
});

it.each([
  ['METRIC_PORT', 'METRICS_PORT'],
  ['METRICS_PROT', 'METRICS_PORT'],
  ['MAX_QUERY_DEPHT', 'MAX_QUERY_DEPTH'],
  ['MAX_QUERIES_COST', undefined],
  ['MAX_QUERYS_DEPHT', 'MAX_QUERY_DEPTH'],
  ['max_query_depth', 'MAX_QUERY_DEPTH'],
  ['MAXQUERYDEPTH', 'MAX_QUERY_DEPTH'],
  ['STATMENT_TIMEOUT', undefined],
  ['STATMENT_TIMEOUT_MS', 'STATEMENT_TIMEOUT_MS'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['PUBLC_URL', 'PUBLIC_URL'],
  ['TRUSTED_PROXYS', 'TRUSTED_PROXIES'],
  ['REDIS_ULR', 'REDIS_URL'],
  ['POOLSIZE', 'POOL_SIZE'],
  ['OTEL_SERVICE_NAMES', 'OTEL_SERVICE_NAME'],
])('a misspelt variable is refused, with the right name: %s, %s', (name, meant) => {
  const read = () => readConfig({ [name]: '5' });
  if (meant === undefined) expect(read, 'too far from any').not.toThrow();
  else expect(read).toThrow(`  ${name}: is not a variable of Ballotgraph; use ${meant} instead`);
});

const FOREIGN = `
  PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE PGSSLMODE PGTZ NODE_ENV NODE_OPTIONS NODE_PATH NODE_COMPILE_CACHE HOSTNAME HOME PATH PWD
  OLDPWD USER SHELL TERM LANG LC_ALL TZ TMPDIR EDITOR LOG_FILE LOG_FORMAT LOGLEVEL LOG_DIR TIMEZONE LOGNAME HOSTS PORTS POST MCPS MAC
  GRAPHQL GRAPHQL_URL DATADIR DATA_URL TODAYS XDG_DATA_DIRS XDG_DATA_HOME HTTP_PROXY http_proxy HTTPS_PROXY NO_PROXY no_proxy
  CI INIT_CWD npm_lifecycle_event npm_config_user_agent npm_node_execpath AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
  AWS_S3_ENDPOINT AWS_ENDPOINT_URL_S3 S3_ENDPOINT_URL REDIS_HOST REDIS_PORT REDIS_PASSWORD METRICS_HOST TEST_DATABASE_URL
  OTEL_METRICS_EXPORTER OTEL_LOGS_EXPORTER OTEL_SERVICE_NAMESPACE OTEL_RESOURCE_ATTRIBUTES OTEL_EXPORTER_OTLP_HEADERS
  OTEL_EXPORTER_OTLP_TIMEOUT OTEL_EXPORTER_OTLP_LOGS_ENDPOINT OTEL_EXPORTER_OTLP_METRICS_ENDPOINT OTEL_EXPORTER_OTLP_METRICS_PROTOCOL
  OTEL_EXPORTER_OTLP_TRACES_HEADERS OTEL_EXPORTER_OTLP_TRACES_TIMEOUT OTEL_EXPORTER_OTLP_COMPRESSION OTEL_TRACES_SAMPLER
  KUBERNETES_SERVICE_HOST KUBERNETES_PORT BALLOTGRAPH_PORT BALLOTGRAPH_SERVICE_HOST MEMORY_LIMIT MAX_MEMORY LISTEN_FDS INVOCATION_ID
  JOURNAL_STREAM SYSTEMD_EXEC_PID NOTIFY_SOCKET COLORTERM FORCE_COLOR NO_COLOR DEBUG VITE_PORT PUBLIC_KEY PUBLIC_DIR
`;

it.each(FOREIGN.trim().split(/\s+/))('a variable of another program is ignored: %s', (name) => {
  expect(() => readConfig({ [name]: 'anything' })).not.toThrow();
});

it('LIMITS sets limits together, and single variables override it', () => {
  const limits = (variables: Record<string, string>) => readConfig(variables).limits;
  expect(limits({ LIMITS: 'public' })).toEqual(limits({}));
  expect(limits({ LIMITS: 'small' }).load).toMatchObject({ inFlight: 64, inFlightPerKey: 4 });
  expect(limits({ LIMITS: 'small' }).operation).toEqual(limits({}).operation);
  expect(limits({ LIMITS: 'small', MAX_IN_FLIGHT: '9' }).load).toMatchObject({ inFlight: 9, inFlightPerKey: 4 });
  expect(limits({ LIMITS: 'behind-proxy' }).connections.perAddress).toBe(0);
  expect(() => readConfig({ LIMITS: 'constructor' })).toThrow('  LIMITS: must be one of small, public, behind-proxy');
});

it('the guide says what each preset sets', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');
  for (const [name, variables] of Object.entries(PRESETS)) {
    const set = Object.entries(variables).map(([variable, value]) => `\`${variable}=${value}\``);
    const row = guide.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
    expect(row).toContain(set.length > 0 ? `| ${set.join(', ')} |` : '| nothing');
    expect(() => readConfig({ LIMITS: name })).not.toThrow();
    expect(Object.keys(variables).filter((variable) => !(variable in environment.shape))).toEqual([]);
  }
});
