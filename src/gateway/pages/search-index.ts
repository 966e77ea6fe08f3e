import { dictionary } from '../../base/dictionary.ts';
/** A part of a page of the docs: what is below one heading, as text. */
export interface SearchSection {
  /** The address of the page, with the id of the heading as its fragment where it has one. */
  readonly href: string;
  /** The title of the page. */
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const HEADING = /<h[1-3](?: id="([^"]*)")?>(.*?)<\/h[1-3]>/gs;

/** Returns the sections of a page, in which browsers search: the docs need no server for it. */
export function sectionsOf(path: string, page: string, content: string): SearchSection[] {
  const headings = [...content.matchAll(HEADING)];
  return headings.map(({ 0: whole, 1: id, 2: heading = '', index }, n) => ({
    href: id ? `${path}#${id}` : path,
    page,
    heading: textOf(heading),
    text: textOf(content.slice(index + whole.length, headings[n + 1]?.index)),
  }));
}

const ENTITIES: Readonly<Record<string, string>> = dictionary({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" });

/** Returns the text of HTML that the docs have rendered. */
function textOf(markup: string): string {
  return markup
    .replaceAll(/<\/?(?:code|a|b|em|strong|span)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
