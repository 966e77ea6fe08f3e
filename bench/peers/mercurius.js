import fastify from 'fastify';
import mercurius from 'mercurius';
import { TODAY } from '../targets/settings.ts';
import { rows } from './database.js';
import { officeOf, personOf } from './joined.js';
import { Query } from './roots.js';
import { typeDefs } from './schema.js';
import * as sql from './sql.js';

/** mercurius with its JIT and its loaders: one statement per list and level. */

/** Returns a loader of lists. Without its cache, whose key is the serialised parent, the loader is faster. */
const lists = (text, key, parameters = []) => ({
  async loader(queries) {
    const ids = queries.map(({ obj }) => obj.id);
    const found = Map.groupBy(await rows(text, [ids, ...parameters]), (row) => row[key]);
    return ids.map((id) => found.get(id) ?? []);
  },
  opts: { cache: false },
});

const app = fastify({ logger: false });
await app.register(mercurius, {
  schema: typeDefs,
  resolvers: { Query, Officeholder: { person: personOf }, Candidate: { person: personOf }, Race: { office: officeOf } },
  loaders: {
    District: { offices: lists(sql.officesOfDistricts, 'district_id') },
    Office: { officeholders: lists(sql.holdersOfOffices, 'office_id', [TODAY]) },
    Officeholder: { contacts: lists(sql.contactsOfHolders, 'officeholder_id') },
    Person: { contacts: lists(sql.contactsOfPersons, 'person_id') },
    Race: { candidates: lists(sql.candidatesOfRaces, 'race_id') },
    Candidate: {
      parties: lists(sql.partiesOfCandidates, 'candidate_id'),
      rounds: lists(sql.roundsOfCandidates, 'candidate_id'),
    },
  },
  jit: 1,
  graphiql: false,
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ port: app.server.address().port });
