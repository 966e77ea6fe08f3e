import type { Draw } from '../drawn/random.ts';
import { addDays } from './days.ts';
import { type DrawnDistrict, drawDistricts } from './map.ts';

type Row = Readonly<Record<string, string | number | boolean | null>>;

/** A row of the table `precinct_results`, which the exchange format does not have. */
export interface PrecinctRow {
  readonly race_id: number;
  readonly county: string;
  readonly town: string;
  readonly precinct: string;
  readonly district_id: number | null;
  readonly candidate_ids: number[];
  readonly votes: number[];
}

/** A country with all of its records, as rows of the exchange format. */
export interface World {
  readonly districts: readonly DrawnDistrict[];
  readonly electionDays: readonly string[];
  /** The days on which something begins or ends. */
  readonly turningDays: readonly string[];
  readonly electionIds: readonly number[];
  readonly raceIds: readonly number[];
  readonly precinctRows: readonly PrecinctRow[];
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
        votes_for_cand: draw.pick([null, 10, 20, 30]),
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
    electionIds: elections.map(({ id }) => id),
    raceIds: races.map(({ id }) => id),
    precinctRows: drawPrecinctRows(draw, districts, candidates),
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
      'voting_places.csv': csv(drawPlaces(draw, districts, elections)),
      'deadlines.csv': csv(drawDeadlines(draw, districts, elections)),
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
    ...{ candidate_lists_complete: draw.chance(0.7) },
    status: draw.pick([null, null, null, null, 'Scheduled', 'Postponed', 'Cancelled', 'Certified']),
    voting: draw.pick([null, 'By mail only', 'Places not published']),
  }));
}

/** Places of elections: of precincts, towns and others; some of several districts or of none, closed, or without a point. */
function drawPlaces(
  draw: Draw,
  districts: readonly DrawnDistrict[],
  elections: readonly { readonly id: number; readonly date: string }[],
): Row[] {
  const local = districts.filter(({ type }) => ['Precinct', 'City-town', 'County'].includes(type));
  const corners = districts
    .flatMap(({ maps }) => maps.flatMap(({ shape }) => shape[0]?.[0] ?? []))
    .map((position) => position.map((degrees) => Number(degrees.toFixed(6))));
  return elections
    .filter(() => draw.chance(0.7))
    .flatMap(({ id, date }) =>
      draw.some(local, 0.4).map((district) => {
        const [longitude, latitude] = draw.chance(0.7) ? draw.pick(corners) : [null, null];
        const others = draw.some([draw.pick(local).id, draw.pick(districts).id], 0.15);
        const status = draw.pick([null, null, null, 'Closed', 'Moved']);
        return {
          ...{ election_id: id, name: draw.pick(['Hall 1', 'Hall 2', 'hall 1', 'École', 'Library, "west"']) },
          kind: draw.pick(['Election day', 'Election day', 'Vote center', 'Early voting', 'Drop box']),
          ...{ longitude, latitude, status, moved_to: status === 'Moved' ? draw.pick([null, 'Hall 3']) : null },
          district_ids: draw.chance(0.1) ? null : [...new Set([district.id, ...others])].join(';'),
          hours: draw.pick([null, '7 to 7']),
          open_intervals: draw.chance(0.3) ? `${date}T07:00/${date}T12:00;${date}T13:00/${date}T19:00` : null,
          ...{ time_zone: draw.pick([null, 'America/Denver']), notes: draw.pick([null, 'Side door']) },
        };
      }),
    )
    .map(numbered);
}

const DEADLINE_KINDS = [
  ...['Register online', 'Register by mail, postmarked', 'Register by mail, received', 'Register in person'],
  ...['Request ballot', 'Return ballot, received', 'Early voting from'],
];
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Rules of states and other districts, and days that are stated for elections. */
function drawDeadlines(
  draw: Draw,
  districts: readonly DrawnDistrict[],
  elections: readonly { readonly id: number; readonly date: string; readonly district_id: number }[],
): Row[] {
  const text = () => ({
    ...{ phrase: draw.pick([null, 'As the law says']), language: draw.pick([null, 'en']) },
    translations: draw.pick([
      null,
      '{"es":{"label":"Plazo 1","phrase":"Como dice la ley"}}',
      '{"es":{"phrase":"Como dice la ley 2"},"zh-Hant":{"label":"3","phrase":"4"}}',
    ]),
    as_of: draw.pick([null, '2019-07-25', '2024-11-05']),
  });
  const rules = districts
    .filter(({ type }) => type === 'State' || draw.chance(0.1))
    .flatMap(({ id }) =>
      draw.some(DEADLINE_KINDS, 0.5).map((kind) => {
        const days = draw.pick([null, 0, 1, 4, 10, 15, 30]);
        return {
          ...{ district_id: id, election_id: null, kind, ...text(), days_before: days },
          day_kind: days === null ? null : draw.pick(['Calendar', 'Calendar', 'Business']),
          ...{ weekday: days === null ? null : draw.pick([null, null, ...WEEKDAYS]), day: null, time: null },
        };
      }),
    );
  const states = districts.filter(({ type }) => type === 'State');
  const stated = elections.flatMap(({ id, date, district_id }) =>
    draw.some(DEADLINE_KINDS, 0.15).map((kind) => ({
      ...{ district_id: draw.pick([district_id, draw.pick(states).id]), election_id: id, kind, ...text() },
      ...{ days_before: null, day_kind: null, weekday: null },
      ...{ day: addDays(date, -draw.integer(0, 40)), time: draw.pick([null, '17:00']) },
    })),
  );
  return [...rules, ...stated].map(numbered);
}

/** Votes by precinct of some races, whose sums are those of the race or not, with hidden counts. */
function drawPrecinctRows(
  draw: Draw,
  districts: readonly DrawnDistrict[],
  candidates: readonly { readonly id: number; readonly race_id: number }[],
): PrecinctRow[] {
  const precincts = districts.filter(({ type }) => type === 'Precinct').map(({ id }) => id);
  const races = Map.groupBy(candidates, ({ race_id }) => race_id);
  return draw.some([...races], 0.5).flatMap(([race_id, all]) => {
    const names = draw.some(['1', '01', '10', 'ABSENTEE', 'É'], 0.6);
    return names.map((precinct) => {
      const counted = draw.some(all, 0.8);
      return {
        ...{ race_id, precinct, county: draw.pick(['', 'KENT', 'KENT 2']), town: draw.pick(['', 'Dover']) },
        district_id: draw.pick([null, ...precincts]),
        candidate_ids: counted.map(({ id }) => id),
        votes: counted.map(() => draw.pick([10, 10, 20, 0, null]) as number),
      };
    });
  });
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
  const cellOf = (value: Row[string] | undefined) => {
    const text = String(value ?? '');
    return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const line = (row: Row) => names.map((name) => cellOf(row[name])).join(',');
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
