import { boxWithin, controlsOn, type MapView, overlaps, type Rectangle, type Scene, SMALL_SCREEN } from './map-view.ts';
import type { Point } from './place-address.ts';
import { type Frame, pathOf, project, unproject, WORLD } from './projection.ts';

const SVG = 'http://www.w3.org/2000/svg';
/** How far the pointer may move during a click, in pixels. */
const CLICK_PIXELS = 4;
/** The height of the sheet that overlaps the map on small screens, in pixels. */
const SHEET_PIXELS = 18;

/** How far the points are from each other where the map is searched for room for names, in pixels. */
const NAME_PIXELS = 32;
/** How long the map rests before its names are placed anew, in milliseconds. */
const REST_MS = 100;

interface NamedPath {
  readonly name: string;
  readonly css: string;
  readonly path: SVGPathElement;
}

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
  const names = document.createElementNS(SVG, 'g');
  let named: NamedPath[] = [];
  let naming: ReturnType<typeof setTimeout> | undefined;
  const [x = 0, y = 0, width = 1, height = 1] = (svg.getAttribute('viewBox') ?? '').split(' ').map(Number);
  let frame: Frame = { x, y, width, height };
  let shown: Frame = frame;

  /** Fits the frame into the element; `--u` is the number of map units of a pixel. */
  function draw(): void {
    const box = svg.getBoundingClientRect();
    if (box.width === 0) return;
    const sheet = matchMedia(SMALL_SCREEN).matches ? SHEET_PIXELS : 0;
    const unit = Math.max(frame.width / box.width, frame.height / (box.height - sheet));
    shown = {
      x: frame.x + (frame.width - box.width * unit) / 2,
      y: frame.y + (frame.height - (box.height - sheet) * unit) / 2,
      width: box.width * unit,
      height: box.height * unit,
    };
    svg.setAttribute('viewBox', [shown.x, shown.y, shown.width, shown.height].join(' '));
    svg.style.setProperty('--u', String(unit));
    for (const pattern of svg.querySelectorAll<SVGElement>('pattern')) {
      pattern.setAttribute('patternTransform', `rotate(${pattern.dataset.angle}) scale(${unit})`);
    }
    for (const pin of svg.querySelectorAll<SVGElement>('.pin')) {
      pin.setAttribute('transform', `translate(${pin.dataset.x} ${pin.dataset.y}) scale(${unit})`);
    }
    for (const label of svg.querySelectorAll<SVGElement>('text[data-w]')) {
      const { w, full = '', abbr = '' } = label.dataset;
      const pixels = Number(w) / unit;
      label.textContent = pixels > full.length * 8.2 ? full : pixels > 30 ? abbr : '';
    }
    clearTimeout(naming);
    naming = setTimeout(placeNames, REST_MS);
  }

  /** Hides the names of states that are under buttons, and names the outlines, each in the middle of what is seen of it, those of the point first; where there is no room, not at all. */
  function placeNames(): void {
    clearTimeout(naming);
    const box = svg.getBoundingClientRect();
    if (box.width === 0) return;
    const unit = shown.width / box.width;
    const pin = layer.querySelector<SVGElement>('.pin');
    const taken = controlsOn(svg);
    for (const label of svg.querySelectorAll<SVGElement>('text[data-w]')) {
      const area = boxWithin(label, box);
      label.style.visibility = taken.some((other) => overlaps(area, other)) ? 'hidden' : '';
    }
    if (pin) {
      const [x, y] = [(Number(pin.dataset.x) - shown.x) / unit, (Number(pin.dataset.y) - shown.y) / unit];
      taken.push({ left: x - 20, top: y - 16, right: x + 20, bottom: y + 16 });
    }
    const points: [number, number][] = [];
    for (let x = NAME_PIXELS; x < box.width - NAME_PIXELS / 2; x += NAME_PIXELS) {
      for (let y = NAME_PIXELS; y < box.height - NAME_PIXELS / 2; y += NAME_PIXELS) points.push([x, y]);
    }
    const isOwn = ({ css }: NamedPath) => css.startsWith('m-d');
    const texts = [...named.filter(isOwn), ...named.filter((each) => !isOwn(each))].flatMap(({ name, css, path }) => {
      const inside = pointsIn(path, points, ([x, y]) => new DOMPoint(shown.x + x * unit, shown.y + y * unit));
      const half = (name.length * (css === 'm-county' ? 7 : 8.4)) / 2;
      const around = ([x, y]: [number, number]): Rectangle => ({
        left: x - half,
        top: y - 12,
        right: x + half,
        bottom: y + 8,
      });
      const place = nearestToMean(inside).find((point) => {
        const area = around(point);
        return area.left > 0 && area.right < box.width && !taken.some((other) => overlaps(area, other));
      });
      if (!place) return [];
      taken.push(around(place));
      const text = document.createElementNS(SVG, 'text');
      text.setAttribute(
        'class',
        css.includes('old') ? 'cool' : css.includes(' on') ? 'hot' : css === 'm-county' ? '' : 'big',
      );
      text.setAttribute('x', String(shown.x + place[0] * unit));
      text.setAttribute('y', String(shown.y + place[1] * unit));
      text.textContent = name;
      return [text];
    });
    names.replaceChildren(...texts);
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
    const moves = new Map<string, () => void>(
      Object.entries({
        ArrowLeft: () => pan(-step, 0),
        ArrowRight: () => pan(step, 0),
        ArrowUp: () => pan(0, -step),
        ArrowDown: () => pan(0, step),
        '+': () => zoom(1.5),
        '=': () => zoom(1.5),
        '-': () => zoom(1 / 1.5),
        Enter: () => onPick(unproject(shown.x + shown.width / 2, shown.y + shown.height / 2)),
      }),
    );
    const move = moves.get(event.key);
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
      named = [];
      layer.replaceChildren(
        ...outlines.flatMap(({ shape, css, outside, name }) => {
          if (!shape) return [];
          const path = pathElement(shape, size);
          path.setAttribute('class', css);
          if (name) named.push({ name, css, path });
          return outside === undefined ? [path] : hatched(path, outside ? pathOf(outside, size) : '', svg.id);
        }),
        names,
      );
      if (pin) layer.append(pinAt(pin));
      draw();
      placeNames();
    },
    fit(box) {
      frame = box;
      draw();
    },
    zoom,
    print(resize) {
      const restoreSize = resize();
      draw();
      placeNames();
      return () => {
        restoreSize();
        draw();
      };
    },
    close() {
      observer.disconnect();
      clearTimeout(naming);
    },
  };
}

