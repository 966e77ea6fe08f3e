/** How far down the window a section is being read: a share of its height, and at least below what stays in place. */
const READING_SHARE = 0.3;
const READING_PIXELS = 120;

/** Marks the link to the section that is being read; at the end of the page that is the last one, however short it is. */
export function markSection(list: Element): void {
  const sections = [...list.querySelectorAll('.section[id]')];
  const isEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1;
  const line = Math.max(innerHeight * READING_SHARE, READING_PIXELS);
  const begun = sections.filter((each) => each.getBoundingClientRect().top < line);
  const current = (isEnd ? sections : begun).at(-1) ?? sections[0];
  for (const link of list.querySelectorAll<HTMLAnchorElement>('.jump a')) {
    if (link.hash === `#${current?.id}`) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}
