import {
  type ExpressionSpecification,
  type LayerSpecification,
  Map as MapLibre,
  Marker,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl';
import { apiKey } from './api.ts';
import type { MapView, Scene } from './map-view.ts';
import type { Camera, Point } from './place-address.ts';
import { type Frame, unproject, WORLD } from './projection.ts';

const FONT = ['Atkinson Hyperlegible Next'];
const LAYER = 'districts';
const LARGEST_TILE_ZOOM = 12;

export interface GlMapOptions {
  readonly onPick: (at: Point) => void;
  /** Is called when the user has moved the camera. */
  readonly onMove: (camera: Camera) => void;
  readonly frame: Frame;
  readonly scene: Scene;
}

/**
 * Opens the moving map, which draws the vector tiles of the gateway.
 * @throws Error if the browser has no WebGL.
 */
export async function openGlMap(container: HTMLElement, options: GlMapOptions): Promise<MapView> {
  setWorkerUrl('/web/maplibre-gl-worker.mjs');
  await document.fonts.load(`13px "${FONT[0]}"`);
  let scene = options.scene;
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
    map.once('error', ({ error }) => reject(error));
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
  const redraw = () => map.setStyle(styleOf(scene));
  const theme = new MutationObserver(redraw);
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const colors = matchMedia('(prefers-color-scheme: dark)');
  colors.addEventListener('change', redraw);

  function show(next: Scene): void {
    scene = next;
    map.setStyle(styleOf(scene));
    canvas.setAttribute('aria-label', scene.label);
    if (scene.pin) marker.setLngLat([scene.pin.longitude, scene.pin.latitude]).addTo(map);
    else marker.remove();
  }
  show(scene);

  return {
    drawsShapes: false,
    show,
    fit: (frame) => {
      const isSmall = matchMedia('(max-width: 68.75rem)').matches;
      const duration = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 150;
      map.fitBounds(boundsOf(frame), { padding: { top: 0, left: 0, right: 0, bottom: isSmall ? 18 : 0 }, duration });
    },
    zoom: (factor) => map.zoomTo(map.getZoom() + Math.log2(factor), { duration: 150 }, { isByButton: true }),
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
function styleOf({ day, outlines }: Scene): StyleSpecification {
  const tokens = getComputedStyle(document.documentElement);
  const color = (name: string) => tokens.getPropertyValue(name).trim();
  const chosen = outlines.find(({ css }) => css.includes(' on'));
  const layerOf = (id: string, type: string, from = day) => ({ id, source: `${type}/${from}`, 'source-layer': LAYER });
  const sources = new Set([
    ...['STATE', 'COUNTY'].map((type) => `${type}/${day}`),
    ...outlines.map((outline) => `${outline.type}/${outline.day ?? day}`),
  ]);
  const isIn = (databaseId: number): ExpressionSpecification => ['==', ['id'], databaseId];
  const lines = outlines
    .filter((outline) => outline !== chosen)
    .map(
      ({ databaseId, type, css }, index): LayerSpecification => ({
        ...layerOf(`outline-${index}`, type),
        type: 'line',
        filter: isIn(databaseId),
        paint: {
          'line-color': color('--ink'),
          'line-width': 1.6,
          'line-dasharray': css.includes('county') ? [4.4, 2.5] : [1.25, 1.9],
        },
      }),
    );
  const chosenLayers: LayerSpecification[] = chosen
    ? [
        ...(chosen.type === 'STATE' || chosen.type === 'COUNTY'
          ? []
          : [
              {
                ...layerOf('others', chosen.type, chosen.day),
                type: 'line' as const,
                minzoom: 5,
                paint: { 'line-color': color('--map-county'), 'line-width': 1.2 },
              },
            ]),
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
    : [];
  return {
    version: 8,
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
      labels: { type: 'geojson', data: labelsOf(outlines) },
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
      {
        id: 'labels',
        type: 'symbol',
        source: 'labels',
        layout: {
          'text-field': ['get', 'name'],
          'text-font': FONT,
          'text-size': ['case', ['get', 'isLarge'], 15, 13],
          'text-max-width': 12,
        },
        paint: {
          'text-color': [
            'case',
            ['get', 'isChosen'],
            color('--accent'),
            ['get', 'isLarge'],
            color('--ink'),
            color('--map-label'),
          ],
          'text-halo-color': color('--map-halo'),
          'text-halo-width': 2,
        },
      },
    ],
  };
}

/** Returns the names on the map as points: those of the states from the first map of the page, and of the outlines. */
function labelsOf(outlines: Scene['outlines']): GeoJSON.FeatureCollection {
  const at = (longitude: number, latitude: number, properties: object): GeoJSON.Feature => ({
    type: 'Feature',
    properties: properties as GeoJSON.GeoJsonProperties,
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
  });
  const states = [...document.querySelectorAll<SVGTextElement>('#states text')].map((text) => {
    const { longitude, latitude } = unproject(Number(text.getAttribute('x')), Number(text.getAttribute('y')));
    return at(longitude, latitude, { name: text.dataset.full, isLarge: false, isChosen: false });
  });
  const districts = outlines.flatMap(({ name, box, css }) =>
    name && box
      ? [
          at((box.west + box.east) / 2, box.south + (box.north - box.south) * 0.7, {
            name,
            isLarge: true,
            isChosen: css.includes(' on'),
          }),
        ]
      : [],
  );
  return { type: 'FeatureCollection', features: [...states, ...districts] };
}
