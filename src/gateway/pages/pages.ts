import { GRANTS } from '../../graph/builder/grants.ts';
import { DEMO_KEY } from '../access/demo-key.ts';
import { jsonPage, type StaticPage } from '../http/static-page.ts';
import { openApiDocument, operationsOf } from '../rest/document.ts';
import type { Json, OpenApiDocument } from '../rest/types.ts';
import { type DocumentedOperation, endpointPage } from './endpoint-page.ts';
import { HEAD, ownPage, topBar } from './frame.ts';
import { GUIDES, type Guide, guidePage } from './guides.ts';
import { paragraph, prose, table, text } from './html.ts';
import { shape } from './json-schema.ts';
import { sectionsOf } from './search-index.ts';

export interface DocsOptions {
  /** The public address of the service, used in the example URLs; that on which it listens if undefined. */
  readonly publicUrl: string | undefined;
  readonly listen: { readonly host: string; readonly port: number };
  /** Whether the demo key of the sample is active, with which the examples can be run unchanged. */
  readonly isSample: boolean;
  readonly hasGraphiql: boolean;
  /** Whether `/schema.graphql` is served. */
  readonly hasSchema: boolean;
}

interface Entry {
  readonly path: string;
  readonly title: string;
  /** Renders the content of the page; undefined if the page is not one of the docs. */
  readonly render?: () => string;
}

interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/**
 * Returns the pages of the docs by path, each rendered when it is first requested. Those of the REST paths come from the
 * OpenAPI document, the guides from the folder `docs`: nothing is written twice. `/docs/search.json` has the text of all
 * pages by heading. Existing viewers of OpenAPI documents
 * (Swagger UI, Scalar, Redoc) are not used: each is a script of a megabyte or more that needs inline styles and shows
 * nothing without JavaScript.
 */
export function docsPages(options: DocsOptions): ReadonlyMap<string, () => StaticPage> {
  const document = openApiDocument();
  const operations = documentedOperations(document);
  const host = ['0.0.0.0', '::'].includes(options.listen.host) ? 'localhost' : options.listen.host;
  const example = {
    schemas: document.components.schemas,
    address: options.publicUrl ?? `http://${host}:${options.listen.port}`,
    key: options.isSample ? DEMO_KEY : 'YOUR KEY',
  };
  const guide = (name: Guide): Entry => ({
    path: `/docs/${name}`,
    title: GUIDES[name],
    render: () => guidePage(name),
  });
  const sections: readonly Section[] = [
    {
      title: 'Start',
      entries: [
        { path: '/docs', title: 'Overview', render: () => overview(document, operations, options) },
        guide('recipes'),
        { path: '/docs/packages', title: 'Packages', render: () => packagesPage(operations) },
        { path: '/docs/errors', title: 'Errors', render: () => errorsPage(document) },
      ],
    },
    {
      title: 'REST',
      entries: [
        guide('rest'),
        ...operations.map((operation) => ({
          path: `/docs${operation.path}`,
          title: operation.operation.summary,
          render: () => endpointPage(operation, example),
        })),
        { path: '/openapi.json', title: 'OpenAPI document' },
      ],
    },
    {
      title: 'GraphQL',
      entries: [
        guide('graphql'),
        guide('clients'),
        ...(options.hasSchema ? [{ path: '/schema.graphql', title: 'Schema' }] : []),
        ...(options.hasGraphiql ? [{ path: '/graphql', title: 'GraphiQL' }] : []),
      ],
    },
    {
      title: 'More',
      entries: [guide('voting'), guide('changes'), guide('private'), guide('map'), guide('widget'), guide('mcp')],
    },
    {
      title: 'Operate a gateway',
      entries: [
        guide('sources'),
        guide('unverified-rows'),
        guide('audit'),
        guide('configuration'),
        guide('operations'),
        guide('scaling'),
      ],
    },
  ];
  const pages = new Map<string, () => StaticPage>();
  for (const { path, title, render } of sections.flatMap(({ entries }) => entries)) {
    if (render)
      pages.set(
        path,
        once(() => ownPage(frame(path, title, render(), sections, options))),
      );
  }
  for (const { path, aliases } of operations) {
    const page = pages.get(`/docs${path}`);
    for (const alias of aliases) if (page) pages.set(`/docs${alias}`, page);
  }
  const searched = sections.flatMap(({ entries }) => entries);
  pages.set(
    '/docs/search.json',
    once(() =>
      jsonPage(searched.flatMap(({ path, title, render }) => (render ? sectionsOf(path, title, render()) : []))),
    ),
  );
  return pages;
}

/** Returns the operations of the document, each with the other names of its path instead of a copy for each of them. */
function documentedOperations(document: OpenApiDocument): DocumentedOperation[] {
  const all = operationsOf(document);
  return all
    .filter(({ operation }) => !operation.operationId.endsWith('Alias'))
    .map((each) => ({
      ...each,
      aliases: all
        .filter(({ operation }) => operation.operationId === `${each.operation.operationId}Alias`)
        .map(({ path }) => path),
    }));
}

