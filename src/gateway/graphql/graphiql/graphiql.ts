import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { SAMPLE_COVERAGE } from '../../access/demo-key.ts';
import { htmlPage, type StaticPage, unchangingFile } from '../../http/static-page.ts';
import { examples } from './graphiql-examples.ts';

/** Where the gateway serves the files of the page. */
export const FILES_PATH = '/graphiql';
const HASH_LENGTH = 12;
const TITLE = 'Ballotgraph';

export interface GraphiqlOptions {
  /** The API key that is filled in; if undefined, users enter their own. */
  readonly demoKey: string | undefined;
  /** The longest URL that the server accepts. */
  readonly maxUrlBytes: number;
}

/** The sources for the Content-Security-Policy. The editor sets inline styles on its lines. */
const SOURCES = {
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'font-src': 'data:',
  'img-src': "'self' data:",
  'worker-src': "'self'",
  'connect-src': "'self'",
};

const [SCRIPT, STYLE] = ['text/javascript; charset=utf-8', 'text/css; charset=utf-8'];

export interface Graphiql {
  readonly page: StaticPage;
  /** The files that the page loads, by name: browsers keep them, as their names change with their content. */
  readonly files: ReadonlyMap<string, StaticPage>;
}

/**
 * Builds the GraphiQL page, which loads nothing from other hosts. The package is imported lazily, as it is larger than
 * the rest of the program.
 * @throws Error if the package has changed so that its script cannot be completed.
 */
export async function buildGraphiql({ demoKey, maxUrlBytes }: GraphiqlOptions): Promise<Graphiql> {
  const parts = await import('@graphql-yoga/render-graphiql/graphiql');
  const files = new Map<string, StaticPage>();
  const addFile = (name: string, ending: string, type: string, content: string) => {
    const file = `${name}-${hash('sha1', content).slice(0, HASH_LENGTH)}.${ending}`;
    files.set(file, unchangingFile(Buffer.from(content), type));
    return `${FILES_PATH}/${file}`;
  };
  const addScript = (name: string, content: string) => addFile(name, 'js', SCRIPT, content);
  const options = {
    title: TITLE,
    demoKey,
    examples: tabsFor(demoKey),
    shouldPersistHeaders: false,
    defaultEditorToolsVisibility: demoKey === undefined ? 'headers' : false,
  };
  const workers = {
    editorWorkerService: addScript('editor-worker', parts.editorWorkerService),
    json: addScript('json-worker', parts.jsonWorker),
    graphql: addScript('graphql-worker', parts.graphqlWorker),
  };
  const start = addScript(
    'start',
    `${await readBeside('graphiql-start.js')}
const workers = ${JSON.stringify(workers)};
self.MonacoEnvironment = { globalAPI: false, getWorkerUrl: (_module, label) => workers[label] };
YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), withStart(${JSON.stringify(options)}, ${maxUrlBytes}));
`,
  );
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLE}</title>
<link rel="icon" href="/web/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${addFile('graphiql', 'css', STYLE, parts.css + (await readBeside('graphiql.css')))}">
<script src="${addScript('graphiql', withHistory(parts.js))}" defer></script>
<script src="${start}" defer></script>
</head>
<body id="body" class="no-focus-outline">
<noscript>GraphiQL needs JavaScript.</noscript>
<main><h1>GraphiQL: queries to Ballotgraph</h1><div id="root"></div></main>
</body>
</html>
`;
  return { page: htmlPage(html, { vary: 'X-API-Key, Accept', sources: SOURCES }), files };
}

/** Returns the operations of the tabs; on the sample, the first one says what the sample covers. */
function tabsFor(demoKey: string | undefined): readonly string[] {
  const [first = '', ...others] = examples;
  if (demoKey === undefined) return examples;
  return [`${SAMPLE_COVERAGE.map((sentence) => `# ${sentence}`).join('\n')}\n\n${first}`, ...others];
}

/**
 * Returns the script of the package with the plugin for the history of operations in its list of plugins. It has several
 * megabytes, so that its parts are found by literal text: regular expressions would take most of the time of a start.
 */
function withHistory(script: string): string {
  const find = (text: string) => {
    const at = script.indexOf(text);
    return at < 0 ? missing(text) : at;
  };
  const at = pluginList(script, find('],schemaDescription'));
  return `${script.slice(0, at)}${historyPlugin(script, find('={title:"History",icon:'))},${script.slice(at)}`;
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
  throw new Error(`@graphql-yoga/render-graphiql has another script than the one that is completed here: no ${what}.`);
}

function readBeside(name: string): Promise<string> {
  return readFile(new URL(name, import.meta.url), 'utf8');
}
