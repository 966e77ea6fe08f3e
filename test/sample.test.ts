import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, onTestFinished, test } from 'vitest';
import { generalElectionDay } from '../db/sample/compile/calendar.ts';
import { pointFolders } from '../db/sample/compile/points.ts';
import { columns, type Dataset, type Table } from '../db/sample/compile/tables.ts';
import { compileSample, writeSample } from '../db/sample/compile.ts';
import { houseSeats } from '../src/importers/facts/house-seats.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'db/sample');
const dataFolder = join(process.env.SHARED_DIR ?? join(root, '../shared'), 'data');

/** The requirements of the exchange format for each file: its columns in any order, and the required ones. */
const format: Record<keyof Dataset, { all: string; required: string }> = {
  districts: { all: 'id type name state ocdid geo_id nces_id url', required: 'id type name' },
  parties: { all: 'id name url', required: 'id name' },
  offices: {
    all: 'id district_id name type level branch chamber is_partisan seat url',
    required: 'id district_id name level branch',
  },
  persons: { all: 'id name first_name last_name url', required: 'id name' },
  officeholders: {
    all: 'id office_id person_id status partisan_affiliation start_date end_date',
    required: 'id office_id person_id status',
  },
  contacts: {
    all: 'officeholder_id person_id collection contact_type contact',
    required: 'collection contact_type contact',
  },
  elections: {
    all: 'id date type district_id description candidate_lists_complete',
    required: 'id date type district_id candidate_lists_complete',
  },
  races: {
    all: 'id election_id office_id year type stage_type stage_party number_of_seats is_marquee office_position is_ranked_choice results_certified swearing_in_date url',
    required: 'id election_id office_id year type stage_type number_of_seats',
  },
  candidates: {
    all: 'id race_id person_id party_ids stage_party running_mate fec_id is_incumbent is_write_in withdrew_still_on_ballot cand_status votes_for_cand',
    required: 'id race_id person_id',
  },
  ranked_choice_rounds: { all: 'candidate_id round votes_for status', required: 'candidate_id round' },
  ballot_measures: {
    all: 'id election_id district_id name type status official_title yes_vote no_vote yes_votes_total no_votes_total url',
    required: 'id election_id district_id name',
  },
};

const tables = (Object.keys(columns) as Table[]).filter((table): table is keyof Dataset => table in format);
const rowsOf = (table: keyof Dataset): Record<string, string>[] =>
  parse(readFileSync(join(folder, `${table}.csv`)), { columns: true });
const dataset = Object.fromEntries(tables.map((table) => [table, rowsOf(table)])) as Record<
  keyof Dataset,
  Record<string, string>[]
>;
const ids = (table: keyof Dataset): Set<string> => new Set(dataset[table].map(({ id = '' }) => id));

/** The references of the dataset: table, column, the table that it points to. A list is separated by `;`. */
const references: [keyof Dataset, string, keyof Dataset][] = [
  ['offices', 'district_id', 'districts'],
  ['officeholders', 'office_id', 'offices'],
  ['officeholders', 'person_id', 'persons'],
  ['officeholders', 'partisan_affiliation', 'parties'],
  ['contacts', 'officeholder_id', 'officeholders'],
  ['contacts', 'person_id', 'persons'],
  ['elections', 'district_id', 'districts'],
  ['races', 'election_id', 'elections'],
  ['races', 'office_id', 'offices'],
  ['candidates', 'race_id', 'races'],
  ['candidates', 'person_id', 'persons'],
  ['candidates', 'party_ids', 'parties'],
  ['ranked_choice_rounds', 'candidate_id', 'candidates'],
  ['ballot_measures', 'election_id', 'elections'],
  ['ballot_measures', 'district_id', 'districts'],
];

const points = pointFolders();
/** The folders in the formats of their sources. */
const sources = ['vermont-towns', 'vote-gov', 'voting-places'];
const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(path, join(parentPath, name)));

