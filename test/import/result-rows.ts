import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type ImportOptions, type ReportEntry, runImport, type SourceName } from '../../src/importers/import.ts';
import { inOneTransaction } from '../../src/importers/load/transaction.ts';
import type { Database } from '../../src/store/sql/database.ts';

export const HEADER =
  'precinct,office,party_detailed,mode,votes,county_name,county_fips,jurisdiction_name,jurisdiction_fips,candidate,district,magnitude,dataverse,stage,special,writein,state_po,date';

export interface Row {
  office: string;
  candidate: string;
  votes: string | number;
  precinct?: string;
  county?: string;
  fips?: string;
  district?: string;
  dataverse?: string;
  mode?: string;
  magnitude?: number;
  town?: string;
  stage?: string;
  party?: string;
  writeIn?: boolean;
  state?: string;
}

/** A row of a file, of Nebraska unless it says another state. */
export const line = (row: Row): string => {
  const { precinct = '1', county = 'ADAMS', fips = '31001', district = '', dataverse = '', mode = 'TOTAL' } = row;
  const { magnitude = 1, town = county, stage = 'GEN', party = '', writeIn = false, state = 'NE' } = row;
  const cells = [precinct, row.office, party, mode, row.votes, county, fips, town, fips, row.candidate, district];
  return [...cells, magnitude, dataverse, stage, 'FALSE', writeIn ? 'TRUE' : 'FALSE', state, '2022-11-08']
    .map((cell) => `"${String(cell).replaceAll('"', '""')}"`)
    .join(',');
};

interface Stored {
  office: string;
  district: string;
  type: string;
  position: string | null;
  kind: string;
  date: string;
  seats: number;
  basis: string | null;
  stage: string;
  candidates: Record<string, number | null>;
  won: string[];
  stageParty: string | null;
  parties: Record<string, string[]>;
}

export interface Imported {
  races: Stored[];
  measures: Record<string, unknown>[];
  report: readonly ReportEntry[];
  reasons: string;
}

/** Imports rows of MEDSL, returns what is stored, and undoes the import. */
export function importRows(
  database: { readonly db: Database },
  rows: readonly (Row | string)[],
  options: ImportOptions = {},
  others: Record<string, string> = {},
): Promise<Imported> {
  const text = [HEADER, ...rows.map((row) => (typeof row === 'string' ? row : line(row))), ''].join('\n');
  return importFiles(database, 'medsl', { ...others, 'a.csv': text }, options);
}

/** Imports files of a source, returns what is stored, and undoes the import. */
export async function importFiles(
  { db: on }: { readonly db: Database },
  source: SourceName,
  files: Record<string, string>,
  options: ImportOptions = {},
): Promise<Imported> {
  const folder = mkdtempSync(join(tmpdir(), 'contests-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const { races, measures, report } = await inOneTransaction(on, true, async (db) => {
    const { report } = await runImport(db, source, [folder], options);
    const found = await sql<Stored>`
      select o.name as office, d.name as district, d.type, r.office_position as position, r.type as kind, e.date,
        r.number_of_seats as seats, r.scope_basis as basis, r.stage_type as stage, json_object_agg(p.name, c.votes_for_cand) as candidates,
        coalesce(json_agg(p.name order by p.name) filter (where c.cand_status = 'Won'), '[]') as won, r.stage_party as "stageParty",
        json_object_agg(p.name, array(select a.name from candidate_parties as cp join parties as a on a.id = cp.party_id
          where cp.candidate_id = c.id order by cp.position)) as parties
      from races as r join elections as e on e.id = r.election_id
      join offices as o on o.id = r.office_id join districts as d on d.id = o.district_id
      join candidates as c on c.race_id = r.id join persons as p on p.id = c.person_id
      group by r.id, e.id, o.id, d.id order by o.name, d.name, r.office_position`.execute(db);
    const ofMeasures = await sql<Record<string, unknown>>`
      select m.name, d.name as district, d.type, m.yes_votes_total as yes, m.no_votes_total as no, m.status
      from ballot_measures as m join districts as d on d.id = m.district_id order by m.name, d.name`.execute(db);
    return { races: found.rows, measures: ofMeasures.rows, report };
  });
  return { races, measures, report, reasons: report.map(({ record, reason }) => `${record}: ${reason}`).join('\n') };
}

const COUNTIES = { ADAMS: '31001', BANNER: '31007', CLAY: '31035', DUNDY: '31057' };
/** Returns the row for each of the four counties. */
export const everywhere = (row: Row): Row[] =>
  Object.entries(COUNTIES).map(([county, fips]) => ({ ...row, county, fips, votes: Number(row.votes) }));
