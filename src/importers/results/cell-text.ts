import { dictionary } from '../../base/dictionary.ts';

const ENTITIES: Readonly<Record<string, string>> = dictionary({
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  nbsp: ' ',
});

/** Returns a text without what is left of a page of HTML (`Miguel &quot;Mike&quot; Roe`, `<br>`), and with single spaces. */
export function plainText(text: string): string {
  const decoded =
    text.includes('&') || text.includes('<')
      ? text
          .replace(/<\/?(?:br|p|b|i|em|strong|span|div)\s*\/?>/gi, ' ')
          .replace(/&(#x?[\da-f]{1,6}|[a-z]+);/gi, (entity, name: string) => characterOf(name) ?? entity)
      : text;
  return decoded.replace(/\s+/g, ' ').trim();
}

function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()];
  const code = Number(`0${name.slice(1)}`);
  return code >= 32 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** Returns a number without a fraction of zero, as spreadsheets write it: `4.0` is 4. */
export const withoutFraction = (text: string): string => text.replace(/\.0+$/, '');
