import type { Draw } from '../drawn/random.ts';
import { addDays } from './days.ts';
import { type DrawnDistrict, drawDistricts } from './map.ts';

type Row = Readonly<Record<string, string | number | boolean | null>>;

/** A country with all of its records, as rows of the exchange format. */
export interface World {
  readonly districts: readonly DrawnDistrict[];
  readonly electionDays: readonly string[];
  /** The days on which something begins or ends. */
  readonly turningDays: readonly string[];
  /** The files of a dataset folder by their names. */
  readonly files: Readonly<Record<string, string>>;
}

const LEAP_DAYS = ['2020-02-29', '2023-02-28', '2024-02-28', '2024-02-29', '2024-03-01', '2025-02-28', '2025-03-01'];
const ELECTION_DAYS = ['2017-12-31', '2018-01-01', '2022-11-08', '2024-11-05', '2026-11-03'];

export function drawWorld(draw: Draw): World {
  const districts = drawDistricts(draw);
  const turns = districts.flatMap(({ maps }) =>
    maps.flatMap(({ period }) => [period.start, period.end ?? '2024-02-29']),
  );
  const aboutTurns = turns.map((day) => addDays(day, draw.integer(-1, 1)));
  const offices = drawOffices(draw, districts);
  const officeholders = drawOfficeholders(draw, offices);
  const electionDays = [
    ...new Set([...draw.some([...LEAP_DAYS, ...ELECTION_DAYS], 0.7), draw.pick(aboutTurns), '2022-11-08']),
  ];
  const elections = once(
    electionDays.flatMap((date) => drawElections(draw, districts, date)),
    ['date', 'type', 'district_id'],
  ).map(numbered);
  const races = once(
    elections.flatMap((election) => drawRaces(draw, offices, election, aboutTurns)),
    ['election_id', 'office_id', 'type'],
  ).map(numbered);
  const candidates = races
    .flatMap(({ id }) => {
      const first = draw.integer(1, 9);
      return Array.from({ length: draw.pick([0, 1, 1, 2]) }, (_, index) => ({
        ...{ race_id: id, person_id: ((first + index) % 9) + 1, is_write_in: draw.chance(0.3) },
      }));
    })
    .map(numbered);
  const measures = once(
    elections.flatMap(({ id }) =>
      Array.from({ length: draw.integer(0, 3) }, () => ({
        ...{ election_id: id, district_id: draw.pick(districts).id, name: `Question ${draw.integer(1, 3)}` },
      })),
    ),
    ['election_id', 'district_id', 'name'],
  ).map(numbered);
  const persons = Array.from({ length: 9 }, (_, index) => ({ id: index + 1, name: `Person ${index + 1}` }));
  const terms = officeholders.flatMap(({ start_date, end_date }) => [start_date, end_date ?? start_date]);
  return {
    districts,
    electionDays,
    turningDays: [...new Set([...turns, ...terms, ...LEAP_DAYS])],
    files: {
      'dataset.json': JSON.stringify({ name: 'A country drawn at random' }),
      'districts.csv': csv(districts.map(({ id, type, name, state }) => ({ id, type, name, state }))),
      'boundaries.geojsonl': boundaryLines(districts),
      'offices.csv': csv(offices),
      'persons.csv': csv(persons),
      'officeholders.csv': csv(officeholders),
      'elections.csv': csv(elections),
      'races.csv': csv(races),
      'candidates.csv': csv(candidates),
      'ballot_measures.csv': csv(measures),
    },
  };
}

/** The rows without those that are equal to another one in some columns: each record exists once. */
const once = <Item extends Row>(rows: readonly Item[], columns: readonly (keyof Item)[]): Item[] => [
  ...new Map(rows.map((row) => [JSON.stringify(columns.map((column) => row[column])), row])).values(),
];

const numbered = <Item extends Row>(row: Item, index: number) => ({ id: index + 1, ...row });

type Office = { id: number; district_id: number };

function drawOffices(draw: Draw, districts: readonly DrawnDistrict[]): (Row & Office)[] {
  const drawn = districts.flatMap(({ id }) =>
    Array.from({ length: draw.integer(0, 2) }, () => ({
      ...{ district_id: id, name: `Office ${draw.integer(1, 4)}`, level: 'State' },
      ...{ branch: draw.pick(['Executive', 'Legislative', 'Judicial']), seat: draw.pick([null, 'A', 'B']) },
    })),
  );
  return once(drawn, ['district_id', 'name', 'branch', 'seat']).map(numbered);
}

/** Terms one after the other: they share a day, adjoin, overlap or leave a gap, and the last may be open. */
function drawOfficeholders(draw: Draw, offices: readonly Office[]) {
  const rows = offices.flatMap(({ id }) => {
    let start = draw.pick(['2016-02-29', '2017-01-03', '2019-03-01']);
    return Array.from({ length: draw.integer(0, 4) }, (_, index) => {
      const end = draw.pick([addDays(start, draw.integer(1, 900)), '2020-02-29', '2024-02-29', '2023-01-03']);
      const isOpen = index === 3 || draw.chance(0.15);
      // The specification does not say who holds an office on the only day of a term.
      const last = end <= start ? addDays(start, 1) : end;
      const term = { office_id: id, start_date: start, end_date: isOpen ? null : last };
      start = addDays(term.end_date ?? start, draw.pick([0, 0, 1, 2, -30, 60]));
      return { ...term, person_id: draw.integer(1, 9), status: term.end_date === null ? 'Current' : 'Former' };
    });
  });
  return once(rows, ['office_id', 'person_id', 'start_date']).map(numbered);
}

function drawElections(draw: Draw, districts: readonly DrawnDistrict[], date: string) {
  return Array.from({ length: draw.integer(1, 4) }, () => ({
    ...{ date, type: draw.pick(['General', 'Primary', 'Special']), district_id: draw.pick(districts).id },
    candidate_lists_complete: draw.chance(0.7),
  }));
}

function drawRaces(
  draw: Draw,
  offices: readonly Office[],
  election: { id: number; date: string },
  turns: readonly string[],
) {
  const year = Number(election.date.slice(0, 4));
  return Array.from({ length: draw.integer(1, 12) }, () => ({
    ...{ election_id: election.id, office_id: draw.pick(offices).id, year: year + draw.pick([0, 0, 0, 1, -1]) },
    ...{
      type: draw.pick(['Regular', 'Regular', 'Special', 'Recall', 'Retention']),
      stage_type: 'General',
      number_of_seats: 1,
    },
    swearing_in_date: draw.chance(0.4) ? null : draw.pick([...turns, addDays(election.date, draw.integer(1, 90))]),
  }));
}

function csv(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? { id: 1 });
  const line = (row: Row) => names.map((name) => row[name] ?? '').join(',');
  return [names.join(','), ...rows.map(line), ''].join('\n');
}

function boundaryLines(districts: readonly DrawnDistrict[]): string {
  return districts
    .flatMap(({ id, maps }) =>
      maps.map(({ period, shape }) => {
        const properties = { district_id: id, start_date: period.start, end_date: period.end, precise: true };
        return JSON.stringify({ type: 'Feature', properties, geometry: { type: 'MultiPolygon', coordinates: shape } });
      }),
    )
    .join('\n');
}
