import {
  type CellDistrict,
  type CellLine,
  type CellPoint,
  type Cells,
  createClient,
  openCells,
  type TypedDocument,
} from '../../clients/typescript/src/index.ts';

export interface PrivateSettings {
  /** The address of the gateway's GraphQL endpoint. */
  readonly url: string;
  readonly apiKey: string;
  /** The address of the folder that `npm run publish` wrote. */
  readonly cells: string;
}

interface Offices {
  readonly nodes: readonly ({
    readonly name?: string;
    readonly offices?: readonly {
      readonly name: string;
      readonly officeholders:
        | readonly { readonly name: string; readonly party: { readonly name: string } | null }[]
        | null;
    }[];
    readonly races?: readonly { readonly name: string; readonly election: { readonly date: string } }[];
  } | null)[];
}

/** Asks for districts by their ids: it is the same for everybody who has these districts, and holds no point. */
const OFFICES: TypedDocument<Offices, { ids: readonly string[]; from: string }> = `query ($ids: [ID!]!, $from: Date!) {
  nodes(ids: $ids) {
    ... on District {
      name
      offices { name officeholders { name party { name } } }
      races(from: $from) { name election { date } }
    }
  }
}`;

/** The most ids that `nodes` takes. */
const MOST_IDS = 100;
const SVG = 'http://www.w3.org/2000/svg';

/**
 * Renders the page: choose a state, then click on its map, use the position of the device, or type a coordinate. The state
 * is all that who serves the files learns.
 */
export async function start(root: HTMLElement, settings: PrivateSettings): Promise<void> {
  root.innerHTML = `
    <h1>My districts, without telling anybody where I am</h1>
    <p>Your browser loads the map of your state, and finds the districts itself. The point is sent to no server.</p>
    <p role="alert"></p>
    <form>
      <label>State <select name="state"><option value="">choose</option></select></label>
      <label>Latitude, longitude <input name="point" autocomplete="off" placeholder="44.26, -72.58"></label>
      <button>Find</button>
      <button type="button" name="device">Use the position of this device</button>
    </form>
    <svg role="img" aria-label="Map of the state: click to find the districts of a place" hidden></svg>
    <section aria-live="polite"><h2 hidden>Districts</h2><p class="near"></p><ul></ul></section>`;
  const part = <Name extends Element>(selector: string) => root.querySelector(selector) as Name;
  const [form, map, list] = [part<HTMLFormElement>('form'), part<SVGSVGElement>('svg'), part<HTMLElement>('ul')];
  const state = part<HTMLSelectElement>('select');
  const say = (text: string) => {
    part('[role=alert]').textContent = text;
  };
  const run = (work: () => Promise<void>) => {
    say('');
    Promise.resolve()
      .then(work)
      .catch((error: Error) => say(error.message));
  };
  const client = createClient({ url: settings.url, apiKey: settings.apiKey });
  let cells: Cells;
  /** Files are loaded for a state only: a place elsewhere would tell in which cell it is. */
  let mayLoad = true;
  const load: typeof fetch = (...request) =>
    mayLoad
      ? fetch(...request)
      : Promise.reject(new Error('this place is outside the map of the state that you chose'));
  let lines: readonly CellLine[] = [];

  async function show(point: CellPoint): Promise<void> {
    if (state.value === '')
      throw new Error('Choose a state first: its files are loaded, and no server learns more than that.');
    const { districts, isNear, sides } = await cells.districtsOf(point);
    drawPoint(map, point);
    drawLines(map, lines, districts);
    part<HTMLElement>('h2').hidden = false;
    part('.near').textContent = isNear
      ? `A line between districts is within 16 cm. Not certain: ${sides.map(({ name }) => name).join(', ')}.`
      : '';
    const certain = districts.filter((district) => !sides.includes(district));
    if (districts.length === 0) list.replaceChildren(element('li', 'None of the published districts is here.'));
    else list.replaceChildren(...certain.map(({ name }) => element('li', name)));
    // Sorted, so that the question does not tell in which order they were found.
    const ids = certain.map(({ id }) => id).sort();
    const from = `${new Date().getFullYear()}-01-01`;
    const items: HTMLElement[] = [];
    for (let at = 0; at < ids.length; at += MOST_IDS) {
      const { data } = await client.query(OFFICES, { ids: ids.slice(at, at + MOST_IDS), from });
      items.push(...data.nodes.flatMap((district) => (district?.name === undefined ? [] : districtItem(district))));
    }
    if (items.length > 0) list.replaceChildren(...items);
  }

  form.onsubmit = (event) => {
    event.preventDefault();
    run(() => show(readPoint(part<HTMLInputElement>('input').value)));
  };
  part<HTMLButtonElement>('[name=device]').onclick = () =>
    run(async () => {
      const { coords } = await new Promise<GeolocationPosition>((resolve, reject) =>
        navigator.geolocation.getCurrentPosition(resolve, reject),
      );
      await show(coords);
    });
  map.onclick = ({ clientX, clientY }) => {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(map.getScreenCTM()?.inverse());
    run(() => show({ latitude: -y, longitude: x / Number(map.dataset.narrow) }));
  };
  state.onchange = () =>
    run(async () => {
      mayLoad = true;
      lines = state.value === '' ? [] : await cells.linesOf(state.value);
      mayLoad = false;
      drawMap(
        map,
        lines.filter(({ districts }) => districts.some((each) => each.state === state.value)),
      );
      drawLines(map, lines, []);
    });
  run(async () => {
    cells = await openCells(settings.cells, { fetch: load });
    mayLoad = false;
    state.append(...cells.states.filter((each) => each !== 'US').map((each) => element('option', each)));
  });
}

