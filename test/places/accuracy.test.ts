import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { geocode } from '../../src/graph/places/geocode.ts';
import { runImport } from '../../src/importers/import.ts';
import { seeded } from '../drawn/random.ts';
import { useDatabase } from '../support/database.ts';
import { contextOf } from '../support/graph.ts';
import { FORMS, type KnownAddress, OTHER_PLACES } from './spoilt-addresses.ts';

const SHARED = process.env.SHARED_DIR ?? join(import.meta.dirname, '../../../shared');
const ADDRESSES = join(SHARED, 'more-data/addresses/vermont-e911');
const hasData = existsSync(ADDRESSES);
/** The number of addresses, drawn from all; `ACCURACY_SAMPLE` sets another one. */
const SAMPLE = Number(process.env.ACCURACY_SAMPLE ?? 300);
const NEAR = 50;
/** A match is taken for certain from this confidence on. */
const HIGH = 0.8;
const LEAST_NEAR = 0.98;

interface Site extends KnownAddress {
  readonly longitude: number;
  readonly latitude: number;
}

function readSites(): Site[] {
  const sites: Site[] = [];
  for (const name of readdirSync(ADDRESSES).filter((file) => file.endsWith('.gz'))) {
    const { features } = JSON.parse(gunzipSync(readFileSync(join(ADDRESSES, name))).toString('utf8'));
    for (const { properties: site, geometry } of features) {
      if (!site.HOUSE_NUMBER) continue;
      const [longitude, latitude] = geometry.coordinates;
      const text = (value: string | null) => (value ?? '').trim().replace(/\s+/g, ' ');
      const number = `${site.HOUSE_NUMBER}${text(site.HOUSE_NUMBERSUFFIX) && ` ${text(site.HOUSE_NUMBERSUFFIX)}`}`;
      const street = text(site.PRIMARYNAME);
      sites.push({ number, street, town: text(site.TOWNNAME), state: 'VT', zip: text(site.ZIP), longitude, latitude });
    }
  }
  return sites;
}

const metres = (one: Site, other: { latitude: number; longitude: number }) =>
  Math.hypot(
    (one.latitude - other.latitude) * 111_320,
    (one.longitude - other.longitude) * 111_320 * Math.cos((one.latitude * Math.PI) / 180),
  );

/** What became of the addresses in one form. */
interface Score {
  form: string;
  /** The best match is near the point of the address. */
  near: number;
  /** One of the matches is. */
  listed: number;
  ambiguous: number;
  certain: number;
  /** Certain, and in another town: there must be none. */
  wrongTown: string[];
  /** Those of which one match is the best, but not near, though no other town has such an address. */
  wrongThoughUnique: number;
  failures: string[];
}

const addressOf = ({ number, street }: Site) => `${number} ${street}`;

const database = useDatabase();

describe.skipIf(!hasData)(`addresses of Vermont, typed in other ways (needs ${ADDRESSES})`, () => {
  const scores: Score[] = [];
  const certainElsewhere: string[] = [];

  beforeAll(async () => {
    const { files } = await runImport(database.db, 'address-points', [ADDRESSES], { preset: 'vermont-e911' });
    expect(files[0]?.inserted).toBeGreaterThan(30_000);
    const sites = readSites();
    const random = seeded(Number(process.env.ACCURACY_SEED ?? 2026));
    const zips = [...new Set(sites.map(({ zip }) => zip))];
    const drawn = Array.from({ length: SAMPLE }, () => sites[Math.floor(random() * sites.length)] as Site);
    const context = contextOf(database.db);
    const towns = Map.groupBy(sites, addressOf);
    const isUnique = (site: Site) => new Set(towns.get(addressOf(site))?.map(({ town }) => town)).size === 1;
    for (const [form, spoil] of Object.entries(FORMS)) {
      const score: Score = {
        form,
        near: 0,
        listed: 0,
        ambiguous: 0,
        certain: 0,
        wrongTown: [],
        wrongThoughUnique: 0,
        failures: [],
      };
      for (const site of drawn) {
        const others = zips.filter((zip) => zip !== site.zip);
        const text = spoil(site, random, others[Math.floor(random() * others.length)] ?? '');
        const { matches, ambiguous } = await geocode(context, text, 20);
        const [best] = matches;
        const isNear = best !== undefined && best.point !== undefined && metres(site, best.point) <= NEAR;
        const isCertain = best !== undefined && best.confidence >= HIGH && !ambiguous;
        const isInTown = best?.label.toUpperCase().includes(`, ${site.town}, `) ?? false;
        score.near += isNear ? 1 : 0;
        score.listed += matches.some(({ point }) => point !== undefined && metres(site, point) <= NEAR) ? 1 : 0;
        score.ambiguous += ambiguous ? 1 : 0;
        score.certain += isCertain ? 1 : 0;
        if (isCertain && !isInTown) score.wrongTown.push(`${text} → ${best.label}`);
        if (!isNear && isUnique(site)) score.wrongThoughUnique++;
        if (!isNear) score.failures.push(`${text} → ${best?.label} (${best?.confidence})`);
      }
      scores.push(score);
    }
    for (const [form, spoil] of Object.entries(OTHER_PLACES)) {
      for (const site of drawn) {
        const { matches, ambiguous } = await geocode(context, spoil(site), 5);
        const isCertain = !ambiguous && (matches[0]?.confidence ?? 0) >= HIGH;
        if (isCertain) certainElsewhere.push(`${form}: ${spoil(site)} → ${matches[0]?.label}`);
      }
    }
    const percent = (count: number) => `${((100 * count) / SAMPLE).toFixed(1)} %`;
    process.stdout.write(`${SAMPLE} addresses:\n`);
    for (const { form, near, listed, ambiguous, certain, wrongTown } of scores)
      process.stdout.write(
        `  ${form.padEnd(28)} best within 50 m ${percent(near)}, any match ${percent(listed)}, ambiguous ${percent(ambiguous)}, certain ${percent(certain)}, certain in a wrong town ${wrongTown.length}\n`,
      );
    if (process.env.ACCURACY_FAILURES)
      for (const { form, failures } of scores)
        process.stdout.write(`${[form, ...failures.slice(0, 25)].join('\n  ')}\n`);
  }, 1_200_000);

  it('are found within 50 metres', () => {
    for (const { form, near, listed, wrongThoughUnique } of scores) {
      // Without town and ZIP code, the same address may exist in several towns, and no ranking knows which one is meant:
      // it is among the matches, and the first of them if only one town has it.
      const found = form === 'state only' ? Math.min(listed, SAMPLE - wrongThoughUnique) : near;
      expect(found / SAMPLE, form).toBeGreaterThanOrEqual(LEAST_NEAR);
    }
  });

  it('are never certain if the text means another place', () => {
    expect(certainElsewhere).toEqual([]);
  });

  it('are never certain in another town', () => {
    expect(scores.flatMap(({ wrongTown }) => wrongTown)).toEqual([]);
  });

  it('are certain unless something contradicts', () => {
    for (const { form, certain } of scores.filter((score) => score.form !== 'state only'))
      expect(certain / SAMPLE, form).toBeGreaterThanOrEqual(0.8);
  });
});
