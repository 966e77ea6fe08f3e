import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { deployedConfiguration, startHaproxy } from '../resilience/support/haproxy.ts';
import { freePort } from '../support/free-port.ts';
import { hasChromium, IN_CHROMIUM, SMALL_WINDOW, useSite } from './support.ts';

const LONG = { timeout: 120_000 };
const AUGUSTA = '44.3106,-69.7795';
const COMPONENT = `query Component($latitude: Latitude!) {
  location(latitude: $latitude, longitude: -69.7795) { districts { name offices { name } } }
}`;
const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;
const port = await freePort();
const address = `https://127.0.0.1:${port}`;

// A browser sends up to 100 requests at once over one connection of HTTP/2, where HTTP/1.1 has six.
describe.skipIf(!hasChromium || !hasHaproxy)(`a page over HTTP/2 behind haproxy ${IN_CHROMIUM}`, () => {
  const { service, browser } = useSite({
    environment: { TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: address },
    allowed: address,
  });

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'http2-'));
    const [key, certificate, both] = ['key.pem', 'certificate.pem', 'both.pem'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const files = ['-keyout', key, '-out', certificate];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1', ...files];
    execFileSync('openssl', request, { stdio: 'ignore' });
    await writeFile(both, Buffer.concat([await readFile(certificate), await readFile(key)]));
    const gateway = (service.app.server.address() as AddressInfo).port;
    const clients = `127.0.0.1:${port} ssl crt ${both} alpn h2`;
    const haproxy = await startHaproxy(
      await deployedConfiguration({ CLIENTS: clients, GATEWAY1: gateway, GATEWAY2: gateway }),
      port,
    );
    return async () => {
      await haproxy.stop();
      await rm(folder, { recursive: true });
    };
  });

  it('draws the map, its tiles and the answer without a refused request', LONG, async () => {
    const page = await browser.open({ ...SMALL_WINDOW, ignoreHTTPSErrors: true });
    const refused: string[] = [];
    let tiles = 0;
    page.on('response', (response) => {
      if (response.url().includes('/tiles/')) tiles++;
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${address}/#at=${AUGUSTA}`);
    await page.locator('.ladder').waitFor();
    await page.locator('#gl-map canvas').waitFor();
    // Each step asks for other tiles before those of the last one have come.
    for (let step = 0; step < 6; step++) await page.locator('[data-action=zoom-in]').first().click();
    for (let step = 0; step < 9; step++) await page.locator('[data-action=zoom-out]').first().click();
    await page.waitForLoadState('networkidle');
    expect(refused).toEqual([]);
    expect(tiles).toBeGreaterThan(20);
    const protocols = await page.evaluate(() => [
      ...new Set(
        performance.getEntriesByType('resource').map((entry) => (entry as PerformanceResourceTiming).nextHopProtocol),
      ),
    ]);
    expect(protocols.filter((protocol) => protocol !== '')).toEqual(['h2']);
  });

  it('has an answer for each of a hundred components, which all ask when they are drawn', LONG, async () => {
    const page = await browser.open({ ...SMALL_WINDOW, ignoreHTTPSErrors: true });
    await page.goto(address);
    const answers = await page.evaluate(
      ({ key, query }) =>
        Promise.all(
          Array.from({ length: 100 }, async (_, index) => {
            const response = await fetch('/graphql', {
              method: 'POST',
              headers: { 'content-type': 'application/json', 'x-api-key': key },
              body: JSON.stringify({ query, variables: { latitude: 44.3 + index / 1_000 } }),
            });
            const { data, errors } = await response.json();
            return { status: response.status, hasData: data?.location?.districts?.length > 0, errors };
          }),
        ),
      { key: service.key('full'), query: COMPONENT },
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ status: 200, hasData: true })]),
    );
  });
});