/** Returns those points of the window that are in the area of a path. */
function pointsIn(
  path: SVGPathElement,
  points: readonly [number, number][],
  onMap: (point: [number, number]) => DOMPoint,
): [number, number][] {
  const { x, y, width, height } = path.getBBox();
  return points.filter((point) => {
    const at = onMap(point);
    return at.x > x && at.x < x + width && at.y > y && at.y < y + height && path.isPointInFill(at);
  });
}

/** Returns points in the order of their distance from the mean of all. */
function nearestToMean(points: readonly [number, number][]): [number, number][] {
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const distance = (point: [number, number]) => Math.hypot(point[0] - x, point[1] - y);
  return [...points].sort((one, other) => distance(one) - distance(other));
}

function pathElement(shape: unknown, decimals: number): SVGPathElement {
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', pathOf(shape, decimals));
  return path;
}

/** The directions of the lines that fill what a district lost and gained, in degrees. */
const ANGLES: ReadonlyMap<string, number> = new Map([
  ['m-lost', 45],
  ['m-gained', -45],
]);

/** Returns a path that is hatched outside another one. */
function hatched(path: SVGPathElement, outside: string, map: string): SVGElement[] {
  const css = path.getAttribute('class') ?? '';
  const clip = document.createElementNS(SVG, 'clipPath');
  clip.id = `${map}-clip`;
  const others = clip.appendChild(document.createElementNS(SVG, 'path'));
  others.setAttribute('d', `M0 0H${WORLD}V${WORLD}H0Z${outside}`);
  others.setAttribute('clip-rule', 'evenodd');
  const pattern = document.createElementNS(SVG, 'pattern');
  pattern.id = `${map}-hatch`;
  pattern.dataset.angle = String(ANGLES.get(css));
  for (const [name, value] of Object.entries({ width: '9', height: '9', patternUnits: 'userSpaceOnUse' })) {
    pattern.setAttribute(name, value);
  }
  const line = pattern.appendChild(document.createElementNS(SVG, 'line'));
  line.setAttribute('class', `hatch-line ${css}`);
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