function element(name: string, text: string): HTMLElement {
  return Object.assign(document.createElement(name), { textContent: text });
}

function districtItem({ name = '', offices = [], races = [] }: NonNullable<Offices['nodes'][number]>): HTMLElement {
  const item = element('li', name);
  const facts = document.createElement('ul');
  for (const office of offices)
    for (const { name: holder, party } of office.officeholders ?? [])
      facts.append(element('li', `${office.name}: ${holder}${party ? ` (${party.name})` : ''}`));
  for (const race of races) facts.append(element('li', `${race.election.date}: ${race.name}`));
  if (facts.childElementCount > 0) item.append(facts);
  return item;
}

function readPoint(text: string): CellPoint {
  const [latitude, longitude, ...rest] = text
    .split(',')
    .map((each) => (each.trim() === '' ? Number.NaN : Number(each)));
  if (latitude === undefined || longitude === undefined || rest.length > 0 || Number.isNaN(latitude + longitude))
    throw new Error('Type a latitude and a longitude, such as 44.26, -72.58.');
  return { latitude, longitude };
}

/** Fits the map to lines. A degree of longitude is narrower than one of latitude. */
function drawMap(map: SVGSVGElement, lines: readonly CellLine[]): void {
  const points = lines.flatMap((line) => line.points);
  map.toggleAttribute('hidden', points.length === 0);
  if (points.length === 0) return;
  const range = (at: 0 | 1) =>
    points.reduce(([least, most], point) => [Math.min(least, point[at]), Math.max(most, point[at])] as const, [
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ] as readonly [number, number]);
  const [[west, east], [south, north]] = [range(0), range(1)];
  const narrow = Math.cos(((south + north) / 2) * (Math.PI / 180));
  map.dataset.narrow = String(narrow);
  map.setAttribute('viewBox', [west * narrow, -north, (east - west) * narrow, north - south].join(' '));
}

/** Draws the lines, those of some districts last and as found. */
function drawLines(map: SVGSVGElement, lines: readonly CellLine[], found: readonly CellDistrict[]): void {
  const ids = new Set(found.filter(({ type }) => type !== 'COUNTRY' && type !== 'STATE').map(({ id }) => id));
  const isFound = ({ districts }: CellLine) => districts.some(({ id }) => ids.has(id));
  const narrow = Number(map.dataset.narrow);
  const paths = [false, true].map((which) => {
    const path = document.createElementNS(SVG, 'path');
    if (which) path.classList.add('found');
    const parts = lines.filter((line) => isFound(line) === which);
    path.setAttribute(
      'd',
      parts.map(({ points }) => `M${points.map(([x, y]) => `${x * narrow} ${-y}`).join('L')}`).join(''),
    );
    return path;
  });
  for (const path of map.querySelectorAll('path')) path.remove();
  map.prepend(...paths);
}

function drawPoint(map: SVGSVGElement, { latitude, longitude }: CellPoint): void {
  const circle = map.querySelector('circle') ?? map.appendChild(document.createElementNS(SVG, 'circle'));
  circle.setAttribute('cx', String(longitude * Number(map.dataset.narrow)));
  circle.setAttribute('cy', String(-latitude));
  circle.setAttribute('r', String(map.viewBox.baseVal.width / 100));
}
