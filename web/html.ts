/** HTML that is safe to insert: all values in it are escaped. */
export interface Html {
  readonly markup: string;
}

/** What a template takes: texts are escaped, lists are joined, and nothing stands for null, undefined and false. */
export type Part = Html | string | number | null | undefined | false | readonly Part[];

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

function markupOf(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (Array.isArray(part)) return part.map(markupOf).join('');
  if (typeof part === 'object' && 'markup' in part) return part.markup;
  return String(part).replace(/[&<>"']/g, (character) => ESCAPES.get(character) ?? '');
}

/** Template tag that escapes its values. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: texts.reduce((before, text, index) => before + markupOf(parts[index - 1]) + text) };
}

/**
 * Replaces the content of an element. A control that has the focus keeps it if the new content has the same control;
 * otherwise the first heading there gets it, because without the focus the next key would act on the top of the page.
 * The content security policy forbids style attributes: `data-css` has the custom properties of an element instead,
 * which are set here.
 */
export function fill(element: Element, content: Html): void {
  const { activeElement } = element.getRootNode() as Document | ShadowRoot;
  const focused = element.contains(activeElement) ? (activeElement as HTMLElement | null) : null;
  element.innerHTML = content.markup;
  if (focused && !focused.isConnected) {
    const same = (each: HTMLElement) => each.id === focused.id && sameValues(each.dataset, focused.dataset);
    const controls =
      focused.id || focused.dataset.action ? element.querySelectorAll<HTMLElement>(focused.localName) : [];
    focusOn([...controls].find(same) ?? element.querySelector<HTMLElement>('h1, h2, h3'));
  }
  for (const styled of element.querySelectorAll<HTMLElement | SVGElement>('[data-css]')) {
    styled.style.cssText = styled.dataset.css ?? '';
  }
}

const sameValues = (one: DOMStringMap, other: DOMStringMap) => JSON.stringify(one) === JSON.stringify(other);

/** Gives an element the focus, also one that the Tab key leaves out, and does not scroll to it. */
export function focusOn(element: HTMLElement | null): void {
  if (element && element.tabIndex < 0) element.tabIndex = -1;
  element?.focus({ preventScroll: true });
}

/** Returns the element of the page with an id. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}`);
  return found as E;
}
