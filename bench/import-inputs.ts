import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ImportOptions, SourceOfFile } from '../src/importers/import.ts';
import { readJson } from '../src/importers/read/read-documents.ts';
import { topoFeatures } from '../src/importers/read/topojson.ts';
import { usAtlasFolder } from '../src/importers/read/us-atlas-files.ts';
import { dbfOf, NAD_83, shpOf } from '../test/support/shapefile.ts';
import { zipOf } from '../test/support/zip.ts';

export interface ImportInput {
  readonly source: SourceOfFile;
  readonly paths: readonly string[];
  readonly options?: ImportOptions;
}

/** The number of districts, contests or people in each generated input. */
const MANY = 2_000;
const PRECINCTS = 60;
const DAY = '2018-11-06';
const MAINE = 'ocd-division/country:us/state:me';
const NAMES = ['Ada Lovelace', 'Grace Hopper', 'Mary Jackson'];

const each = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n + 1));

/** Writes generated input for every source into a folder; the county boundaries are real. */
export async function makeInputs(folder: string): Promise<ImportInput[]> {
  const put = (name: string, content: string | Buffer): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  const atlas = usAtlasFolder();
  const layers = ['nation-10m.json', 'states-10m.json', 'counties-10m.json'].map((name) => join(atlas, name));
  const counties = topoFeatures(await readJson(join(atlas, 'counties-10m.json')), 'counties');
  const features = counties.map(({ id, properties, geometry }) => ({
    type: 'Feature',
    properties: { GEOID: id, NAME: (properties as { name: string }).name },
    geometry,
  }));
  const boundaries = { from: '2000-01-01', type: 'County' };
  return [
    { source: 'us-atlas', paths: layers },
    {
      source: 'districts-geojson',
      paths: [put('counties.geojson', JSON.stringify({ type: 'FeatureCollection', features }))],
      options: { ...boundaries, name: 'Counties' },
    },
    {
      source: 'districts-topojson',
      paths: [put('towns.topojson', JSON.stringify(towns()))],
      options: { ...boundaries, type: 'County subdivision', name: 'Towns' },
    },
    {
      source: 'districts-shapefile',
      paths: [put('places.zip', places())],
      options: { ...boundaries, type: 'City-town', name: 'Places' },
    },
    { source: 'ocd-division-ids', paths: [put('divisions.csv', divisions())] },
    {
      source: 'congress-legislators',
      paths: [dirname(put('congress/legislators-current.yaml', legislators()))],
      options: { asOf: '2026-06-15' },
    },
    { source: 'openstates-people', paths: people(put), options: { asOf: '2026-06-15' } },
    { source: 'medsl', paths: [put('medsl.csv', precincts())] },
    { source: 'openelections', paths: [put('20181106__me__general__town.csv', townResults())] },
    { source: 'ranked-vote', paths: rankedVote(put) },
    { source: 'rctab', paths: rctab(put) },
    { source: 'vip', paths: [put('vip.xml', vip())] },
    { source: 'civics-cdf', paths: [put('election.xml', civics())] },
  ];
}

type Put = (name: string, content: string) => string;

function towns() {
  const corner = (n: number) => [-73 + (n % 100) * 0.02, 43 + Math.floor(n / 100) * 0.02] as const;
  const arcs = each(MANY, (n) => {
    const [west, south] = corner(n);
    const ring = each(60, (at) => [
      west + 0.01 + 0.009 * Math.cos((at * Math.PI) / 30),
      south + 0.01 + 0.009 * Math.sin((at * Math.PI) / 30),
    ]);
    return [...ring, ring[0]];
  });
  const geometries = each(MANY, (n) => ({
    type: 'Polygon',
    arcs: [[n - 1]],
    properties: { GEOID: `50${String(n).padStart(8, '0')}`, NAME: `Town ${n}` },
  }));
  return { type: 'Topology', arcs, objects: { towns: { type: 'GeometryCollection', geometries } } };
}

function places(): Buffer {
  const records = each(MANY, (n) => ({
    GEOID: `35${String(n).padStart(5, '0')}`,
    NAMELSAD: `Place ${n}`,
    west: -107 - (n % 10),
  }));
  return zipOf([
    { name: 'places.shp', content: shpOf(records) },
    { name: 'places.dbf', content: dbfOf(records) },
    { name: 'places.prj', content: Buffer.from(NAD_83) },
  ]);
}