describe('the files of the sample', () => {
  test('are those of the exchange format and small', () => {
    const files = readdirSync(folder).filter(
      (name) =>
        !['README.md', 'compile', 'compile.ts', ...points.map(({ name: folder }) => folder), ...sources].includes(name),
    );
    const data = ['dataset.json', 'boundaries.geojsonl', ...tables.map((table) => `${table}.csv`)];
    expect(files.sort()).toEqual(data.sort());
    const bytes = files.reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
    expect(bytes).toBeLessThan(1_600_000);
  });

  test.each(points)('the points of $name are those of the packages, and small', ({ name, files }) => {
    for (const [file, text] of Object.entries(files)) expect(readFileSync(join(folder, name, file), 'utf8')).toBe(text);
    const all = points.flatMap((each) => Object.values(each.files)).reduce((sum, text) => sum + text.length, 0);
    expect(all).toBeLessThan(1_200_000);
  });

  test('have the texts of vote.gov in all languages, and places and towns of Vermont, in 600 kB', () => {
    const files = sources.flatMap((name) => filesIn(join(folder, name)).map((path) => join(name, path)));
    expect(files.filter((path) => path.endsWith('state-data.json'))).toHaveLength(16);
    expect(files.filter((path) => /LICENSE|\.csv|vermont\.json|states\.json/.test(path))).toHaveLength(4);
    expect(files.reduce((sum, path) => sum + readFileSync(join(folder, path)).length, 0)).toBeLessThan(600_000);
  });

  test.each(tables)('%s has exactly the columns of the format, and no required cell is empty', (table) => {
    const { all, required } = format[table];
    for (const row of dataset[table]) {
      expect(Object.keys(row)).toEqual(all.split(' '));
      for (const column of required.split(' ')) expect(row[column], `${table}.${column}`).not.toBe('');
    }
  });

  test.each(tables.filter((table) => format[table].required.startsWith('id ')))('%s has unique ids', (table) => {
    expect(ids(table).size).toBe(dataset[table].length);
    for (const id of ids(table))
      expect(Number(id)).toSatisfy((n: number) => Number.isInteger(n) && n > 0 && n < 2 ** 31);
  });

  test.each(references)('%s.%s points to %s', (table, column, target) => {
    const known = ids(target);
    for (const row of dataset[table]) {
      for (const id of row[column]?.split(';').filter(Boolean) ?? []) expect(known, `${table} ${id}`).toContain(id);
    }
  });

  test('a contact belongs to an officeholder or to a person', () => {
    for (const row of dataset.contacts) expect(Boolean(row.officeholder_id)).not.toBe(Boolean(row.person_id));
  });
});

/** The number of House seats by state. */
function seatsByState() {
  const states = new Map(dataset.districts.map(({ id, state = '' }) => [id, state]));
  const seats = dataset.offices.filter(({ level, chamber }) => level === 'Federal' && chamber === 'Lower');
  const byState = Map.groupBy(seats, ({ district_id }) => states.get(district_id) ?? '');
  return [...byState].map(([state, { length: count }]) => ({ state, count }));
}

interface Boundary {
  properties: { district_id: number; start_date: string; end_date?: string; precise: boolean };
  geometry: { type: string; coordinates: number[][][][] };
}

describe('the Congress districts', () => {
  const lines = readFileSync(join(folder, 'boundaries.geojsonl'), 'utf8').trimEnd().split('\n');
  const boundaries = lines.map((line): Boundary => JSON.parse(line));

  /** The boundaries in force on a day. */
  const on = (day: string): Boundary[] =>
    boundaries.filter(
      ({ properties: { start_date, end_date } }) => start_date <= day && (end_date === undefined || day <= end_date),
    );

  test.each(['2023-01-03', '2025-01-02', '2025-01-03'])(
    'of the states with several have a generalised boundary each on %s',
    (day) => {
      const several = new Set(seatsByState().flatMap(({ state, count }) => (count > 1 ? [state] : [])));
      const expected = dataset.districts.filter(({ type, state = '' }) => type === 'Congress' && several.has(state));
      expect(
        on(day)
          .map(({ properties }) => String(properties.district_id))
          .sort(),
      ).toEqual(expected.map(({ id }) => id).sort());
      expect(boundaries.every(({ properties }) => !properties.precise)).toBe(true);
    },
  );

  test('have maps of Maine and New Mexico until 2023, and new ones of five states since 2025', () => {
    const states = new Map(dataset.districts.map(({ id, state = '' }) => [id, state]));
    const stateOf = ({ properties }: Boundary) => states.get(String(properties.district_id));
    const before2023 = boundaries.filter(({ properties }) => properties.start_date < '2023-01-03');
    const since2025 = boundaries.filter(({ properties }) => properties.start_date === '2025-01-03');
    expect(before2023.map(stateOf)).toEqual(['ME', 'ME', 'NM', 'NM', 'NM']);
    expect([...new Set(since2025.map(stateOf))].sort()).toEqual(['AL', 'GA', 'LA', 'NC', 'NY']);
    expect(before2023.every(({ properties }) => properties.end_date === '2023-01-02')).toBe(true);
  });

  test.each([11301, 11302])('that a new map did not change keep their outline: %i', (id) => {
    const [before, after] = ['2025-01-02', '2025-01-03'].map(
      (day) => on(day).find(({ properties }) => properties.district_id === id)?.geometry,
    );
    expect(after).toEqual(before);
  });

  test.each(['2018-11-06', '2023-01-03', '2025-01-03'])(
    'share their borders on %s: each edge is that of one district, or of two in opposite directions',
    (day) => {
      const edges = new Map<string, number>();
      for (const { geometry } of on(day)) {
        for (const ring of geometry.coordinates.flat()) {
          for (const [index, end] of ring.slice(1).entries()) {
            const key = `${ring[index]} ${end}`;
            edges.set(key, (edges.get(key) ?? 0) + 1);
          }
        }
      }
      expect([...edges.values()].filter((count) => count > 1)).toEqual([]);
      const shared = [...edges.keys()].filter((key) => edges.has(key.split(' ').reverse().join(' ')));
      // The map of 2018 is that of Maine and New Mexico alone, of which the most is coast and the borders of the states.
      expect(shared.length).toBeGreaterThan(day < '2023' ? 0 : edges.size / 3);
    },
  );
});

