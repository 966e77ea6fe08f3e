import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { codeBox, table, text } from './html.ts';

const FOLDER = join(import.meta.dirname, '../../../docs');

/** The guides of the folder `docs`, by the names of their files, with their titles in the list of pages. */
export const GUIDES = {
  recipes: 'Recipes by task',
  rest: 'Keys, envelope, parameters',
  graphql: 'Guide',
  clients: 'Client recipes',
  voting: 'Where and when one votes',
  changes: 'What changed: keep a copy',
  private: 'Districts without sending the point',
  map: 'The map',
  widget: 'The widget',
  mcp: 'MCP server',
  sources: 'Load data',
  'unverified-rows': 'Unverified rows',
  configuration: 'Configuration',
  audit: 'Auditing sources',
  operations: 'Operations',
  scaling: 'Scaling',
} as const;

export type Guide = keyof typeof GUIDES;

const isGuide = (name: string): name is Guide => Object.hasOwn(GUIDES, name);

/**
 * Returns a guide as HTML. Links to other guides and to documents that the gateway serves lead to them; those to files of
 * the repository become text. HTML in the guide is shown as text.
 */
export function guidePage(name: Guide): string {
  const ids = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: title }: Tokens.Heading) {
        const slug = slugOf(title);
        const before = ids.get(slug) ?? 0;
        ids.set(slug, before + 1);
        const id = before === 0 ? slug : `${slug}-${before}`;
        return `<h${depth} id="${text(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const content = this.parser.parseInline(tokens);
        const target = targetOf(href);
        return target === undefined ? content : `<a href="${text(target)}">${content}</a>`;
      },
      table({ header, rows }: Tokens.Table) {
        const cells = (row: readonly Tokens.TableCell[]) => row.map(({ tokens }) => this.parser.parseInline(tokens));
        return table(cells(header), rows.map(cells));
      },
      code: ({ text: code }: Tokens.Code) => codeBox(code, 'Code'),
      html: ({ text: markup }: Tokens.HTML | Tokens.Tag) => text(markup),
      image: ({ text: description }: Tokens.Image) => text(description),
    },
  });
  return `<div class="guide">${marked.parse(readFileSync(join(FOLDER, `${name}.md`), 'utf8'), { async: false })}</div>`;
}

/** Returns where a link of a guide leads on the gateway; undefined for files that it does not serve. */
function targetOf(href: string): string | undefined {
  const [, guide, fragment = ''] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (guide !== undefined && isGuide(guide)) return `/docs/${guide}${fragment}`;
  if (href === '../schema.graphql') return '/schema.graphql';
  const local = /^http:\/\/localhost:4000(\/.*)?$/.exec(href);
  if (local) return local[1] ?? '/';
  return /^(#|https:\/\/)/.test(href) ? href : undefined;
}

/** Returns the id that GitHub gives a heading, so that one link works in both places. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
