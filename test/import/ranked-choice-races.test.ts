import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadFolder } from '../../src/importers/load/load.ts';
import { useDatabase } from '../support/database.ts';
import { counts, FIXTURE, type Files, fixtureWith, folderOf } from './folders.ts';

const fileOf = (name: string): string => readFileSync(join(FIXTURE, name), 'utf8');
const NOT_KNOWN = fileOf('races.csv').replace('1,true,true', '1,,true').replace('2,false', '2,');
const WITHOUT_COLUMN = fileOf('races.csv')
  .replace('is_ranked_choice,', '')
  .replace('1,true,true', '1,true')
  .replace('2,false', '2');
const ROUNDS = fileOf('ranked_choice_rounds.csv');
const NO_ROUNDS = 'candidate_id,round\n';

/** Race 51 has rounds in the fixture, race 52 has none. */
describe('whether a race is ranked choice', () => {
  const database = useDatabase();

  beforeEach(async () => {
    await loadFolder(database.db, fixtureWith({ 'races.csv': NOT_KNOWN, 'ranked_choice_rounds.csv': NO_ROUNDS }), {
      replace: true,
    });
    expect(await ranked()).toEqual([null, null]);
  });

  async function ranked(): Promise<(boolean | null)[]> {
    const rows = await database.db.selectFrom('races').select('is_ranked_choice').orderBy('id').execute();
    return rows.map(({ is_ranked_choice }) => is_ranked_choice);
  }

  it.each<[string, Files]>([
    ['with the race', { 'races.csv': NOT_KNOWN, 'ranked_choice_rounds.csv': ROUNDS }],
    ['after the race', { 'ranked_choice_rounds.csv': ROUNDS }],
    ['with a file of races without the column', { 'races.csv': WITHOUT_COLUMN, 'ranked_choice_rounds.csv': ROUNDS }],
  ])('follows from rounds that are loaded %s', async (_, files) => {
    await loadFolder(database.db, folderOf(files));
    expect(await ranked()).toEqual([true, null]);
  });

  it('stays, with no row touched, if the race or all is loaded again', async () => {
    await loadFolder(database.db, fixtureWith({ 'races.csv': NOT_KNOWN }));
    for (const folder of [folderOf({ 'races.csv': NOT_KNOWN }), fixtureWith({ 'races.csv': NOT_KNOWN })]) {
      expect(counts(await loadFolder(database.db, folder))['races.csv']).toEqual([0, 0, 2, 0]);
      expect(await ranked()).toEqual([true, null]);
    }
  });

  it('is not known any more if the rounds are replaced by none', async () => {
    await loadFolder(database.db, fixtureWith({ 'races.csv': NOT_KNOWN }));
    const without = { 'races.csv': NOT_KNOWN, 'ranked_choice_rounds.csv': NO_ROUNDS };
    await loadFolder(database.db, fixtureWith(without), { replace: true });
    expect(await ranked()).toEqual([null, null]);
  });

  it('is what the file says, whatever the rounds', async () => {
    const races = NOT_KNOWN.replace('1,,true', '1,false,true');
    await loadFolder(database.db, folderOf({ 'races.csv': races, 'ranked_choice_rounds.csv': ROUNDS }));
    expect(await ranked()).toEqual([false, null]);
  });
});
