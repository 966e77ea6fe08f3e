import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type CodegenConfig, generate } from '@graphql-codegen/cli';
import { Command } from 'commander';
import { isScalarType, isSpecifiedScalarType } from 'graphql';
import { Cli as TableTypes } from 'kysely-codegen';
import { build } from 'vite';
import { folderError } from './src/base/folder-error.ts';
import { readTable } from './src/base/words/read-table.ts';
import { MANIFEST, writeManifest } from './src/gateway/graphql/documents/trusted-documents.ts';
import { schemaText } from './src/gateway/graphql/schema-text.ts';
import { schema } from './src/graph/schema.ts';

/** The schema as committed in `schema.graphql`. */
export const printedSchema = schemaText();

/** The TypeScript types of the custom scalars. */
const scalarTypes = Object.fromEntries(
  Object.values(schema.getTypeMap())
    .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
    .map(({ name, extensions }) => [name, String(extensions.codegenScalarType)]),
);

/** Configuration of the typed documents in a folder. */
const typedDocuments = (documents: string) => ({
  documents,
  plugins: ['typescript-operations', 'typed-document-node'],
  config: {
    useTypeImports: true,
    scalars: scalarTypes,
  },
});

/** Configuration of the typed documents for REST, MCP, the examples and the map page. */
const config: CodegenConfig = {
  schema: printedSchema,
  silent: true,
  generates: {
    'src/gateway/rest/generated/documents.ts': typedDocuments('src/gateway/rest/*.graphql'),
    'src/gateway/mcp/generated/documents.ts': typedDocuments('src/gateway/mcp/tools/*.graphql'),
    'examples/generated/documents.ts': typedDocuments('examples/*.graphql'),
    // The browser sends the ids of these documents, and needs only their types.
    'web/generated/operations.ts': { ...typedDocuments('web/documents/*.graphql'), plugins: ['typescript-operations'] },
  },
};

export default config;

/** The widget as one file, with all that it imports. */
export const WIDGET_FILE = 'web/generated/ballot-lookup.js';

/** Returns the widget as one script for pages of other sites. */
export async function buildWidget(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    // Otherwise it depends on NODE_ENV whether lit-html is the one for development.
    resolve: { conditions: ['module', 'browser', 'production'] },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: 'web/widget/ballot-lookup.ts', formats: ['iife'], name: 'BallotLookup', fileName: 'ballot-lookup' },
    },
  });
  const [bundle] = [built].flat();
  if (!bundle || !('output' in bundle)) throw new Error('Vite has built nothing');
  return bundle.output[0].code;
}

/** The list of the rows of the importers of results whose source was not read. */
export const UNVERIFIED_FILE = 'docs/unverified-rows.md';

const ROWS = new URL('src/importers/results/', import.meta.url).href;

/** Returns the rows of a table that say `unverified`: a line for each state and group, with the texts of each name. */
function unverifiedRows<Column extends string>(
  name: string,
  groupOf: (row: Readonly<Record<Column | 'states', string>>) => string,
  saysOf: (row: Readonly<Record<Column | 'states', string>>) => readonly [name: string, text: string],
): string {
  const rows = readTable<Column | 'states' | 'state' | 'source'>(name, ROWS).filter(
    (row) => row.source === 'unverified',
  );
  const entries = rows.flatMap((row) =>
    (row.states || row.state || 'all').split(' ').map((state) => ({
      key: `| ${state === '*' ? 'other' : state} | ${groupOf(row)} |`,
      says: saysOf(row),
    })),
  );
  const lines = [...Map.groupBy(entries, ({ key }) => key)].map(([key, group]) => {
    const names = Map.groupBy(group, ({ says }) => says[0]);
    const texts = [...names].map(([own, each]) => `${own && `${own}: `}${each.map(({ says }) => says[1]).join(', ')}`);
    return `${key} ${texts.join('; ')} |`;
  });
  return `${rows.length} rows.\n\n| state | of | what the rows say |\n| --- | --- | --- |\n${lines.toSorted().join('\n')}\n`;
}