function frame(
  path: string,
  title: string,
  content: string,
  sections: readonly Section[],
  { isSample, hasGraphiql }: DocsOptions,
): string {
  const links = sections.map(
    ({ title: name, entries }) =>
      `<b>${name}</b>${entries.map((entry) => `<a href="${text(entry.path)}"${entry.path === path ? ' aria-current="page"' : ''}>${text(entry.title)}</a>`).join('')}`,
  );
  const list = `<nav aria-label="Docs">${links.join('\n')}</nav>`;
  return `<!doctype html>
<html lang="en">
<title>${text(title)} · Docs · Ballotgraph</title>
${HEAD}
<script type="module" src="/web/docs.ts"></script>
<body${isSample ? ` data-key="${DEMO_KEY}"` : ''}>
<a class="skip" href="#content">Skip to the content</a>
${topBar('/docs', hasGraphiql)}
<main class="wide docs">
<aside aria-label="Pages of the docs"><form id="docs-find" role="search" autocomplete="off" hidden><label for="docs-q">Search the docs</label>
<input class="in" id="docs-q" type="search" spellcheck="false"><p class="small" role="status" id="docs-status"></p><ol id="docs-results"></ol></form>
<details class="toc"><summary>All pages of the docs</summary>${list}</details>${list}</aside>
<div class="doc" id="content" tabindex="-1">${content}</div>
</main>
</body>
</html>
`;
}

function overview(
  { info }: OpenApiDocument,
  operations: readonly DocumentedOperation[],
  { isSample, hasGraphiql, hasSchema }: DocsOptions,
): string {
  const rows = operations.map(({ path, method, aliases, operation }) => [
    [path, ...aliases].map((name) => `<a href="/docs${path}"><code>${method} ${text(name)}</code></a>`).join('<br>'),
    text(operation.summary),
  ]);
  const graphql = [
    '<a href="/docs/graphql">The guide</a>: errors, limits, null and grants, paging, persisted documents',
    hasSchema ? '<a href="/schema.graphql">The schema</a>, with a description of every element' : '',
    hasGraphiql ? '<a href="/graphql">GraphiQL</a>: write queries in the browser' : '',
  ];
  return `<h1>Docs</h1>
<p>Districts, officeholders, elections and ballots of a point or a state, over GraphQL and REST.</p>
${isSample ? `<p>This gateway serves the sample. Its key is public: <code>${DEMO_KEY}</code></p>` : ''}
<h2>GraphQL</h2>
<ul>${graphql.flatMap((each) => (each === '' ? [] : [`<li>${each}</li>`])).join('\n')}</ul>
<h2>REST</h2>
${info.description.split('\n\n').map(paragraph).join('\n')}
${table(['Path', 'What it returns'], rows)}
<ul><li><a href="/docs/rest">Keys, envelope, parameters</a></li>
<li><a href="/docs/errors">Errors</a>: every status and type with an example</li>
<li><a href="/docs/packages">Packages</a>: what a key gives access to</li>
<li>All of it as an OpenAPI document: <a href="/openapi.json">/openapi.json</a></li></ul>`;
}

function packagesPage(operations: readonly DocumentedOperation[]): string {
  const rows = Object.entries(GRANTS).map(([grant, access]) => {
    const paths = operations.filter(({ operation }) => operation.description.includes(`grant \`${grant}\``));
    const links = paths.map(({ path }) => `<a href="/docs${path}"><code>${text(path)}</code></a>`).join('<br>');
    return [`<code>${grant}</code>`, `${text(access)}${links === '' ? '' : `<br>${links}`}`];
  });
  return `<h1>Packages</h1>
<p>Every API key belongs to a package, a set of grants. A path whose grant the package lacks responds with 403, and a value is left out of REST responses and null in GraphQL, where <a href="/docs/graphql#null-and-grants"><code>extensions.notInPackage</code></a> names it. A package may also have <a href="/docs/graphql#limits">rate limits</a>.</p>
<h2>Grants</h2>
${table(['Grant', 'Gives access to'], rows)}`;
}

interface ErrorResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content: {
    readonly 'application/json': {
      readonly example: {
        readonly status: number;
        readonly title: string;
        readonly message: string;
        readonly type: string;
      };
    };
  };
}

function errorsPage({ components }: OpenApiDocument): string {
  const responses = Object.values(components.responses as Record<string, ErrorResponse>)
    .map((response) => ({ ...response, ...response.content['application/json'].example }))
    .toSorted((one, other) => one.status - other.status);
  const rows = responses.map(({ status, title, type, description, headers, message }) => [
    `${status} ${text(title)}<br><code>${text(type)}</code>`,
    `${prose(description)}${headers ? ` Has the header <code>${Object.keys(headers).map(text).join(', ')}</code>.` : ''}`,
    text(message),
  ]);
  return `<h1>Errors</h1>
<p>Each error of a REST path has the body below; programs compare its <code>type</code>. The codes of GraphQL are in <a href="/docs/graphql#errors">its guide</a>.</p>
${table(['Status and type', 'When', 'Message, for example'], rows)}
<h2>The body</h2>
${shape('Failure', components.schemas.Failure as Json)}`;
}

function once<Value>(create: () => Value): () => Value {
  let created: Value | undefined;
  return () => {
    created ??= create();
    return created;
  };
}
