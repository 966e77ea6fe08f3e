import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { rows } from './database.js';
import { Query } from './roots.js';
import { TODAY, typeDefs } from './schema.js';
import * as sql from './sql.js';

/** The straightforward implementation: Apollo Server, with one statement for each field of each object. */

const many =
  (text, keyOf, more = []) =>
  (parent) =>
    rows(text, [[keyOf(parent)], ...more]);
const one = (text, keyOf) => async (parent) => (await rows(text, [[keyOf(parent)]]))[0];
const id = (parent) => parent.id;

const server = new ApolloServer({
  typeDefs,
  resolvers: {
    Query,
    District: { offices: many(sql.officesOfDistricts, id) },
    Office: { officeholders: many(sql.holdersOfOffices, id, [TODAY]) },
    Officeholder: {
      person: one(sql.personsById, (holder) => holder.person_id),
      contacts: many(sql.contactsOfHolders, id),
    },
    Person: { contacts: many(sql.contactsOfPersons, id) },
    Race: {
      office: one(sql.officesById, (race) => race.office_id),
      candidates: many(sql.candidatesOfRaces, id),
    },
    Candidate: {
      person: one(sql.personsById, (candidate) => candidate.person_id),
      parties: many(sql.partiesOfCandidates, id),
      rounds: many(sql.roundsOfCandidates, id),
    },
  },
});
const { url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } });
process.send?.({ port: Number(new URL(url).port) });