describe('the federal offices', () => {
  test('every state has two senators of different classes and all its seats of the House', () => {
    const senators = dataset.offices.filter(({ level, type }) => level === 'Federal' && type === 'Senator');
    expect(senators).toHaveLength(100);
    expect(new Set(senators.map(({ district_id, seat }) => `${district_id} ${seat}`)).size).toBe(100);
    const held = new Set(dataset.officeholders.map(({ office_id }) => office_id));
    const federal = dataset.offices.filter(({ level }) => level === 'Federal');
    const vacant = federal.filter(({ id = '' }) => !held.has(id));
    // Vacant on the day of the snapshot.
    expect(vacant.map(({ district_id }) => district_id)).toEqual(['10614', '11220', '11313', '14823']);
    for (const { state, count } of seatsByState()) expect(count, state).toBe(houseSeats(state, '2026-06-15') ?? 1);
  });

  test('the parties of the contract keep their ids', () => {
    const names = 'Republican Democratic Libertarian Green Independent Constitution Nonpartisan';
    expect(dataset.parties.slice(0, 7).map(({ name }) => name)).toEqual(names.split(' '));
  });
});

const candidatesOf = (race?: string) => dataset.candidates.filter(({ race_id }) => race_id === race);
const byVotes = (race: string) =>
  candidatesOf(race).toSorted((a, b) => Number(b.votes_for_cand) - Number(a.votes_for_cand));
const votes = (race: string) => byVotes(race).map(({ votes_for_cand }) => Number(votes_for_cand));

describe('the elections', () => {
  test('the days are those of the law, for the 50 states and DC', () => {
    expect([2018, 2020, 2022, 2024].map(generalElectionDay)).toEqual([
      '2018-11-06',
      '2020-11-03',
      '2022-11-08',
      '2024-11-05',
    ]);
    for (const day of ['2026-11-03', '2028-11-07']) {
      expect(dataset.elections.filter(({ date, type }) => date === day && type === 'General')).toHaveLength(51);
    }
  });

  test('a race has candidates, and as many winners as seats or no outcome at all', () => {
    for (const { id, number_of_seats } of dataset.races) {
      const status = candidatesOf(id).map(({ cand_status }) => cand_status);
      expect(status.length, `race ${id}`).toBeGreaterThan(0);
      if (status.every((each) => each === '')) continue;
      expect(status.filter((each) => each === 'Won').length, `race ${id}`).toBe(Number(number_of_seats));
      expect(status.filter((each) => each === 'Lost').length, `race ${id}`).toBe(
        status.length - Number(number_of_seats),
      );
    }
  });

  test('every race has an outcome: by rounds, by votes, or by the member who then took office', () => {
    const open = dataset.races.filter(({ id }) => candidatesOf(id).every(({ cand_status }) => cand_status === ''));
    expect(open).toEqual([]);
  });

  test('a person is a candidate of a race once, and no pseudo-candidate is a person', () => {
    const pairs = dataset.candidates.map(({ race_id, person_id }) => `${race_id} ${person_id}`);
    expect(new Set(pairs).size).toBe(pairs.length);
    const pseudo = /blank|vote|write-?in|other|scatter|unknown|fictional|^(yes|no)$/i;
    expect(dataset.persons.filter(({ name = '' }) => pseudo.test(name))).toEqual([]);
  });

  test("totals that are known: Maine's first district in 2018, without double counting", () => {
    expect(votes('1823301')).toEqual([201_195, 111_188, 29_670]);
  });
});

