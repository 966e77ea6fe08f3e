import { ApolloServer } from '@apollo/server';
import fastifyApollo from '@as-integrations/fastify';
import DataLoader from 'dataloader';
import fastify from 'fastify';
import { TODAY } from '../targets/settings.ts';
import { rows } from './database.js';
import { officeOf, personOf } from './joined.js';
import { Query } from './roots.js';
import { typeDefs } from './schema.js';
import * as sql from './sql.js';

/** Apollo Server in production settings, on Fastify, with one DataLoader per list and request. */

const lists =
  (text, key, parameters = []) =>
  () =>
    new DataLoader(async (ids) => {
      const found = Map.groupBy(await rows(text, [ids, ...parameters]), (row) => row[key]);
      return ids.map((id) => found.get(id) ?? []);
    });

const LOADERS = {
  offices: lists(sql.officesOfDistricts, 'district_id'),
  holders: lists(sql.holdersOfOffices, 'office_id', [TODAY]),
  holderContacts: lists(sql.contactsOfHolders, 'officeholder_id'),
  personContacts: lists(sql.contactsOfPersons, 'person_id'),
  candidates: lists(sql.candidatesOfRaces, 'race_id'),
  parties: lists(sql.partiesOfCandidates, 'candidate_id'),
  rounds: lists(sql.roundsOfCandidates, 'candidate_id'),
};

/** Returns a resolver that loads a list by the id of its parent; the context holds the loaders of a request. */
const loadedBy =
  (name) =>
  ({ id }, _args, context) => {
    context[name] ??= LOADERS[name]();
    return context[name].load(id);
  };

const server = new ApolloServer({
  typeDefs,
  resolvers: {
    Query,
    District: { offices: loadedBy('offices') },
    Office: { officeholders: loadedBy('holders') },
    Officeholder: { person: personOf, contacts: loadedBy('holderContacts') },
    Person: { contacts: loadedBy('personContacts') },
    Race: { office: officeOf, candidates: loadedBy('candidates') },
    Candidate: { person: personOf, parties: loadedBy('parties'), rounds: loadedBy('rounds') },
  },
  csrfPrevention: false,
  introspection: false,
});
await server.start();
const app = fastify({ logger: false });
await app.register(fastifyApollo(server), { context: async () => ({}) });
await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ port: app.server.address().port });