function divisions(): string {
  const rows = each(MANY * 10, (n) => `${MAINE}/place:town_${n},Town ${n},place-23${String(n).padStart(5, '0')}`);
  return `id,name,census_geoid\n${rows.join('\n')}\n`;
}

function legislators(): string {
  return each(MANY, (n) => {
    const [first, last] = (NAMES[n % 3] ?? '').split(' ');
    const term = `{ type: rep, start: '${1900 + 2 * (n % 60)}-01-03', end: '${1902 + 2 * (n % 60)}-01-03', state: ME, district: ${n % 50}, party: Democrat, phone: 202-555-0100 }`;
    return `- id: { bioguide: X${String(n).padStart(6, '0')} }\n  name: { first: ${first}, last: ${last} ${n} }\n  terms:\n    - ${term}\n`;
  }).join('');
}

function people(put: Put): string[] {
  const files = each(MANY / 2, (n) =>
    put(
      `people/${n}.yml`,
      `id: ocd-person/${n}\nname: ${NAMES[n % 3]} ${n}\nparty:\n  - name: Democratic\nroles:\n  - type: lower\n    jurisdiction: ocd-jurisdiction/country:us/state:me/government\n    district: '${n}'\n    start_date: '2025-01-04'\noffices:\n  - classification: capitol\n    voice: 207-555-0100\n    address: 2 State House Station\n`,
    ),
  );
  return [dirname(files[0] ?? '')];
}

const MEDSL =
  'precinct,office,party_detailed,party_simplified,mode,votes,county_name,county_fips,jurisdiction_name,jurisdiction_fips,candidate,district,magnitude,dataverse,year,stage,state,special,writein,state_po,state_fips,state_cen,state_ic,date,readme_check';

function precincts(): string {
  const lines = each(MANY, (district) =>
    NAMES.flatMap((name) =>
      each(
        PRECINCTS,
        (precinct) =>
          `P${precinct},STATE HOUSE,DEMOCRAT,DEMOCRAT,TOTAL,${precinct + district},YORK,23031,P${precinct},,${name.toUpperCase()},${district},1,STATE,2018,GEN,MAINE,FALSE,FALSE,ME,23,11,2,${DAY},FALSE`,
      ),
    ).join('\n'),
  );
  return `${MEDSL}\n${lines.join('\n')}\n`;
}

function townResults(): string {
  const lines = each(MANY, (district) =>
    NAMES.flatMap((name) =>
      each(PRECINCTS, (town) => `York,T${town},State House,${district},DEM,${name},${town}`),
    ).join('\n'),
  );
  return `county,town,office,district,party,candidate,votes\n${lines.join('\n')}\n`;
}

function rankedVote(put: Put): string[] {
  const files = each(MANY / 10, (n) =>
    put(
      `ranked-vote/${n}/report.json`,
      JSON.stringify({
        info: {
          date: DAY,
          jurisdictionPath: 'us/me',
          officeName: `State Representative - District ${n}`,
          jurisdictionName: 'Maine',
          electionName: 'General Election',
        },
        candidates: NAMES.map((name) => ({ name, candidate_type: 'Regular' })),
        rounds: each(2, (round) => ({
          allocations: [0, 1, 2].slice(0, 4 - round).map((allocatee) => ({ allocatee, votes: 10 * round })),
        })),
        winner: 0,
      }),
    ),
  );
  return [dirname(dirname(files[0] ?? ''))];
}

function rctab(put: Put): string[] {
  const files = each(MANY / 10, (n) =>
    put(
      `rctab/${n}.json`,
      JSON.stringify({
        config: {
          contest: 'General Election',
          date: DAY,
          jurisdiction: 'Maine',
          office: `State Senate - District ${n}`,
        },
        results: [
          {
            round: 1,
            tally: Object.fromEntries(NAMES.map((name, at) => [name, String(30 - at)])),
            tallyResults: [{ elected: NAMES[0] }],
          },
        ],
      }),
    ),
  );
  return [dirname(files[0] ?? '')];
}

