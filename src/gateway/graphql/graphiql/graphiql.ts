import { readFile } from 'node:fs/promises';
import { SAMPLE_COVERAGE } from '../../access/demo-key.ts';
import { htmlPage, type StaticPage } from '../../http/static-page.ts';
import { examples } from './graphiql-examples.ts';

export interface GraphiqlOptions {
  /** The API key that is filled in; if undefined, users enter their own. */
  readonly demoKey: string | undefined;
  /** The longest URL that the server accepts. */
  readonly maxUrlBytes: number;
}

/**
 * The sources for the Content-Security-Policy. The editor sets inline styles on its lines, and its workers are embedded
 * in the page.
 */
const SOURCES = {
  'style-src': "'unsafe-inline'",
  'font-src': 'data:',
  'img-src': 'data:',
  'worker-src': 'blob:',
  'connect-src': "'self'",
};

/**
 * Builds the GraphiQL page, which loads nothing from other hosts. The package is imported lazily, as it is larger than
 * the rest of the program.
 * @throws Error if the package has changed so that its page cannot be completed.
 */
export async function graphiqlPage({ demoKey, maxUrlBytes }: GraphiqlOptions): Promise<StaticPage> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const options = {
    title: 'Ballotgraph',
    demoKey,
    examples: tabsFor(demoKey),
    shouldPersistHeaders: false,
    defaultEditorToolsVisibility: demoKey === undefined ? 'headers' : false,
  };
  const html = completePage(renderGraphiQL({ title: 'Ballotgraph' }), {
    style: await readBeside('graphiql.css'),
    start: `${await readBeside('graphiql-start.js')}
      const root = document.querySelector('#root');
      YogaGraphiQL.renderYogaGraphiQL(root, withStart(${JSON.stringify(options)}, ${maxUrlBytes}));
    `,
  });
  return htmlPage(html, { vary: 'X-API-Key, Accept', sources: SOURCES });
}

/** Returns the operations of the tabs; on the sample, the first one says what the sample covers. */
function tabsFor(demoKey: string | undefined): readonly string[] {
  const [first = '', ...others] = examples;
  if (demoKey === undefined) return examples;
  return [`${SAMPLE_COVERAGE.map((sentence) => `# ${sentence}`).join('\n')}\n\n${first}`, ...others];
}

interface Edit {
  /** The range of the page that is replaced. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Completes the page of the package. The page has several megabytes, so that its parts are found by literal text: regular
 * expressions would take most of the time of a start.
 */
function completePage(page: string, { style, start }: { readonly style: string; readonly start: string }): string {
  const find = (text: string, from = 0) => {
    const at = page.indexOf(text, from);
    return at < 0 ? missing(text) : at;
  };
  const insert = (at: number, text: string): Edit => ({ start: at, end: at, text });
  const charset = '<meta charset="utf-8" />';
  const root = '<div id="root"></div>';
  const rootStart = find(root);
  const render = find('YogaGraphiQL.renderYogaGraphiQL(');
  const edits = [
    insert(find(charset) + charset.length, '<meta name="viewport" content="width=device-width, initial-scale=1">'),
    insert(find('</head>'), `<style>${style}</style>`),
    insert(rootStart, '<main><h1>GraphiQL: queries to Ballotgraph</h1>'),
    insert(rootStart + root.length, '</main>'),
    insert(pluginList(page, find('],schemaDescription')), `${historyPlugin(page, find('={title:"History",icon:'))},`),
    { start: render, end: find('</script>', render), text: start },
  ].sort((one, other) => one.start - other.start);
  const ends = [0, ...edits.map(({ end }) => end)];
  return edits.map((edit, index) => page.slice(ends[index], edit.start) + edit.text).join('') + page.slice(ends.at(-1));
}

/**
 * Returns the name of the plugin for the history of operations. The package contains it, but neither enables it in its
 * page nor exports it.
 */
function historyPlugin(page: string, end: number): string {
  return identifierBefore(page, end) || missing('the history plugin');
}

/** Returns the position of the first plugin in the list that the page enables. */
function pluginList(page: string, end: number): number {
  const start = end - identifierBefore(page, end).length;
  const opening = ',plugins:[';
  return page.slice(start - opening.length, start) === opening ? start : missing('the list of plugins');
}

/** Returns the identifier that ends at a position; '' if there is none. */
function identifierBefore(page: string, end: number): string {
  return /[\w$]*$/.exec(page.slice(Math.max(0, end - 50), end))?.[0] ?? '';
}

function missing(what: string): never {
  throw new Error(`@graphql-yoga/render-graphiql has another page than the one that is completed here: no ${what}.`);
}

function readBeside(name: string): Promise<string> {
  return readFile(new URL(name, import.meta.url), 'utf8');
}
