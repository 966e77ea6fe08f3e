/**
 * Prints, for each result file, what an import stores of it, as a table:
 *
 *   npm run node -- test/import-audit/outcomes.ts FOLDER [NAME]... > table.md
 *
 * FOLDER contains `data` and `more-data` with result files, of which each NAME selects those whose names contain it. Each
 * file is imported into the database at DATABASE_URL in a transaction that is rolled back. With `--outcomes FILE`, the
 * races are written to FILE as lines of JSON, to compare two versions of the importers.
 */
import { appendFileSync, globSync } from 'node:fs';
import { basename } from 'node:path';
import { sql } from 'kysely';
import { runImport } from '../../src/importers/import.ts';
import { inOneTransaction } from '../../src/importers/load/transaction.ts';
import { openAuditedDatabase } from './database.ts';

const args = process.argv.slice(2);
const at = args.indexOf('--outcomes');
const [, output] = at < 0 ? [] : args.splice(at, 2);
const [folder = '', ...selected] = args;
const db = openAuditedDatabase();

interface Race {
  readonly office: string;
  readonly district: string;
  readonly position: string | null;
  readonly basis: string | null;
  readonly seats: number;
  readonly votes: number;
  readonly won: readonly string[];
  readonly candidates: Readonly<Record<string, number | null>>;
}

function racesOf(path: string): Promise<readonly Race[]> {
  const source = path.includes('/medsl/') ? 'medsl' : 'openelections';
  return inOneTransaction(db, true, async (transaction) => {
    await runImport(transaction, source, [path]);
    const basis = await sql<{ found: boolean }>`
      select exists (select from information_schema.columns where table_name = 'races' and column_name = 'scope_basis') as found`.execute(
      transaction,
    );
    const { rows } = await sql<Race>`
      select o.name as office, d.type || ': ' || d.name as district, r.office_position as position,
        ${basis.rows[0]?.found ? sql`r.scope_basis::text` : sql`null`} as basis, r.number_of_seats as seats,
        coalesce(sum(c.votes_for_cand), 0)::float8 as votes,
        coalesce(json_agg(p.name order by p.name) filter (where c.cand_status = 'Won'), '[]') as won,
        json_object_agg(p.name, c.votes_for_cand) as candidates
      from races as r join offices as o on o.id = r.office_id join districts as d on d.id = o.district_id
      join candidates as c on c.race_id = r.id join persons as p on p.id = c.person_id
      where c.xmin::text = pg_current_xact_id()::xid::text group by r.id, o.id, d.id order by d.name, o.name, r.office_position`.execute(
      transaction,
    );
    return rows;
  });
}

const BASES = ['Stated', 'Law', 'Same candidates', 'County'];
const files = globSync(`${folder}/{data,more-data}/results/{medsl/*/*.zip,openelections/*/*.csv}`).sort();
process.stdout.write(
  `| file | races | votes | with an outcome | ${BASES.join(' | ')} | seconds |\n|---|--:|--:|--:|${'--:|'.repeat(BASES.length + 1)}\n`,
);
for (const path of files.filter((each) => selected.length === 0 || selected.some((name) => each.includes(name)))) {
  const start = performance.now();
  try {
    const races = await racesOf(path);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const counts = BASES.map((basis) => {
      const of = races.filter((race) => race.basis === basis);
      return `${of.filter(({ won }) => won.length > 0).length} of ${of.length}`;
    });
    const decided = races.filter(({ won }) => won.length > 0).length;
    const votes = races.reduce((sum, race) => sum + race.votes, 0);
    process.stdout.write(`| ${[basename(path), races.length, votes, decided, ...counts, seconds].join(' | ')} |\n`);
    if (output)
      for (const race of races) appendFileSync(output, `${JSON.stringify({ file: basename(path), ...race })}\n`);
  } catch (error) {
    process.stdout.write(`| ${basename(path)} | ${error instanceof Error ? error.message : String(error)} |\n`);
  }
}
await db.destroy();
