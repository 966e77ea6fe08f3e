/** What the page shows. Its fragment holds it, which browsers send to nobody. */
export interface PlaceAddress {
  readonly at?: Point;
  /** The `databaseId` of the district whose area is shown, if there is no point. */
  readonly area?: number;
  /** The ZIP code whose area is shown, if there is neither a point nor a district. */
  readonly zip?: string;
  /** What the field shows. */
  readonly name?: string;
  /** The day of districts and people; today if absent. */
  readonly on?: string;
  /** The day of the ballot. */
  readonly ballot?: string;
  /** The `databaseId` of the district that is chosen on the map. */
  readonly d?: number;
  /** The language of deadlines, as a tag; that of the browser if absent. */
  readonly lang?: string;
  /** The second day of a comparison. */
  readonly vs?: string;
  readonly map?: Camera;
}

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

export interface Camera extends Point {
  readonly zoom: number;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Reads a fragment; unknown and broken parts are ignored. */
export function readAddress(fragment: string): PlaceAddress {
  const parts = new URLSearchParams(fragment.replace(/^#/, ''));
  const day = (name: string) => {
    const text = parts.get(name) ?? '';
    return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
  };
  const [zoom, ...center] = (parts.get('map') ?? '').split('/');
  const point = readPoint(parts.get('at') ?? '');
  const middle = readPoint(center.join(','));
  const number = (name: string) => {
    const value = Number(parts.get(name));
    return Number.isInteger(value) && value > 0 && value < 2 ** 31 ? value : undefined;
  };
  const [district, area, zip] = [number('d'), number('area'), parts.get('zip') ?? ''];
  const lang = parts.get('lang') ?? '';
  const place = point ? { at: point } : area ? { area } : /^\d{5}$/.test(zip) ? { zip } : {};
  return {
    ...place,
    ...(parts.get('name') && { name: parts.get('name') ?? '' }),
    ...(day('on') && { on: day('on') }),
    ...(day('ballot') && { ballot: day('ballot') }),
    ...(district && { d: district }),
    ...(/^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.test(lang) && { lang }),
    ...(day('vs') && { vs: day('vs') }),
    ...(middle && Number(zoom) >= 0 && Number(zoom) <= 24 && { map: { ...middle, zoom: Number(zoom) } }),
  } as PlaceAddress;
}

/** Returns the fragment of an address; '' for the start page. */
export function writeAddress({ at, area, zip, name, on, ballot, d, lang, vs, map }: PlaceAddress): string {
  const place = at ? `at=${at.latitude},${at.longitude}` : area ? `area=${area}` : zip && `zip=${zip}`;
  if (!place) return '';
  const parts = [
    place,
    name && `name=${encodeURIComponent(name).replaceAll('%20', '+').replaceAll('%2C', ',')}`,
    on && `on=${on}`,
    ballot && `ballot=${ballot}`,
    d && `d=${d}`,
    lang && `lang=${lang}`,
    vs && `vs=${vs}`,
    map && `map=${map.zoom.toFixed(1)}/${map.latitude.toFixed(2)}/${map.longitude.toFixed(2)}`,
  ];
  return `#${parts.filter(Boolean).join('&')}`;
}

/** Reads `latitude, longitude` in decimal degrees; undefined for any other text. */
export function readPoint(text: string): Point | undefined {
  const parts = /^\s*(-?\d{1,3}(?:\.\d*)?)\s*[,\s]\s*(-?\d{1,3}(?:\.\d*)?)\s*$/.exec(text);
  const [latitude, longitude] = [Number(parts?.[1] ?? Number.NaN), Number(parts?.[2] ?? Number.NaN)];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** Reads two numbers that are a point only if the longitude is before the latitude; returns it. */
export function readExchanged(text: string): Point | undefined {
  const [longitude, latitude, ...others] = text.split(/[\s,]+/);
  return others.length === 0 && !readPoint(text) ? readPoint(`${latitude}, ${longitude}`) : undefined;
}

export const exchangedText = ({ latitude, longitude }: Point) =>
  `Latitude and longitude look exchanged. Type ${latitude}, ${longitude}.`;

/** Rounds a point that was clicked to about ten metres. */
export function rounded({ latitude, longitude }: Point): Point {
  return { latitude: Number(latitude.toFixed(4)), longitude: Number(longitude.toFixed(4)) };
}

/** Returns `44.3106 north, 69.7795 west`. */
export function pointText({ latitude, longitude }: Point): string {
  const part = (degrees: number, positive: string, negative: string) =>
    `${Math.abs(degrees)} ${degrees < 0 ? negative : positive}`;
  return `${part(latitude, 'north', 'south')}, ${part(longitude, 'east', 'west')}`;
}
