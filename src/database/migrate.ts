import { type Kysely, sql } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import * as provenance from '../../db/migrations/0001-provenance.ts';
import * as districts from '../../db/migrations/0002-districts.ts';
import * as officials from '../../db/migrations/0003-officials.ts';
import * as access from '../../db/migrations/0004-access.ts';
import * as elections from '../../db/migrations/0005-elections.ts';
import * as exports from '../../db/migrations/0006-exports.ts';
import * as rateLimits from '../../db/migrations/0007-rate-limits.ts';
import * as dataChanges from '../../db/migrations/0008-data-changes.ts';
import * as clusteredPieces from '../../db/migrations/0009-clustered-pieces.ts';
import * as exportSandbox from '../../db/migrations/0010-export-sandbox.ts';
import * as sharedSecret from '../../db/migrations/0011-shared-secret.ts';
import * as missing from '../../db/migrations/0012-missing.ts';
import * as webAddresses from '../../db/migrations/0013-web-addresses.ts';
import * as dateRules from '../../db/migrations/0014-date-rules.ts';
import * as persons from '../../db/migrations/0015-persons.ts';
import * as coverage from '../../db/migrations/0016-coverage.ts';
import * as officesOnDay from '../../db/migrations/0017-offices-on-a-day.ts';
import * as incumbency from '../../db/migrations/0018-incumbency.ts';
import * as splitPersons from '../../db/migrations/0019-split-persons.ts';
import * as ballotOrder from '../../db/migrations/0020-ballot-order.ts';
import * as electionKeys from '../../db/migrations/0021-election-keys.ts';
import * as identifiers from '../../db/migrations/0022-identifiers.ts';
import * as updateTimes from '../../db/migrations/0024-update-times.ts';
import * as secretElectionKeys from '../../db/migrations/0025-secret-election-keys.ts';
import * as officesInBallotOrder from '../../db/migrations/0026-offices-in-ballot-order.ts';
import * as places from '../../db/migrations/0027-places.ts';
import * as parityOfAddressRanges from '../../db/migrations/0028-parity-of-address-ranges.ts';
import * as coverageOfAState from '../../db/migrations/0029-coverage-of-a-state.ts';
import * as sharedOcdIds from '../../db/migrations/0030-shared-ocd-ids.ts';
import * as incumbencyOfLoadedPersons from '../../db/migrations/0031-incumbency-of-loaded-persons.ts';
import * as upcomingTermsWithoutDays from '../../db/migrations/0032-upcoming-terms-without-days.ts';
import * as similarStreets from '../../db/migrations/0033-similar-streets.ts';
import * as limitsOfPresetPackages from '../../db/migrations/0034-limits-of-preset-packages.ts';
import * as boundaryShares from '../../db/migrations/0035-boundary-shares.ts';
import * as largeVoteCounts from '../../db/migrations/0036-large-vote-counts.ts';
import * as transferredVotes from '../../db/migrations/0037-transferred-votes.ts';
import * as boundariesOfRaces from '../../db/migrations/0038-boundaries-of-races.ts';
import * as searchWords from '../../db/migrations/0039-search-words.ts';
import * as statuses from '../../db/migrations/0040-statuses.ts';
import * as deceasedCandidates from '../../db/migrations/0041-deceased-candidates.ts';
import * as scopeBasis from '../../db/migrations/0045-scope-basis.ts';
import * as electionOffices from '../../db/migrations/0047-election-offices.ts';
import * as unknownSeats from '../../db/migrations/0048-unknown-seats.ts';
import * as mapOverlaps from '../../db/migrations/0050-map-overlaps.ts';
import * as edgesOfBoundaries from '../../db/migrations/0051-edges-of-boundaries.ts';
import * as overlapsOnGrid from '../../db/migrations/0052-overlaps-on-a-grid.ts';
import * as storedMapOverlaps from '../../db/migrations/0053-stored-map-overlaps.ts';
import * as keyManagement from '../../db/migrations/0054-key-management.ts';
import * as secretRotation from '../../db/migrations/0055-secret-rotation.ts';

