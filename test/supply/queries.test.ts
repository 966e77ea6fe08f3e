import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../../src');

/** The files that may write names of the database as text, and why. All others use typed queries and functions. */
const NAMED = [
  // The functions that Kysely does not know, and what executes queries.
  /^store\/(migrate|sql\/(functions|migration-functions|geometry-functions|text-functions|aggregates))\.ts$/,
  // Composes queries whose names come from checked relations.
  /^(gateway\/graphql\/planner|graph\/builder)\//,
  // Temporary tables and statements that write whole files.
  /^importers\//,
  // Asks the server about its write-ahead log, and reads no table.
  /^store\/replica-lag\.ts$/,
  // The roles with their rights, and the functions of the sandbox, in the language of the server.
  /^store\/(export-sandbox|gateway-role)\.ts$/,
];

const STATEMENT = /\b(select|insert|update|delete|join|where|from|order by|group by)\b/i;
const QUALIFIED = /\b[a-z_]\w*\.[a-z_]\w*/;

/** Returns the names of the tables and of their columns that are no other word of SQL. */
async function namesOfTables(): Promise<Set<string>> {
  const tables = await readFile(join(SRC, 'store/sql/tables.ts'), 'utf8');
  const names = [...tables.matchAll(/^ {2}(\w+): /gm)].map(([, name = '']) => name);
  return new Set(names.filter((name) => name.includes('_')));
}

/** Returns the literal parts of the templates with a tag, each without its expressions. */
function templatesOf(code: string): string[] {
  return [...code.matchAll(/\bsql(?:<[^`;]*?>)?`/g)].map(({ index, 0: tag }) => {
    let text = '';
    let depth = 0;
    for (let at = index + tag.length; at < code.length; at++) {
      if (depth === 0 && code[at] === '`') break;
      if (code.startsWith('${', at)) depth++;
      else if (depth > 0 && code[at] === '{' && code[at - 1] !== '$') depth++;
      else if (depth > 0 && code[at] === '}') {
        depth--;
        continue;
      }
      if (depth === 0) text += code[at];
    }
    return text.replace(/\/\*.*?\*\//gs, '');
  });
}

/** Returns what a file writes as text that a typed query would check. */
function unchecked(code: string, names: ReadonlySet<string>): string[] {
  const templates = templatesOf(code).filter(
    (text) =>
      STATEMENT.test(text) || QUALIFIED.test(text) || (text.match(/\w+/g) ?? []).some((word) => names.has(word)),
  );
  const raw = [...code.matchAll(/\bsql\.raw\b/g)].map(([text]) => text);
  const references = [...code.matchAll(/\bsql\.(?:ref|table|id)(?:<[^;]*?>)?\('[^']*'\)/g)].map(([text]) => text);
  return [...raw, ...templates, ...references];
}

async function violations(): Promise<Record<string, string[]>> {
  const names = await namesOfTables();
  const found: Record<string, string[]> = {};
  for (const file of (await readdir(SRC, { recursive: true })).filter((name) => name.endsWith('.ts'))) {
    if (NAMED.some((pattern) => pattern.test(file))) continue;
    const texts = unchecked(await readFile(join(SRC, file), 'utf8'), names);
    if (texts.length > 0) found[file] = texts;
  }
  return found;
}

describe('the queries of src', () => {
  it('name tables and columns where the compiler checks them', async () => {
    expect(await violations()).toEqual({});
  });

  it('are refused with a name in a text', () => {
    const names = new Set(['candidates', 'party_id']);
    const wrong = [
      "sql.raw('x')",
      'sql<boolean>`exists (select 1)`',
      `sql\`\${a} > c.votes\``,
      'sql`max(party_id)`',
      "sql.ref<number>('d.id')",
      `sql\`\${eb.or([{ a: 1 }])} and where\``,
    ];
    for (const code of wrong) expect(unchecked(code, names)).toHaveLength(1);
    const right = [`sql\`\${ref('c.id')}::int\``, 'sql`count(*)::int`', `sql.ref(\`\${alias}.\${column}\`)`];
    for (const code of right) expect(unchecked(code, names)).toEqual([]);
  });
});
