import {
  type ExpressionSpecification,
  type GeoJSONSource,
  type LayerSpecification,
  Map as MapLibre,
  Marker,
  type StyleSpecification,
  type SymbolLayerSpecification,
  setWorkerUrl,
} from 'maplibre-gl';
import { apiKey, NoAnswer } from './api.ts';
import { controlsOn, type MapView, overlaps, type Scene, SMALL_SCREEN } from './map-view.ts';
import type { Camera, Point } from './place-address.ts';
import { type Frame, unproject, WORLD } from './projection.ts';

const FONT = ['Atkinson Hyperlegible Next'];
/** The bold style of the font: MapLibre takes the weight from the first name, and browsers ignore a font that they do not have. */
const BOLD_FONT = ['Bold', ...FONT];
const LAYER = 'districts';
const LARGEST_TILE_ZOOM = 12;
/** The layers of the areas that have names on the map; nothing of them is drawn. */
const AREAS = 'areas-';
/** How far the points are from each other where the map is searched for districts to name, in pixels. */
const NAME_PIXELS = 48;
/** How far from the pin names are, upwards and downwards, in pixels. */
const PIN_PIXELS = 36;
/** How far below the pin the name of an area is that it hides, in units of the size of text. */
const BELOW_PIN: [number, number] = [0, 1.8];
/** How long the camera moves, in milliseconds. */
const MOVE_MS = 150;
/** Half of the width of a letter, and of the height of a text, in pixels. */
const HALF_TEXT = [4, 10] as const;

/** The names of states and of districts, as points. */
interface Texts {
  readonly labels: GeoJSON.FeatureCollection;
  readonly names: GeoJSON.FeatureCollection;
}
const NOTHING: GeoJSON.FeatureCollection = { type: 'FeatureCollection', features: [] };
const NO_TEXTS: Texts = { labels: NOTHING, names: NOTHING };

export interface GlMapOptions {
  readonly onPick: (at: Point) => void;
  /** Is called when the user has moved the camera. */
  readonly onMove: (camera: Camera) => void;
  readonly frame: Frame;
  readonly scene: Scene;
}

/**
 * Opens the moving map, which draws the vector tiles of the gateway.
 * @throws NoAnswer if the key does not include the tiles, another error if the browser has no WebGL.
 */
