import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { fingerprint } from '../import/folders.ts';
import { testBallots } from './ballots.ts';
import { hasData, useFourStates } from './database.ts';
import { testDistricts } from './districts.ts';
import { testVermont } from './vermont.ts';

const missing = hasData ? (hasUnzip() ? '' : ' (skipped: unzip is not installed)') : ' (skipped: no data folder)';

function hasUnzip(): boolean {
  try {
    execFileSync('unzip', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(missing !== '')(`the four states of db/four-states.yaml${missing}`, () => {
  const states = useFourStates();

  testDistricts(states);
  testBallots(states);
  testVermont(states);

  test('a second run of the manifest changes nothing, not one row', async () => {
    const before = await fingerprint(states.database.db);
    for (const { step, summary } of await states.build()) {
      const changes = summary.files.map(({ inserted, updated, removed }) => inserted + updated + removed);
      expect([step.title, changes.reduce((a, b) => a + b)]).toEqual([step.title, 0]);
    }
    expect(await fingerprint(states.database.db)).toEqual(before);
  }, 900_000);
});
