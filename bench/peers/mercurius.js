import fastify from 'fastify';
import mercurius from 'mercurius';
import { rows } from './database.js';
import { Query } from './roots.js';
import { TODAY, typeDefs } from './schema.js';
import * as sql from './sql.js';

/** mercurius with its JIT and its loaders: one statement per level. */

const many = (text, key, keyOf = (obj) => obj.id, more = []) => ({
  async loader(queries) {
    const keys = queries.map(({ obj }) => keyOf(obj));
    const found = Map.groupBy(await rows(text, [keys, ...more]), (row) => row[key]);
    return keys.map((each) => found.get(each) ?? []);
  },
  opts: { cache: false },
});
const one = (text, keyOf) => ({
  async loader(queries) {
    const keys = queries.map(({ obj }) => keyOf(obj));
    const found = new Map((await rows(text, [keys])).map((row) => [row.id, row]));
    return keys.map((each) => found.get(each) ?? null);
  },
  opts: { cache: false },
});

const app = fastify();
await app.register(mercurius, {
  schema: typeDefs,
  resolvers: { Query },
  loaders: {
    District: { offices: many(sql.officesOfDistricts, 'district_id') },
    Office: { officeholders: many(sql.holdersOfOffices, 'office_id', (office) => office.id, [TODAY]) },
    Officeholder: {
      person: one(sql.personsById, (holder) => holder.person_id),
      contacts: many(sql.contactsOfHolders, 'officeholder_id'),
    },
    Person: { contacts: many(sql.contactsOfPersons, 'person_id') },
    Race: {
      office: one(sql.officesById, (race) => race.office_id),
      candidates: many(sql.candidatesOfRaces, 'race_id'),
    },
    Candidate: {
      person: one(sql.personsById, (candidate) => candidate.person_id),
      parties: many(sql.partiesOfCandidates, 'candidate_id'),
      rounds: many(sql.roundsOfCandidates, 'candidate_id'),
    },
  },
  jit: 1,
  graphiql: false,
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ port: app.server.address().port });