export async function openGlMap(container: HTMLElement, options: GlMapOptions): Promise<MapView> {
  setWorkerUrl('/web/maplibre-gl-worker.mjs');
  await document.fonts.load(`13px "${FONT[0]}"`);
  let scene = options.scene;
  let texts = NO_TEXTS;
  let isNamed = true;
  const map = new MapLibre({
    container,
    style: styleOf(scene),
    bounds: boundsOf(options.frame),
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    maxZoom: 17,
    transformRequest: (url) => (url.includes('/tiles/') ? { url, headers: { 'x-api-key': apiKey() ?? '' } } : { url }),
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  await new Promise<void>((resolve, reject) => {
    map.once('load', () => resolve());
    map.on('error', ({ error }) => {
      const status = 'status' in error ? Number(error.status) : undefined;
      if (status === 401 || status === 403) reject(new NoAnswer('key', 'The key does not include the map.'));
      // A tile that is missing for another reason leaves a gap until the map is moved.
      else if (status === undefined && !map.loaded()) reject(error);
    });
  }).catch((error) => {
    map.remove();
    throw error;
  });
  const marker = new Marker({ element: pinElement() });
  const canvas = map.getCanvas();
  map.on('click', ({ lngLat }) => options.onPick({ latitude: lngLat.lat, longitude: lngLat.lng }));
  map.on('moveend', (event) => {
    if (!event.originalEvent && !('isByButton' in event)) return;
    const { lat, lng } = map.getCenter();
    options.onMove({ latitude: lat, longitude: lng, zoom: map.getZoom() });
  });
  canvas.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    const { lat, lng } = map.getCenter();
    options.onPick({ latitude: lat, longitude: lng });
  });
  map.on('move', () => {
    isNamed = false;
  });
  map.on('idle', () => {
    if (isNamed) return;
    isNamed = true;
    texts = textsOf(map, scene);
    map.getSource<GeoJSONSource>('names')?.setData(texts.names);
    map.getSource<GeoJSONSource>('labels')?.setData(texts.labels);
    const seen = texts.names.features.map(({ properties }) => properties?.name);
    if (seen.length > 0) canvas.setAttribute('aria-description', `On the map: ${seen.join(', ')}`);
    else canvas.removeAttribute('aria-description');
  });
  const redraw = () => map.setStyle(styleOf(scene, texts));
  const theme = new MutationObserver(redraw);
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const colors = matchMedia('(prefers-color-scheme: dark)');
  colors.addEventListener('change', redraw);

  function show(next: Scene): void {
    scene = next;
    isNamed = false;
    map.setStyle(styleOf(scene, texts));
    canvas.setAttribute('aria-label', scene.label);
    if (scene.pin) marker.setLngLat([scene.pin.longitude, scene.pin.latitude]).addTo(map);
    else marker.remove();
  }
  show(scene);

  let finish = () => {};
  /** Moves the camera: at once if the visitor prefers less motion. */
  function move(to: (duration: number) => unknown): void {
    finish = () => void to(0);
    to(matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : MOVE_MS);
  }

  return {
    drawsShapes: false,
    show,
    fit(frame) {
      const isSmall = matchMedia(SMALL_SCREEN).matches;
      move((duration) =>
        map.fitBounds(boundsOf(frame), { padding: { top: 0, left: 0, right: 0, bottom: isSmall ? 18 : 0 }, duration }),
      );
    },
    print(resize) {
      if (map.isMoving()) finish();
      const [center, zoom, seen] = [map.getCenter(), map.getZoom(), map.getBounds()];
      const { documentElement } = document;
      const { theme: chosen } = documentElement.dataset;
      // Paper is white.
      documentElement.dataset.theme = 'light';
      map.setStyle(styleOf(scene, texts));
      const restoreSize = resize();
      map.resize();
      map.fitBounds(seen, { duration: 0 });
      map.redraw();
      // What WebGL has drawn is not on paper until it has been on the screen; a copy of it is.
      const copy = document.createElement('canvas');
      copy.className = 'gl-copy';
      [copy.width, copy.height] = [canvas.width, canvas.height];
      copy.getContext('2d')?.drawImage(canvas, 0, 0);
      canvas.after(copy);
      if (chosen === undefined) delete documentElement.dataset.theme;
      else documentElement.dataset.theme = chosen;
      return () => {
        restoreSize();
        copy.remove();
        redraw();
        map.resize();
        map.jumpTo({ center, zoom });
      };
    },
    zoom(factor) {
      const zoom = map.getZoom() + Math.log2(factor);
      move((duration) => map.zoomTo(zoom, { duration }, { isByButton: true }));
    },
    close() {
      theme.disconnect();
      colors.removeEventListener('change', redraw);
      map.remove();
    },
  };
}

function boundsOf({ x, y, width, height }: Frame): [number, number, number, number] {
  const limit = (unit: number) => Math.max(0, Math.min(WORLD, unit));
  const [northWest, southEast] = [unproject(limit(x), limit(y)), unproject(limit(x + width), limit(y + height))];
  return [northWest.longitude, southEast.latitude, southEast.longitude, northWest.latitude];
}

function pinElement(): HTMLElement {
  const pin = document.createElement('div');
  pin.className = 'gl-pin';
  pin.setAttribute('aria-hidden', 'true');
  return pin;
}

