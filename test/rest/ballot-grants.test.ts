import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { VOTE } from '../support/election-world.ts';
import { expectFields, get, keyWith } from '../support/rest.ts';
import { CANDIDATE, MEASURE, POINT, STATE, type Tree, useBallots, without } from './ballots.ts';

const { database, service, byPoint, byState, wholeWorld } = useBallots();

describe('results', () => {
  const withoutResults = () => keyWith(database.db, 'elections-only', ['elections']);

  it('are omitted from every response of a package without them, before they are fetched', async () => {
    const key = await withoutResults();
    const { candidates, measures, races } = await wholeWorld(key);
    expectFields(without(candidates, 'party_affiliation', 'cand_status'), CANDIDATE);
    expectFields(without(measures, 'status'), MEASURE);
    // A status that is a result is left out.
    for (const each of [...candidates, ...measures]) expect([each.cand_status, each.status]).not.toContain(null);
    expect(new Set(candidates.map(({ cand_status }) => cand_status))).toEqual(
      new Set([undefined, 'Withdrew', 'On the Ballot']),
    );
    expect(new Set(measures.map(({ status }) => status))).toEqual(new Set([undefined, 'Qualified for the ballot']));
    const regular = races.find(({ id }) => id === VOTE.regularFirst);
    expect(regular.candidates.map(({ person }: Tree) => person.name)).toEqual(['Cleo Charlie', 'Dan Dog', 'Fay Fox']);
  });

  it('determine the order of the candidates', async () => {
    const { races } = await byPoint(`lat=42&long=-98&election_date=${VOTE.date2022}`);
    const regular = races.find(({ id }) => id === VOTE.regularFirst);
    expect(regular.candidates.map(({ votes_for_cand }: Tree) => votes_for_cand)).toEqual([600, 400, null]);
  });

  it('are not read from the database without the grant', async () => {
    const key = await keyWith(database.db, 'elections-alone', ['elections']);
    await sql`alter table ranked_choice_rounds rename to hidden_rounds`.execute(database.db);
    await sql`alter table candidates rename votes_for_cand to hidden_votes`.execute(database.db);
    await sql`alter table ballot_measures rename yes_votes_total to hidden_total`.execute(database.db);
    try {
      for (const url of [
        `${POINT}?lat=42&long=-98&election_date=${VOTE.date2024}`,
        `${STATE}?state=AA&election_date=${VOTE.date2024}`,
      ]) {
        expect([(await get(service, url, key)).status, (await get(service, url)).status]).toEqual([200, 500]);
      }
    } finally {
      await sql`alter table hidden_rounds rename to ranked_choice_rounds`.execute(database.db);
      await sql`alter table candidates rename hidden_votes to votes_for_cand`.execute(database.db);
      await sql`alter table ballot_measures rename hidden_total to yes_votes_total`.execute(database.db);
    }
  });
});

describe('collections', () => {
  const query = `lat=42&long=-98&election_date=${VOTE.date2022}`;
  const added = (candidate: Tree) => Object.keys(candidate).filter((name) => /contact|social/.test(name));

  it('adds the requested collections to the candidates', async () => {
    const { candidates } = await byPoint(`${query}&collections=contact,social`);
    expect(candidates.find(({ id }) => id === 800)).toMatchObject({
      person_contact_information: [{ contact: 'https://cleo.example', contact_type: 'Website' }],
      person_social_media: null,
    });
    expect(candidates.find(({ id }) => id === 801)).toMatchObject({
      person_contact_information: null,
      person_social_media: [{ network: 'Mastodon', url: 'https://social.example/dan' }],
    });
    const state = await byState(`state=AA&election_date=${VOTE.date2022}&collections=contact`);
    expect(state.candidates.map(added)).toEqual(state.candidates.map(() => ['person_contact_information']));
  });

  it('adds nothing that is not requested or not granted', async () => {
    const plain = await byPoint(query);
    const key = await keyWith(database.db, 'no-collections', ['elections']);
    const bare = await byPoint(`${query}&collections=contact,social`, key);
    expect([...plain.candidates, ...bare.candidates].flatMap(added)).toEqual([]);
  });
});
