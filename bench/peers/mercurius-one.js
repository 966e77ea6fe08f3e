import fastify from 'fastify';
import mercurius from 'mercurius';
import { BALLOT, OFFICEHOLDERS, RACES, STATE_PAGE } from '../targets/baseline-sql.ts';
import { TODAY } from '../targets/settings.ts';
import { rows } from './database.js';
import { Query as plain } from './roots.js';
import { typeDefs } from './schema.js';

/**
 * mercurius with its JIT, whose root resolvers run one hand-written statement each: the statement of the baseline where
 * it reads a tree, the statement of the other peers where it reads a list. The resolvers below rename only.
 */

const dataOf = async (text, values) => JSON.parse((await rows(text, values))[0].body).data;

const ballotsOf = (districts) =>
  (districts ?? []).map((district) => ({
    district,
    races: district.races ?? [],
    ballot_measures: district.ballot_measures ?? [],
  }));

const selectsOffices = ({ fieldNodes: [field] }) =>
  field.selectionSet.selections.some(({ name }) => name?.value === 'offices');

const Query = {
  ...plain,
  async districtsAt(root, args, _context, info) {
    if (!selectsOffices(info)) return plain.districtsAt(root, args);
    const [{ elected_officials }] = await dataOf(OFFICEHOLDERS, [args.latitude, args.longitude, TODAY]);
    return elected_officials.districts ?? [];
  },
  async ballotAt(_, { latitude, longitude, date }) {
    const { elections } = await dataOf(BALLOT, [latitude, longitude, date]);
    return ballotsOf(elections[0].districts);
  },
  async stateBallot(_, { state, date }) {
    const { districts } = await dataOf(STATE_PAGE, [state, date]);
    return ballotsOf(districts);
  },
  races: async (_, { state, date }) => (await dataOf(RACES, [state, date])) ?? [],
};

const app = fastify({ logger: false });
await app.register(mercurius, {
  schema: typeDefs,
  resolvers: {
    Query,
    District: { offices: (district) => district.offices ?? [] },
    Office: { officeholders: (office) => office.officeholders ?? [] },
    Officeholder: {
      person: (holder) => ({
        name: holder.name,
        last_name: holder.last_name,
        url: holder.url,
        contacts: holder.person_contact_information ?? [],
      }),
      contacts: (holder) => holder.officeholder_contact_information ?? [],
    },
    Race: { type: (race) => race.type ?? race.race_type, candidates: (race) => race.candidates ?? [] },
    Candidate: {
      parties: (candidate) => candidate.party_affiliation ?? [],
      rounds: (candidate) => candidate.ranked_choice_voting_rounds,
      person: ({ person, person_contact_information }) => ({ ...person, contacts: person_contact_information ?? [] }),
    },
  },
  jit: 1,
  graphiql: false,
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ port: app.server.address().port });