/** Returns the page that lists the unverified rows of offices, law, parties, districts and counties. */
export function unverifiedPage(): string {
  const offices = unverifiedRows<'scope' | 'kind' | 'text' | 'name'>(
    'offices',
    ({ scope, kind }) => `${scope} ${kind}`.trim(),
    ({ text, name }) => [name, `\`${text}\``],
  );
  const law = unverifiedRows<'kind' | 'offices' | 'from' | 'to' | 'value'>(
    'law',
    ({ kind }) => kind,
    ({ offices, from, to, value }) => [
      '',
      [offices.replaceAll(';', ', '), value, from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(' '),
    ],
  );
  const parties = unverifiedRows<'code' | 'name'>(
    'parties',
    () => 'party',
    ({ code, name }) => [name || 'not known', `\`${code}\``],
  );
  const districts = unverifiedRows<'chamber' | 'code' | 'text' | 'position'>(
    '../facts/legislative-districts',
    ({ chamber }) => chamber,
    ({ code, text, position }) => [[code, position].filter(Boolean).join(' '), `\`${text}\``],
  );
  const counties = unverifiedRows<'text' | 'geoid'>(
    '../facts/county-aliases',
    () => 'county',
    ({ text, geoid }) => [geoid, `\`${text}\``],
  );
  const changes = unverifiedRows<'geoid' | 'name' | 'from' | 'to'>(
    '../facts/county-changes',
    () => 'county',
    ({ geoid, name, from, to }) => [geoid, [name, from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(' ')],
  );
  return `# Unverified rows

Rows of the tables that the importers of [election results](sources.md#election-results) read, for which no code book, statute or official page was
read: their \`source\` is \`unverified\`. They place contests and name parties; no outcome follows from them beyond that of the most votes. To verify
a row, write into its \`source\` what was read, and run \`npm run generate\`, which writes this page.

## Offices

A row of [offices.csv](../src/importers/results/offices.csv) says which contests elect an office: the name of the office, and the texts of its contests. ${offices}
## Law

Rows of [law.csv](../src/importers/results/law.csv) that only withhold an outcome apply; the others have no effect until they are verified. ${law}
## Parties

A row of [parties.csv](../src/importers/results/parties.csv) has the name of a party by its code; \`(none)\` is a mark of no party. ${parties}
## Districts and counties

A row of [legislative-districts.csv](../src/importers/facts/legislative-districts.csv) has the text of a district, or of a seat of one. ${districts}
A row of [county-aliases.csv](../src/importers/facts/county-aliases.csv) has another text of a county. ${counties}
A row of [county-changes.csv](../src/importers/facts/county-changes.csv) has the days on which a county began or ended. ${changes}`;
}

async function writeGenerated(): Promise<void> {
  await writeFile('schema.graphql', printedSchema);
  await generate(config);
  await writeFile(UNVERIFIED_FILE, unverifiedPage());
  await writeFile(WIDGET_FILE, await buildWidget());
  await promisify(execFile)(process.execPath, ['../../node_modules/relay-compiler/cli.js'], { cwd: 'examples/relay' });
  if (process.env.DATABASE_URL) await new TableTypes().run({ argv: [] });
}

async function writeManifestOf(folder: string): Promise<void> {
  const files = await readdir(folder).catch((error) => {
    throw folderError('folder', folder, error);
  });
  if (!files.some((file) => file.endsWith('.graphql'))) throw new Error(`folder: ${folder} has no .graphql files.`);
  process.stdout.write(`${folder}/${MANIFEST}: ${await writeManifest(folder, schema)} operations\n`);
}

if (import.meta.main) {
  const program = new Command('npm run generate')
    .description('Writes all generated files; the types of the tables only if DATABASE_URL is set.')
    .argument('[folder]', 'write only the manifest of the trusted documents in its .graphql files (PERSISTED_DIR)')
    .showHelpAfterError('(see --help)')
    .action((folder?: string) => (folder === undefined ? writeGenerated() : writeManifestOf(folder)));
  await program.parseAsync().catch((error: Error) => program.error(`error: ${error.message}`));
}
