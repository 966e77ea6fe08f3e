import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type CodegenConfig, generate } from '@graphql-codegen/cli';
import { Command } from 'commander';
import { isScalarType, isSpecifiedScalarType } from 'graphql';
import { Cli as TableTypes } from 'kysely-codegen';
import { build } from 'vite';
import { folderError } from './src/base/folder-error.ts';
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

async function writeGenerated(): Promise<void> {
  await writeFile('schema.graphql', printedSchema);
  await generate(config);
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
