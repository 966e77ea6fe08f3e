import { render, type TemplateResult } from 'lit-html';

/** What a function renders; '' is nothing. */
export type Html = TemplateResult | '';

/** Returns whether a text may be the address of a link: no script is. */
export const isWebsite = (url: string | null | undefined): url is string => /^https?:\/\//.test(url ?? '');

/** The elements whose content is rendered. */
const rendered = new WeakSet<Element | ShadowRoot>();

/**
 * Renders into an element, of which all stays that is in the old and the new content. If what has the focus does not stay,
 * the first heading gets it, because without the focus the next key would act on the top of the page.
 */
export function fill(element: Element | ShadowRoot, content: Html | readonly Node[]): void {
  const root = element.getRootNode() as Document | ShadowRoot;
  const focused = element.contains(root.activeElement) ? root.activeElement : null;
  // The content that came with the page is none of the renderer's.
  if (!rendered.has(element)) element.replaceChildren();
  rendered.add(element);
  render(content, element as HTMLElement | ShadowRoot);
  if (focused && !focused.isConnected) {
    focusOn(element.querySelector<HTMLElement>('h1, h2, h3') ?? root.querySelector<HTMLElement>('h1'));
  }
}

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