const migrations: Record<string, Migration> = {
  '0001-provenance': provenance,
  '0002-districts': districts,
  '0003-officials': officials,
  '0004-access': access,
  '0005-elections': elections,
  '0006-exports': exports,
  '0007-rate-limits': rateLimits,
  '0008-data-changes': dataChanges,
  '0009-clustered-pieces': clusteredPieces,
  '0010-export-sandbox': exportSandbox,
  '0011-shared-secret': sharedSecret,
  '0012-missing': missing,
  '0013-web-addresses': webAddresses,
  '0014-date-rules': dateRules,
  '0015-persons': persons,
  '0016-coverage': coverage,
  '0017-offices-on-a-day': officesOnDay,
  '0018-incumbency': incumbency,
  '0019-split-persons': splitPersons,
  '0020-ballot-order': ballotOrder,
  '0021-election-keys': electionKeys,
  '0022-identifiers': identifiers,
  '0024-update-times': updateTimes,
  '0025-secret-election-keys': secretElectionKeys,
  '0026-offices-in-ballot-order': officesInBallotOrder,
  '0027-places': places,
  '0028-parity-of-address-ranges': parityOfAddressRanges,
  '0029-coverage-of-a-state': coverageOfAState,
  '0030-shared-ocd-ids': sharedOcdIds,
  '0031-incumbency-of-loaded-persons': incumbencyOfLoadedPersons,
  '0032-upcoming-terms-without-days': upcomingTermsWithoutDays,
  '0033-similar-streets': similarStreets,
  '0034-limits-of-preset-packages': limitsOfPresetPackages,
  '0035-boundary-shares': boundaryShares,
  '0036-large-vote-counts': largeVoteCounts,
  '0037-transferred-votes': transferredVotes,
  '0038-boundaries-of-races': boundariesOfRaces,
  '0039-search-words': searchWords,
  '0040-statuses': statuses,
  '0041-deceased-candidates': deceasedCandidates,
  '0045-scope-basis': scopeBasis,
  '0047-election-offices': electionOffices,
  '0048-unknown-seats': unknownSeats,
  '0050-map-overlaps': mapOverlaps,
  '0051-edges-of-boundaries': edgesOfBoundaries,
  '0052-overlaps-on-a-grid': overlapsOnGrid,
  '0053-stored-map-overlaps': storedMapOverlaps,
  '0054-key-management': keyManagement,
  '0055-secret-rotation': secretRotation,
};

const provider: MigrationProvider = { getMigrations: async () => migrations };

/**
 * Migrates the schema of a database, under the lock of Kysely's migrator, so that two commands that start at the same
 * time do it only once.
 * @returns the names of the executed migrations, oldest first.
 * @throws Error with the name of the failed migration; the schema is then unchanged.
 */
export async function migrate<T>(db: Kysely<T>): Promise<string[]> {
  const { error, results } = await new Migrator({ db, provider }).migrateToLatest();
  if (error) {
    const failed = results?.find((result) => result.status === 'Error');
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(`The schema could not be migrated${failed ? ` (${failed.migrationName})` : ''}: ${cause}`, {
      cause: error,
    });
  }
  return (results ?? []).map((result) => result.migrationName);
}

/**
 * Returns whether a database has every migration of this version of the program.
 * @throws Error if the database is unavailable.
 */
export async function isMigrated<T>(db: Kysely<T>): Promise<boolean> {
  const found = await sql<{ present: boolean }>`select to_regclass('kysely_migration') is not null as present`.execute(
    db,
  );
  if (!found.rows[0]?.present) return false;
  const done = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const names = new Set(done.rows.map((row) => row.name));
  return Object.keys(migrations).every((name) => names.has(name));
}
