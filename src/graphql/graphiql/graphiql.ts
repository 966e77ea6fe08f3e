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
  const headers = JSON.stringify({ 'x-api-key': demoKey ?? 'your API key' }, null, 2);
  const options = {
    title: 'Ballotgraph',
    defaultTabs: tabsFor(demoKey).map((query) => ({ query, headers })),
    defaultHeaders: headers,
    shouldPersistHeaders: true,
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

/** The package contains the plugin for the history of operations, but neither enables it in its page nor exports it. */
const HISTORY_PLUGIN = /([\w$]+)=\{title:"History",icon:/;

function completePage(page: string, { style, start }: { readonly style: string; readonly start: string }): string {
  const history = HISTORY_PLUGIN.exec(page)?.[1] ?? missing('the history plugin');
  const edits: readonly [at: RegExp, text: string][] = [
    [/(?<=<meta charset="utf-8" \/>)/, '<meta name="viewport" content="width=device-width, initial-scale=1">'],
    [/(?=<\/head>)/, `<style>${style}</style>`],
    [/(?<=,plugins:\[)(?=[\w$]+\],schemaDescription)/, `${history},`],
    [/YogaGraphiQL\.renderYogaGraphiQL\(\s*window.*?(?=<\/script>)/s, start],
  ];
  return edits.reduce((html, [at, text]) => {
    if (!at.test(html)) missing(String(at));
    return html.replace(at, () => text);
  }, page);
}

function missing(what: string): never {
  throw new Error(`@graphql-yoga/render-graphiql has another page than the one that is completed here: no ${what}.`);
}

function readBeside(name: string): Promise<string> {
  return readFile(new URL(name, import.meta.url), 'utf8');
}