/** Returns the style of the map for a scene, with the colors of the page. */
function styleOf({ day, outlines, pin }: Scene, { labels, names } = NO_TEXTS): StyleSpecification {
  const tokens = getComputedStyle(document.documentElement);
  const color = (name: string) => tokens.getPropertyValue(name).trim();
  const chosen = outlines.find(({ css }) => css.includes(' on'));
  const layerOf = (id: string, type: string, from = day) => ({ id, source: `${type}/${from}`, 'source-layer': LAYER });
  // Around a town of which only a point is known, one looks for the own district.
  const isAround = outlines.length === 0 && pin !== undefined;
  const sources = new Set([
    ...['STATE', 'COUNTY', ...(isAround ? ['CONGRESS'] : [])].map((type) => `${type}/${day}`),
    ...outlines.map((outline) => `${outline.type}/${outline.day ?? day}`),
  ]);
  const areas =
    outlines.length > 0 || isAround ? [...sources].filter((source) => !/^(COUNTRY|STATE)\//.test(source)) : [];
  const isChosen: ExpressionSpecification = ['==', ['get', 'id'], chosen?.databaseId ?? 0];
  const isIn = (databaseId: number): ExpressionSpecification => ['==', ['id'], databaseId];
  const label = (
    id: string,
    from: Omit<SymbolLayerSpecification, 'id' | 'type'>,
    look: { size: number; color: string; font?: string[] },
  ): SymbolLayerSpecification => ({
    ...from,
    id,
    type: 'symbol',
    layout: {
      'text-field': ['get', 'name'],
      'text-font': look.font ?? FONT,
      'text-size': look.size,
      'text-max-width': 12,
      'text-offset': ['case', ['has', 'isBelow'], ['literal', BELOW_PIN], ['literal', [0, 0]]],
    },
    paint: {
      'text-color': look.color,
      'text-halo-color': color('--map-halo'),
      'text-halo-width': 2,
    },
  });
  const lines = outlines
    .filter((outline) => outline !== chosen)
    .map(
      ({ databaseId, type, css, day: from }, index): LayerSpecification => ({
        ...layerOf(`outline-${index}`, type, from),
        type: 'line',
        filter: isIn(databaseId),
        paint: {
          'line-color': color('--ink'),
          'line-width': 1.6,
          ...(!css.includes('precinct') && { 'line-dasharray': css.includes('county') ? [4.4, 2.5] : [1.25, 1.9] }),
        },
      }),
    );
  const others = (type: string, from?: string): LayerSpecification[] => [
    {
      ...layerOf('others', type, from),
      type: 'line',
      minzoom: 5,
      paint: { 'line-color': color('--map-county'), 'line-width': 1.2 },
    },
  ];
  const chosenLayers: LayerSpecification[] = chosen
    ? [
        ...(chosen.type === 'STATE' || chosen.type === 'COUNTY' ? [] : others(chosen.type, chosen.day)),
        {
          ...layerOf('chosen-area', chosen.type, chosen.day),
          type: 'fill',
          filter: isIn(chosen.databaseId),
          paint: {
            'fill-color': color('--map-pick'),
            'fill-opacity': Number(color('--map-fill')),
            'fill-antialias': false,
          },
        },
      ]
    : isAround
      ? others('CONGRESS')
      : [];
  return {
    version: 8,
    transition: { duration: 0, delay: 0 },
    sources: {
      ...Object.fromEntries(
        [...sources].map((source) => [
          source,
          {
            type: 'vector' as const,
            tiles: [`${location.origin}/tiles/${source}/{z}/{x}/{y}.pbf`],
            maxzoom: LARGEST_TILE_ZOOM,
          },
        ]),
      ),
      labels: { type: 'geojson', data: labels },
      names: { type: 'geojson', data: names },
    },
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': color('--map-void') } },
      {
        ...layerOf('states', 'STATE'),
        type: 'fill',
        paint: { 'fill-color': color('--map-land'), 'fill-antialias': false },
      },
      {
        ...layerOf('county-lines', 'COUNTY'),
        type: 'line',
        minzoom: 5,
        paint: { 'line-color': color('--map-county'), 'line-width': 1 },
      },
      ...areas.map(
        (source): LayerSpecification => ({
          id: AREAS + source,
          source,
          'source-layer': LAYER,
          type: 'fill',
          paint: { 'fill-opacity': 0 },
        }),
      ),
      ...chosenLayers,
      {
        ...layerOf('state-lines', 'STATE'),
        type: 'line',
        paint: { 'line-color': color('--map-state'), 'line-width': 1.4 },
      },
      ...(chosen
        ? [
            {
              ...layerOf('chosen-line', chosen.type, chosen.day),
              type: 'line' as const,
              filter: isIn(chosen.databaseId),
              paint: { 'line-color': color('--accent'), 'line-width': 3 },
            },
          ]
        : []),
      ...lines,
      // Of two labels in one place, the map draws that of the later layer.
      label('state-labels', { source: 'labels' }, { size: 13, color: color('--map-label') }),
      label(
        'district-labels',
        { source: 'names', filter: ['!=', ['get', 'isOwn'], true] },
        { size: 13, color: color('--map-label') },
      ),
      label(
        'own-labels',
        { source: 'names', filter: ['all', ['==', ['get', 'isOwn'], true], ['!', isChosen]] },
        { size: 15, font: BOLD_FONT, color: color('--ink') },
      ),
      label(
        'chosen-label',
        { source: 'names', filter: isChosen },
        { size: 15, font: BOLD_FONT, color: color('--accent') },
      ),
    ],
  };
}

