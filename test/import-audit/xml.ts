/** A small reader of XML for the audit, which shares no code with the importers. */

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const TOKEN =
  /<!--[\s\S]*?-->|<[?!][^>]*>|<\/([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Returns the root element of a document. */
export function readXml(document: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  for (const [, closed, opened, attributes = '', isEmpty, text] of document.matchAll(TOKEN)) {
    const parent = open.at(-1) ?? root;
    if (closed) open.pop();
    else if (opened) {
      const pairs = [...attributes.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)];
      const own = Object.fromEntries(pairs.map(([, name = '', one, other]) => [name, decoded(one ?? other ?? '')]));
      const element = { name: opened, attributes: own, children: [], text: '' };
      parent.children.push(element);
      if (!isEmpty) open.push(element);
    } else if (text) parent.text += decoded(text);
  }
  return root.children[0] ?? root;
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (_, decimal, hex, name) =>
    decimal || hex ? String.fromCodePoint(Number(decimal ?? `0x${hex}`)) : (ENTITIES[name] ?? ''),
  );
}

/** Returns all elements of some names below an element. */
export function within(element: Element, ...names: readonly string[]): Element[] {
  return element.children.flatMap((child) => [
    ...(names.includes(child.name) ? [child] : []),
    ...within(child, ...names),
  ]);
}

/** Returns the text of the first child with a name. */
export function textIn(element: Element | undefined, name: string): string {
  return element?.children.find((child) => child.name === name)?.text.trim() ?? '';
}

/** Returns the first text of a child in several languages. */
export function firstText(element: Element | undefined, name: string): string {
  const child = element?.children.find((each) => each.name === name);
  return (child && textIn(child, 'Text')) || child?.text.trim() || '';
}

/** Returns the identifiers to which a child refers. */
export function idsIn(element: Element, name: string): string[] {
  return element.children
    .filter((child) => child.name === name)
    .flatMap(({ text }) => text.trim().split(/\s+/).filter(Boolean));
}