describe('the view of callers without the grant results', () => {
  const contested = dataset.races
    .map(({ id }) => candidatesOf(id))
    .filter((candidates) => candidates.length > 1 && candidates.some(({ cand_status }) => cand_status === 'Won'));

  test.each(['id', 'person_id'])('the order of %s does not follow the results', (column) => {
    const places = contested.map((candidates) => {
      const sorted = candidates.toSorted((a, b) => Number(a[column]) - Number(b[column]));
      return { place: sorted.findIndex(({ cand_status }) => cand_status === 'Won'), last: sorted.length - 1 };
    });
    const first = places.filter(({ place }) => place === 0).length;
    const last = places.filter(({ place, last }) => place === last).length;
    expect(contested.length).toBeGreaterThan(50);
    // By chance each is 22 of 57.
    expect(Math.max(first, last)).toBeLessThan(contested.length * 0.6);
  });

  test('the candidates of a race are numbered from 1, and all persons have ids of the same form', () => {
    for (const { id } of dataset.persons) expect(id).toMatch(/^\d{9}$/);
    for (const candidates of contested) {
      const last = candidates.map(({ id = '' }) => id.slice(-2));
      expect(last).toEqual(candidates.map((_, index) => String(index + 1).padStart(2, '0')));
      expect(candidates[0]?.id).toMatch(new RegExp(`^${candidates[0]?.race_id}`));
    }
  });

  test('no source from after an election names the candidate who took the office', () => {
    const races = new Map(dataset.races.map(({ id, year }) => [id, year]));
    const reported = dataset.candidates.filter(({ is_incumbent, fec_id }) => is_incumbent !== '' || fec_id !== '');
    expect(reported.filter(({ race_id }) => races.get(race_id) === '2018')).toEqual([]);
    expect(reported.length).toBeGreaterThan(0);
  });
});

describe('the ranked-choice rounds', () => {
  const roundsOf = (candidate?: string) =>
    dataset.ranked_choice_rounds.filter(({ candidate_id }) => candidate_id === candidate);

  test('are numbered from 1, are never negative, and add up to the votes of the candidate', () => {
    const ranked = dataset.candidates.filter(({ id }) => roundsOf(id).length > 0);
    expect(ranked).toHaveLength(7);
    for (const { id, votes_for_cand, cand_status } of ranked) {
      const rounds = roundsOf(id);
      expect(rounds.map(({ round }) => Number(round))).toEqual(rounds.map((_, index) => index + 1));
      const gains = rounds.map(({ votes_for }) => Number(votes_for));
      expect(Math.min(...gains)).toBeGreaterThanOrEqual(0);
      expect(gains.reduce((sum, gain) => sum + gain, 0)).toBe(Number(votes_for_cand));
      expect(rounds.at(-1)?.status).toBe(cand_status);
    }
  });

  test("Maine's second district in 2018 is won in the second round from the second place", () => {
    expect(byVotes('1823302').map(({ id }) => roundsOf(id).map(({ votes_for }) => Number(votes_for)))).toEqual([
      [132_013, 10_427],
      [134_184, 4_747],
      [16_552],
      [6_875],
    ]);
    expect(byVotes('1823302').map(({ cand_status }) => cand_status)).toEqual(['Won', 'Lost', 'Lost', 'Lost']);
  });
});

test('a measure is approved with more yes votes than no votes', () => {
  const counted = dataset.ballot_measures.filter(({ yes_votes_total }) => yes_votes_total !== '');
  expect(counted).toHaveLength(8);
  for (const { status, yes_votes_total, no_votes_total } of counted) {
    expect(status).toBe(Number(yes_votes_total) > Number(no_votes_total) ? 'Approved' : 'Defeated');
  }
});

const hasData = existsSync(dataFolder);
test.skipIf(!hasData)(
  `compiling again gives the same bytes${hasData ? '' : ' (skipped: no data folder)'}`,
  { timeout: 400_000 },
  async () => {
    const output = mkdtempSync(join(tmpdir(), 'sample-'));
    onTestFinished(() => rmSync(output, { recursive: true }));
    writeSample(await compileSample(dataFolder), output);
    for (const name of filesIn(output)) {
      expect(readFileSync(join(output, name), 'utf8'), name).toBe(readFileSync(join(folder, name), 'utf8'));
    }
  },
);
