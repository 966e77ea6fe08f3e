import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type CodegenConfig, generate } from '@graphql-codegen/cli';
import { isScalarType, isSpecifiedScalarType } from 'graphql';
import { Cli as TableTypes } from 'kysely-codegen';
import { build } from 'vite';
import { MANIFEST, writeManifest } from './src/graphql/documents/trusted-documents.ts';
import { schema } from './src/schema.ts';
import { schemaText } from './src/schema-text.ts';

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
    'src/rest/generated/documents.ts': typedDocuments('src/rest/*.graphql'),
    'src/mcp/generated/documents.ts': typedDocuments('src/mcp/tools/*.graphql'),
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

// Run as a program, writes all generated files; the table types only if a database is configured. With a folder as the
// argument, writes only the manifest of the trusted documents in its `.graphql` files (PERSISTED_DIR).
const [clientFolder] = process.argv.slice(2);
if (import.meta.main && clientFolder) {
  const count = await writeManifest(clientFolder, schema);
  process.stdout.write(`${clientFolder}/${MANIFEST}: ${count} operations\n`);
} else if (import.meta.main) {
  await writeFile('schema.graphql', printedSchema);
  await generate(config);
  await writeFile(WIDGET_FILE, await buildWidget());
  await promisify(execFile)(process.execPath, ['../../node_modules/relay-compiler/cli.js'], { cwd: 'examples/relay' });
  if (process.env.DATABASE_URL) await new TableTypes().run({ argv: [] });
}
