import type { XmlElement } from './xml-file.ts';

/** An identifier that another system uses for the record. */
export interface FeedIdentifier {
  /** `ocd-id`, `fips`, …; for the type `other`, the name that the feed gives. */
  readonly type: string;
  readonly value: string;
}

export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}

/** Returns the text in the child element of that name, on one line; undefined if it is empty. */
export function textOf(element: XmlElement, name: string): string | undefined {
  const child = childOf(element, name);
  return child && plain(child);
}

/** Returns the text of an `xs:date` without its time zone, which it may have: `2024-11-05Z`, `2024-11-05-05:00`. */
export function dateOf(element: XmlElement, name: string): string | undefined {
  return textOf(element, name)?.replace(/^(\d{4}-\d{2}-\d{2})(Z|[+-]\d{2}:\d{2})$/, '$1');
}

/** Returns the English text of an element that has one text per language, otherwise the first one. */
export function localText(element: XmlElement, name: string): string | undefined {
  const child = childOf(element, name);
  if (!child) return undefined;
  const texts = childrenOf(child, 'Text');
  const english = texts.find(({ attributes }) => /^en\b/i.test(attributes.language ?? ''));
  const chosen = english ?? texts[0];
  return chosen ? plain(chosen) : plain(child);
}

/** Returns the name by which an element shows what it is of: that of a candidate, a person, a district, an office or a contest. */
export function nameOf(element: XmlElement): string {
  const named = ['BallotName', 'FullName', 'Name', 'BallotTitle'].map((name) => localText(element, name));
  return named.find(Boolean) ?? [textOf(element, 'FirstName'), textOf(element, 'LastName')].filter(Boolean).join(' ');
}

/** Returns the number of texts in languages other than the one that is used. */
export function otherTexts(element: XmlElement): number {
  const own = childrenOf(element, 'Text').length;
  return Math.max(0, own - 1) + element.children.reduce((sum, child) => sum + otherTexts(child), 0);
}

export function plain(element: XmlElement): string | undefined {
  return element.text.replace(/\s+/g, ' ').trim() || undefined;
}

/** Returns the ids in all child elements of that name. */
export function referencesOf(element: XmlElement, name: string): string[] {
  return childrenOf(element, name).flatMap((child) => plain(child)?.split(' ') ?? []);
}

/** Returns the boolean of the XML values `true` and `1`, `false` and `0`; undefined for others. */
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
