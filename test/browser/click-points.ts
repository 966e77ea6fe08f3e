import { chromium } from 'playwright-core';
import { clickPoint, measureClicks, sharesOf, spreadPoint, takeTimes } from './click.ts';

/**
 * Clicks points of the map of a running gateway, and compares the districts that the page names with those of the API at
 * the point that the page has put into its fragment. Prints the differences, and the times from a click until the
 * districts and the ballot are drawn:
 *
 *     npm run node -- test/browser/click-points.ts http://localhost:4000 KEY [COUNT] [WEST,SOUTH,EAST,NORTH …]
 *
 * The points are spread evenly over the rectangles, by default over the lower 48 states.
 */
const [address = '', key = '', count = '200', ...rectangles] = process.argv.slice(2);
if (!address || !key) throw new Error('Usage: click-points.ts ADDRESS KEY [COUNT] [WEST,SOUTH,EAST,NORTH …]');
const boxes = (rectangles.length > 0 ? rectangles : ['-124.5,25,-67,49']).map((text) => {
  const [west = 0, south = 0, east = 0, north = 0] = text.split(',').map(Number);
  return { west, south, east, north };
});

/** A visitor looks at the map before a click: its tiles are drawn by then. */
const REST_MS = 1_000;

const print = (line: string) => process.stdout.write(`${line}\n`);

async function namesInApi(point: object): Promise<string[]> {
  const query = `query ($latitude: Latitude!, $longitude: Longitude!) {
    location(latitude: $latitude, longitude: $longitude) { districts { name } } }`;
  const response = await fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query, variables: point }),
  });
  const { data } = (await response.json()) as { data: { location: { districts: { name: string }[] } } };
  return data.location.districts.map(({ name }) => name);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
await page.addInitScript((text) => sessionStorage.setItem('ballotgraph-key', text), key);
await measureClicks(page);
await page.goto(address);
await page.locator('#gl-map canvas').waitFor();

let [same, districts, empty] = [0, 0, 0];
let farthest = 0;
const times = { districts: [] as number[], ballot: [] as number[] };
for (let index = 0; index < Number(count); index++) {
  const box = boxes[index % boxes.length];
  if (!box) throw new Error('no rectangle');
  const { at, names, pixelsOff } = await clickPoint(page, spreadPoint(index, box), sharesOf(index), REST_MS);
  const expected = await namesInApi(at);
  if (JSON.stringify(names) === JSON.stringify(expected)) same++;
  else print(`${at.latitude}, ${at.longitude}: the page has ${names.join('; ')}, the API ${expected.join('; ')}`);
  districts += names.length;
  if (names.length === 0) empty++;
  farthest = Math.max(farthest, pixelsOff);
  const { districts: first, ballot } = await takeTimes(page);
  if (first !== undefined) times.districts.push(first);
  if (ballot !== undefined) times.ballot.push(ballot);
}
await browser.close();

const percentile = (all: number[], share: number) =>
  Math.round(
    all.sort((one, other) => one - other)[Math.min(all.length - 1, Math.floor(all.length * share))] ?? Number.NaN,
  );
print(`${same} of ${count} points name the districts of the API: ${districts} districts, ${empty} points without any`);
print(`The farthest click was ${farthest.toFixed(2)} pixels off`);
for (const [name, all] of Object.entries(times)) {
  print(
    `${name} drawn after ${percentile(all, 0.5)} ms (p50), ${percentile(all, 0.95)} ms (p95), ${all.length} clicks`,
  );
}
process.exitCode = same === Number(count) ? 0 : 1;
