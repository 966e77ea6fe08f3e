import type { XmlElement } from './xml-file.ts';

/** What a feed says that another system calls the record. */
export interface FeedIdentifier {
  /** `ocd-id`, `fips`, …; of the type `other` that which the feed gives instead. */
  readonly type: string;
  readonly value: string;
}

export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}

/** The text in an element of the name, on one line; undefined when it is empty. */
export function textOf(element: XmlElement, name: string): string | undefined {
  const child = childOf(element, name);
  return child && plain(child);
}

/** The text in English, else the first one, of an element that has one for each language. */
export function localText(element: XmlElement, name: string): string | undefined {
  const child = childOf(element, name);
  if (!child) return undefined;
  const texts = childrenOf(child, 'Text');
  const english = texts.find(({ attributes }) => /^en\b/i.test(attributes.language ?? ''));
  const chosen = english ?? texts[0];
  return chosen ? plain(chosen) : plain(child);
}

/** How many texts are there in other languages than the one that is taken. */
export function otherTexts(element: XmlElement): number {
  const own = childrenOf(element, 'Text').length;
  return Math.max(0, own - 1) + element.children.reduce((sum, child) => sum + otherTexts(child), 0);
}

export function plain(element: XmlElement): string | undefined {
  return element.text.replace(/\s+/g, ' ').trim() || undefined;
}

/** The ids in all elements of the name. */
export function referencesOf(element: XmlElement, name: string): string[] {
  return childrenOf(element, name).flatMap((child) => plain(child)?.split(' ') ?? []);
}

/** `true` and `1`, `false` and `0` of XML; undefined for others. */
export function flagOf(element: XmlElement, name: string): boolean | undefined {
  const text = textOf(element, name);
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}

export function identifiersOf(element: XmlElement): FeedIdentifier[] {
  return childrenOf(element, 'ExternalIdentifiers').flatMap((list) =>
    childrenOf(list, 'ExternalIdentifier').flatMap((each) => {
      const [type, other, value] = [textOf(each, 'Type'), textOf(each, 'OtherType'), textOf(each, 'Value')];
      return value ? [{ type: (type === 'other' && other ? other : (type ?? '')).toLowerCase(), value }] : [];
    }),
  );
}

export function identifierOf(element: XmlElement, type: string): string | undefined {
  return identifiersOf(element).find((each) => each.type === type)?.value;
}
