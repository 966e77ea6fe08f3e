import { byId } from './dom.ts';
import type { MapView } from './map-view.ts';

/**
 * Lays out the page for paper while it is printed: the maps get the size that they have there, and all people are shown,
 * because nobody can open a list on paper.
 * @param viewsToPrint prepares the maps, and returns them.
 */
export function layOutForPaper(list: HTMLElement, viewsToPrint: () => readonly MapView[]): void {
  let restore: (() => void) | undefined;
  addEventListener('beforeprint', () => {
    restore?.();
    const views = viewsToPrint();
    const closed = [
      ...list.querySelectorAll<HTMLDetailsElement>(
        '.race > details.rest:not([open]), details.people:not([open]), details.lacking:not([open])',
      ),
    ];
    for (const details of closed) details.open = true;
    const restoreViews = views.map((each) => each.print(resizeForPaper));
    restore = () => {
      for (const details of closed) details.open = false;
      for (const restoreView of restoreViews) restoreView();
      restore = undefined;
    };
  });
  addEventListener('afterprint', () => restore?.());
}

/** Gives the map its height on paper, and the width that shows the same part of the world as the screen. */
function resizeForPaper(): () => void {
  const work = byId('work');
  const { width, height } = byId('stage').getBoundingClientRect();
  if (!work.classList.contains('printing')) work.style.setProperty('--shape', String(width / height));
  work.classList.add('printing');
  return () => work.classList.remove('printing');
}