const text = (value: string) => `<Text language="en">${value}</Text>`;
const ocdid = (value: string) =>
  `<ExternalIdentifiers><ExternalIdentifier><Type>ocd-id</Type><Value>${value}</Value></ExternalIdentifier></ExternalIdentifiers>`;

function vip(): string {
  const contests = each(
    MANY,
    (n) =>
      `<ElectoralDistrict id="ed${n}">${ocdid(`${MAINE}/sldl:${n}`)}<Name>House District ${n}</Name><Type>state-house</Type></ElectoralDistrict>` +
      `<Office id="off${n}"><ElectoralDistrictId>ed${n}</ElectoralDistrictId><Name>${text('State Representative')}</Name></Office>` +
      NAMES.map(
        (name, at) =>
          `<Candidate id="can${n}-${at}"><BallotName>${text(name)}</BallotName></Candidate><CandidateSelection id="cs${n}-${at}"><CandidateIds>can${n}-${at}</CandidateIds></CandidateSelection>`,
      ).join('') +
      `<CandidateContest id="cc${n}"><BallotSelectionIds>cs${n}-0 cs${n}-1 cs${n}-2</BallotSelectionIds><ElectoralDistrictId>ed${n}</ElectoralDistrictId><Name>House ${n}</Name><NumberElected>1</NumberElected><OfficeIds>off${n}</OfficeIds></CandidateContest>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<VipObject xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" schemaVersion="5.2">
<Source id="src1"><DateTime>2022-10-01T12:00:00</DateTime><Name>Example</Name><VipId>23</VipId></Source>
<Election id="ele1"><Date>2022-11-08</Date><ElectionType>${text('General')}</ElectionType><StateId>st23</StateId></Election>
<State id="st23">${ocdid(MAINE)}<Name>Maine</Name></State>
${contests.join('\n')}
</VipObject>
`;
}

function civics(): string {
  const candidates = each(MANY, (n) =>
    NAMES.map(
      (name, at) => `<Candidate objectId="can${n}-${at}"><BallotName>${text(name)}</BallotName></Candidate>`,
    ).join(''),
  );
  const contests = each(
    MANY,
    (n) =>
      `<Contest objectId="cc${n}" xsi:type="CandidateContest">${NAMES.map((_, at) => `<BallotSelection objectId="cs${n}-${at}" xsi:type="CandidateSelection"><VoteCountsCollection><VoteCounts><GpUnitId>ru${n}</GpUnitId><Type>total</Type><Count>${n + at}</Count></VoteCounts></VoteCountsCollection><CandidateIds>can${n}-${at}</CandidateIds></BallotSelection>`).join('')}<ElectoralDistrictId>ru${n}</ElectoralDistrictId><Name>House ${n}</Name><NumberElected>1</NumberElected><OfficeIds>off1</OfficeIds></Contest>`,
  );
  const units = each(
    MANY,
    (n) =>
      `<GpUnit objectId="ru${n}" xsi:type="ReportingUnit">${ocdid(`${MAINE}/sldl:${n}`)}<Name>House District ${n}</Name><Type>state-house</Type></GpUnit>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<ElectionReport xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<Election objectId="el1"><CandidateCollection>${candidates.join('\n')}</CandidateCollection>
<ContestCollection>${contests.join('\n')}</ContestCollection>
<ElectionScopeId>ru-me</ElectionScopeId><Name>${text('General')}</Name><StartDate>2022-11-08</StartDate><EndDate>2022-11-08</EndDate><Type>general</Type></Election>
<Format>summary-contest</Format><GeneratedDate>2022-11-20T00:00:00</GeneratedDate>
<GpUnitCollection><GpUnit objectId="ru-me" xsi:type="ReportingUnit">${ocdid(MAINE)}<Name>Maine</Name><Type>state</Type></GpUnit>${units.join('\n')}</GpUnitCollection>
<Issuer>Example Data</Issuer>
<OfficeCollection><Office objectId="off1"><ElectoralDistrictId>ru-me</ElectoralDistrictId><Name>${text('State Representative')}</Name><Role>state lower house</Role></Office></OfficeCollection>
<Status>certified</Status>
</ElectionReport>
`;
}