/** Returns the names of the states as points, which are those of the first map of the page. */
function stateLabels(): GeoJSON.FeatureCollection {
  const features = [...document.querySelectorAll<SVGTextElement>('#states text')].map((text): GeoJSON.Feature => {
    const { longitude, latitude } = unproject(Number(text.getAttribute('x')), Number(text.getAttribute('y')));
    return {
      type: 'Feature',
      properties: { name: text.dataset.full },
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    };
  });
  return { type: 'FeatureCollection', features };
}

type IsCovered = (text: string, at: { readonly x: number; readonly y: number }) => boolean;

/** Returns the texts that are not under the buttons on the map. */
function textsOf(map: MapLibre, scene: Scene): Texts {
  const controls = controlsOn(map.getContainer());
  const isCovered: IsCovered = (text, { x, y }) => {
    const [acrossHalf, downHalf] = [text.length * HALF_TEXT[0], HALF_TEXT[1]];
    const area = { left: x - acrossHalf, top: y - downHalf, right: x + acrossHalf, bottom: y + downHalf };
    return controls.some((each) => overlaps(area, each));
  };
  const { type, features } = stateLabels();
  const seen = features.filter(({ properties, geometry }) => {
    return !isCovered(
      String(properties?.name),
      map.project((geometry as GeoJSON.Point).coordinates as [number, number]),
    );
  });
  return { labels: { type, features: seen }, names: namesOf(map, scene, isCovered) };
}

/**
 * Returns the names of the districts that are seen, each in the middle of what is seen of it, and clear of the pin and of
 * the buttons.
 */
function namesOf(map: MapLibre, { pin, outlines }: Scene, isCovered: IsCovered): GeoJSON.FeatureCollection {
  const layers = map.getLayersOrder().filter((id) => id.startsWith(AREAS));
  if (!pin || layers.length === 0) return NOTHING;
  const { clientWidth, clientHeight } = map.getCanvas();
  const at = map.project([pin.longitude, pin.latitude]);
  const seen = new Map<number, { name: string; points: [number, number][] }>();
  const look = (x: number, y: number) => {
    for (const { id, properties } of map.queryRenderedFeatures([x, y], { layers })) {
      if (isCovered(String(properties.name), { x, y })) continue;
      const district = seen.get(Number(id)) ?? { name: String(properties.name), points: [] };
      seen.set(Number(id), district);
      district.points.push([x, y]);
    }
  };
  for (let x = NAME_PIXELS * 1.5; x < clientWidth - NAME_PIXELS; x += NAME_PIXELS) {
    for (let y = NAME_PIXELS / 2; y < clientHeight - NAME_PIXELS / 2; y += NAME_PIXELS) {
      if (Math.abs(x - at.x) > NAME_PIXELS * 1.5 || Math.abs(y - at.y) > PIN_PIXELS) look(x, y);
    }
  }
  const own = new Set(outlines.map(({ databaseId }) => databaseId));
  const features = [...seen].map(([id, { name, points }]): GeoJSON.Feature => {
    const mean = [0, 1].map((axis) => points.reduce((sum, point) => sum + (point[axis] ?? 0), 0) / points.length);
    const distance = ([x, y]: [number, number]) => Math.hypot(x - (mean[0] ?? 0), y - (mean[1] ?? 0));
    const middle = points.reduce((one, other) => (distance(other) < distance(one) ? other : one));
    const { lng, lat } = map.unproject(middle);
    const isOwn = own.has(id);
    return {
      type: 'Feature',
      properties: { id, isOwn, name: isOwn ? name : name.replace(/ County$/, '') },
      geometry: { type: 'Point', coordinates: [lng, lat] },
    };
  });
  // An area that is hidden by the pin is named below it.
  const hidden = outlines.filter(
    ({ databaseId, type }) => !seen.has(databaseId) && type !== 'COUNTRY' && type !== 'STATE',
  );
  for (const { databaseId, name } of hidden.slice(-1)) {
    features.push({
      type: 'Feature',
      properties: { id: databaseId, isOwn: true, name, isBelow: true },
      geometry: { type: 'Point', coordinates: [pin.longitude, pin.latitude] },
    });
  }
  return { type: 'FeatureCollection', features };
}
