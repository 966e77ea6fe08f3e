import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { countiesOf } from '../../../src/importers/facts/counties.ts';
import { runImport, type SourceName } from '../../../src/importers/import.ts';
import { inOneTransaction } from '../../../src/importers/load/transaction.ts';
import type { Database } from '../../../src/store/sql/database.ts';
import { useDatabase } from '../../support/database.ts';

/**
 * Small tables of results, with the races and the unplaced contests that come of them. The rows of a case have the columns that it
 * shows; the others are those of `DEFAULTS`. A county `*` stands for a row in each county of the state.
 */
interface Case {
  readonly source?: SourceName;
  readonly state?: string;
  readonly date?: string;
  /** The names of the files, if it is not one of MEDSL, with their rows. */
  readonly files?: Readonly<Record<string, string>>;
  readonly rows?: string;
  /** `Sheriff, Kent County: Ann Roe 300 Won; Bo Poe 200 Lost`, after the stage if it is no general election. */
  readonly races: readonly string[];
  /** `office | district | county: votes`. */
  readonly unplaced?: readonly string[];
  /** What the report says among other things. */
  readonly report?: readonly string[];
  /** What it does not say. */
  readonly unreported?: readonly string[];
  /** The message of an import that fails. */
  readonly error?: string;
}

const DEFAULTS = {
  precinct: '1',
  office: '',
  party_detailed: '',
  mode: 'TOTAL',
  votes: '',
  county_name: '',
  candidate: '',
  district: '',
  magnitude: '1',
  stage: 'GEN',
  special: 'FALSE',
  writein: 'FALSE',
  state_po: '',
  date: '',
};
const SHORT: Readonly<Record<string, string>> = { county: 'county_name', party: 'party_detailed', state: 'state_po' };

const quoted = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');

/** Returns the rows of a case as a file of MEDSL. */
function fileOf(rows: string, { state = 'DE', date = '2022-11-08' }: Case): string {
  const [header = [], ...records]: string[][] = parseCsv(rows, { relax_column_count: true, trim: true });
  const names = header.map((name) => SHORT[name] ?? name);
  const columns = [...new Set([...names, ...Object.keys(DEFAULTS)])];
  const constant = { ...DEFAULTS, state_po: state, date };
  const lines = records.flatMap((record) => {
    const own: Record<string, string> = Object.fromEntries(names.map((name, index) => [name, record[index] ?? '']));
    const counties =
      own.county_name === '*' ? countiesOf(state, date).map((each) => each.name) : [own.county_name ?? ''];
    return counties.map((county_name) => {
      const values: Record<string, string> = { ...constant, ...own, county_name };
      return quoted(columns.map((name) => values[name] ?? ''));
    });
  });
  return [columns.join(','), ...lines, ''].join('\n');
}

async function importCase(on: Database, found: Case) {
  const folder = mkdtempSync(join(tmpdir(), 'results-'));
  const { source = 'medsl' } = found;
  const files = Object.entries(found.files ?? { 'a.csv': found.rows ?? '' });
  for (const [name, rows] of files) writeFileSync(join(folder, name), source === 'medsl' ? fileOf(rows, found) : rows);
  try {
    return await inOneTransaction(on, true, async (db) => {
      const { report } = await runImport(db, source, [folder], {});
      return {
        races: await racesIn(db),
        unplaced: await unplacedIn(db),
        report: report.map(({ record, reason }) => `${record}: ${reason}`),
      };
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function racesIn(db: Database): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select concat_ws(', ', nullif(r.stage_type::text, 'General'), r.stage_party, nullif(r.type::text, 'Regular'), o.name,
        d.name, r.office_position, case when r.number_of_seats <> 1 then r.number_of_seats || ' seats' end)
      || ': ' || string_agg(p.name || coalesce(' and ' || c.running_mate, '')
        || coalesce(' (' || array_to_string(array(select a.name from candidate_parties as cp join parties as a on a.id = cp.party_id
            where cp.candidate_id = c.id order by cp.position), ', ') || ')', '')
        || ' ' || coalesce(c.votes_for_cand::text, '?') || coalesce(' ' || c.cand_status, ''), '; '
        order by c.votes_for_cand desc nulls last, p.name) as text
    from races as r join offices as o on o.id = r.office_id join districts as d on d.id = o.district_id
    join candidates as c on c.race_id = r.id join persons as p on p.id = c.person_id
    group by r.id, o.id, d.id`.execute(db);
  const measures = await sql<{ text: string }>`
    select concat_ws(', ', m.name, d.name) || ': Yes ' || coalesce(m.yes_votes_total::text, '?') || '; No '
      || coalesce(m.no_votes_total::text, '?') || coalesce(' ' || m.status, '') as text
    from ballot_measures as m join districts as d on d.id = m.district_id`.execute(db);
  return [...rows, ...measures.rows].map(({ text }) => text.replaceAll(' ()', '')).sort();
}

async function unplacedIn(db: Database): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select concat_ws(' | ', nullif(office, ''), nullif(district, ''), nullif(county, '')) || ': ' || votes as text
    from unplaced_contests`.execute(db);
  return rows.map(({ text }) => text).sort();
}

const database = useDatabase();
const FOLDER = new URL('cases/', import.meta.url);

describe.each(readdirSync(FOLDER))('%s', (name) => {
  const cases: Record<string, Case> = parse(readFileSync(new URL(name, FOLDER), 'utf8'));
  test.each(Object.entries(cases))('%s', async (_, expected) => {
    if (expected.error !== undefined) {
      await expect(importCase(database.db, expected)).rejects.toThrow(expected.error);
      return;
    }
    const found = await importCase(database.db, expected);
    expect({ races: found?.races, unplaced: found?.unplaced }).toEqual({
      races: [...expected.races].sort(),
      unplaced: [...(expected.unplaced ?? [])].sort(),
    });
    for (const sentence of expected.report ?? []) expect(found?.report?.join('\n')).toContain(sentence);
    for (const sentence of expected.unreported ?? []) expect(found?.report?.join('\n')).not.toContain(sentence);
  });
});
