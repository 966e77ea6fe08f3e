import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { generate } from '@graphql-codegen/cli';
import { generate as generateTables, getDialect } from 'kysely-codegen';
import { describe, expect, it } from 'vitest';
import tableOptions from '../../.kysely-codegenrc.json' with { type: 'json' };
import config, { buildWidget, printedSchema, UNVERIFIED_FILE, unverifiedPage, WIDGET_FILE } from '../../codegen.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
const STALE = 'run npm run generate';

describe('generated files are up to date', () => {
  it('schema.graphql', async () => {
    expect(await readFile('schema.graphql', 'utf8'), STALE).toBe(printedSchema);
  });

  it('the list of unverified rows', async () => {
    expect(await readFile(UNVERIFIED_FILE, 'utf8'), STALE).toBe(unverifiedPage());
  });

  it('the documents of REST, MCP and the examples', async () => {
    const files = (await generate(config, false)) as { filename: string; content: string }[];
    expect(files.map(({ filename }) => filename).sort()).toEqual(Object.keys(config.generates).sort());
    for (const { filename, content } of files) expect(await readFile(filename, 'utf8'), STALE).toBe(content);
  });

  it('the widget', async () => {
    expect(await readFile(WIDGET_FILE, 'utf8'), STALE).toBe(await buildWidget());
  });

  it('the documents of the page with Relay', async () => {
    const compiler = resolve('node_modules/relay-compiler/cli.js');
    // With `--validate` the compiler writes nothing and ends with an error if a file would change.
    await promisify(execFile)(process.execPath, [compiler, '--validate'], { cwd: 'examples/relay' });
  });

  it('the types of the tables', async () => {
    const { dialect, dateParser, numericParser, excludePattern, outFile, ...options } = tableOptions;
    const content = await generateTables({
      ...options,
      db: database.db,
      dialect: getDialect(dialect as 'postgres', {
        dateParser: dateParser as 'string',
        numericParser: numericParser as 'number',
      }),
      defaultSchemas: ['public'],
      // The suites save the first rows of some tables, and those of the sample, in schemas of their own.
      excludePattern: `{seed.*,sample.*,*.${excludePattern}}`,
      outFile: null,
    });
    expect(await readFile(outFile, 'utf8'), STALE).toBe(content);
  });
});
