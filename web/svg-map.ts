import type { MapView, Scene } from './map-view.ts';
import type { Point } from './place-address.ts';
import { type Frame, frameOf, pathOf, project, unproject } from './projection.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** How far the pointer may move during a click, in pixels. */
const CLICK_PIXELS = 4;
/** The height of the sheet that overlaps the map on small screens, in pixels. */
const SHEET_PIXELS = 18;

/**
 * The map of the first HTML, which the browser draws without WebGL: states, the outlines of a scene, and the pin.
 * @param onFrame is called when the user has moved the camera.
 */
export function openSvgMap(
  svg: SVGSVGElement,
  onPick: (at: Point) => void,
  onFrame: (frame: Frame) => void = () => undefined,
): MapView {
  const layer = svg.appendChild(document.createElementNS(SVG, 'g'));
  const [x = 0, y = 0, width = 1, height = 1] = (svg.getAttribute('viewBox') ?? '').split(' ').map(Number);
  let frame: Frame = { x, y, width, height };
  let shown: Frame = frame;

  /** Fits the frame into the element; `--u` is the number of map units of a pixel. */
  function draw(): void {
    const box = svg.getBoundingClientRect();
    if (box.width === 0) return;
    const sheet = matchMedia('(max-width: 68.75rem)').matches ? SHEET_PIXELS : 0;
    const unit = Math.max(frame.width / box.width, frame.height / (box.height - sheet));
    shown = {
      x: frame.x + (frame.width - box.width * unit) / 2,
      y: frame.y + (frame.height - (box.height - sheet) * unit) / 2,
      width: box.width * unit,
      height: box.height * unit,
    };
    svg.setAttribute('viewBox', [shown.x, shown.y, shown.width, shown.height].join(' '));
    svg.style.setProperty('--u', String(unit));
    svg.querySelector('pattern')?.setAttribute('patternTransform', `rotate(45) scale(${unit})`);
    for (const pin of svg.querySelectorAll<SVGElement>('.pin')) {
      pin.setAttribute('transform', `translate(${pin.dataset.x} ${pin.dataset.y}) scale(${unit})`);
    }
    for (const label of svg.querySelectorAll<SVGElement>('text[data-w]')) {
      const { w, full = '', abbr = '' } = label.dataset;
      const pixels = Number(w) / unit;
      label.textContent = pixels > full.length * 8.2 ? full : pixels > 30 ? abbr : '';
    }
  }

  function zoom(factor: number): void {
    const { x: left, y: top, width: across, height: down } = frame;
    frame = {
      x: left + (across * (1 - 1 / factor)) / 2,
      y: top + (down * (1 - 1 / factor)) / 2,
      width: across / factor,
      height: down / factor,
    };
    moved();
  }

  function pan(byX: number, byY: number): void {
    frame = { ...frame, x: frame.x + byX, y: frame.y + byY };
    moved();
  }

  function moved(): void {
    draw();
    onFrame(frame);
  }

  let from: { readonly x: number; readonly y: number; readonly frame: Frame } | undefined;
  svg.addEventListener('pointerdown', (event) => {
    from = { x: event.clientX, y: event.clientY, frame };
  });
  svg.addEventListener('pointermove', (event) => {
    if (!from || event.buttons === 0) return;
    const unit = shown.width / svg.getBoundingClientRect().width;
    frame = {
      ...from.frame,
      x: from.frame.x - (event.clientX - from.x) * unit,
      y: from.frame.y - (event.clientY - from.y) * unit,
    };
    moved();
  });
  svg.addEventListener('pointerup', (event) => {
    const isClick = from && Math.hypot(event.clientX - from.x, event.clientY - from.y) < CLICK_PIXELS;
    from = undefined;
    if (!isClick) return;
    const box = svg.getBoundingClientRect();
    const unit = shown.width / box.width;
    onPick(unproject(shown.x + (event.clientX - box.left) * unit, shown.y + (event.clientY - box.top) * unit));
  });
  svg.addEventListener('keydown', (event) => {
    const step = shown.width / 8;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => pan(-step, 0),
      ArrowRight: () => pan(step, 0),
      ArrowUp: () => pan(0, -step),
      ArrowDown: () => pan(0, step),
      '+': () => zoom(1.5),
      '=': () => zoom(1.5),
      '-': () => zoom(1 / 1.5),
      Enter: () => onPick(unproject(shown.x + shown.width / 2, shown.y + shown.height / 2)),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  });
  const observer = new ResizeObserver(draw);
  observer.observe(svg);
  draw();

  return {
    drawsShapes: true,
    show({ outlines, pin, label }: Scene) {
      svg.setAttribute('aria-label', label);
      const size = outlines.length > 0 ? 3 : 0;
      layer.replaceChildren(
        ...outlines.flatMap(({ shape, css, within }) => {
          if (!shape) return [];
          const path = pathElement(shape, size);
          path.setAttribute('class', css);
          return within ? hatched(path, pathElement(within, size), svg.id) : [path];
        }),
        ...outlines.flatMap(({ name, box, css }) => {
          if (!name || !box) return [];
          const area = frameOf(box);
          const text = document.createElementNS(SVG, 'text');
          text.setAttribute('class', css.includes('old') ? 'cool' : css.includes(' on') ? 'hot' : 'big');
          text.setAttribute('x', String(area.x + area.width / 2));
          text.setAttribute('y', String(area.y + area.height * 0.3));
          text.textContent = name;
          return [text];
        }),
      );
      if (pin) layer.append(pinAt(pin));
      draw();
    },
    fit(box) {
      frame = box;
      draw();
    },
    zoom,
    print(paper) {
      const before = frame;
      frame = paper;
      draw();
      return () => {
        frame = before;
        draw();
      };
    },
    close: () => observer.disconnect(),
  };
}

function pathElement(shape: unknown, decimals: number): SVGPathElement {
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', pathOf(shape, decimals));
  return path;
}

/** Returns a path that is hatched within another. */
function hatched(path: SVGPathElement, within: SVGPathElement, map: string): SVGElement[] {
  const clip = document.createElementNS(SVG, 'clipPath');
  clip.id = `${map}-clip`;
  clip.append(within);
  const pattern = document.createElementNS(SVG, 'pattern');
  pattern.id = `${map}-hatch`;
  for (const [name, value] of Object.entries({ width: '9', height: '9', patternUnits: 'userSpaceOnUse' })) {
    pattern.setAttribute(name, value);
  }
  const line = pattern.appendChild(document.createElementNS(SVG, 'line'));
  line.setAttribute('class', 'hatch-line');
  line.setAttribute('y2', '9');
  path.setAttribute('clip-path', `url(#${clip.id})`);
  path.style.fill = `url(#${pattern.id})`;
  return [clip, pattern, path];
}

function pinAt({ longitude, latitude }: Point): SVGGElement {
  const [x, y] = project([longitude, latitude]);
  const pin = document.createElementNS(SVG, 'g');
  pin.setAttribute('class', 'pin');
  pin.dataset.x = String(x);
  pin.dataset.y = String(y);
  for (const [css, rx, ry] of [
    ['halo', 17, 12.5],
    ['core', 13, 8.5],
  ] as const) {
    const oval = pin.appendChild(document.createElementNS(SVG, 'ellipse'));
    oval.setAttribute('class', css);
    oval.setAttribute('rx', String(rx));
    oval.setAttribute('ry', String(ry));
  }
  return pin;
}
