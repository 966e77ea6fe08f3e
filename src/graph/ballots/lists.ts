import { builder, requireGrants } from '../builder/builder.ts';
import { recordConnectionType, recordPageArgs } from '../builder/connection-type.ts';
import { connectionOf } from '../builder/keyset.ts';
import { grantScope } from '../builder/required-grants.ts';
import { sortOrders } from '../builder/sort-order.ts';
import { checkWords, EACH_BEGINS_A_WORD, OTHER_FORMS_LAST } from '../builder/word-search.ts';
import { checkRange } from '../elections/date-range.ts';
import { districtFilterFields, type InputFields, officeFilterFields, readFilter } from '../officials/lists.ts';
import { type PersonRow, persons } from '../officials/officials.store.ts';
import { PersonObject } from '../officials/person.ts';
import { BallotMeasureObject } from './ballot-measure.ts';
import { type MeasureRow, measures, type RaceRow, races } from './ballots.store.ts';
import { CandidateObject } from './candidate.ts';
import { type CandidateRow, candidates } from './candidates.store.ts';
import {
  CANDIDATE_ORDERS,
  candidatesWhere,
  MEASURE_ORDERS,
  measuresWhere,
  PERSON_ORDERS,
  peopleWhere,
  RACE_ORDERS,
  racesWhere,
} from './lists.store.ts';
import { RaceObject } from './race.ts';

function dateFields(t: InputFields) {
  return {
    from: t.field({ type: 'Date', description: 'Election dates from this day on; of all years by default.' }),
    to: t.field({ type: 'Date', description: 'Election dates until this day, inclusive; of all years by default.' }),
  };
}

function raceFields(t: InputFields) {
  return {
    ...officeFilterFields(t),
    ...dateFields(t),
    stages: t.stringList({
      description:
        'One of these stages of the election, case-insensitive, as in `Race.stageType`: `General`, `Primary` and others.',
    }),
  };
}

const RaceFilterInput = builder.inputType('RaceFilter', {
  description: 'Filter for a list of races; a race must match every condition given.',
  fields: (t) => raceFields(t),
});

const CandidateFilterInput = builder.inputType('CandidateFilter', {
  description: 'Filter for a list of candidates; a candidate must match every condition given.',
  fields: (t) => ({
    ...raceFields(t),
    parties: t.intList({ description: 'Nominated by one of these parties: party codes, for example 1 and 2.' }),
    name: t.string({ description: `Words of the name of the person, ${EACH_BEGINS_A_WORD} ${OTHER_FORMS_LAST}` }),
  }),
});

const BallotMeasureFilterInput = builder.inputType('BallotMeasureFilter', {
  description: 'Filter for a list of ballot measures; a measure must match every condition given.',
  fields: (t) => ({
    ...districtFilterFields(t),
    ...dateFields(t),
    text: t.string({ description: `Words of the name and of the official title, ${EACH_BEGINS_A_WORD}` }),
  }),
});

const PersonFilterInput = builder.inputType('PersonFilter', {
  description:
    'Filter for a list of people: they have a term in an office, or a candidacy for it, that matches every condition given. Terms count only with the grant `officeholders`, candidacies only with `elections`.',
  fields: (t) => ({
    ...officeFilterFields(t),
    from: t.field({
      type: 'Date',
      description: 'Terms that last to this day or longer, and candidacies from this election day on.',
    }),
    to: t.field({
      type: 'Date',
      description: 'Terms that begin on this day or earlier, and candidacies until this election day, inclusive.',
    }),
    parties: t.intList({
      description: 'In office for one of these parties, or nominated by it: party codes, for example 1 and 2.',
    }),
  }),
});

const raceOrders = sortOrders('RaceOrder', 'races', RACE_ORDERS, 'DATE');
const candidateOrders = sortOrders('CandidateOrder', 'candidates', CANDIDATE_ORDERS, 'NAME');
const measureOrders = sortOrders('BallotMeasureOrder', 'ballot measures', MEASURE_ORDERS, 'DATE');

const personOrders = sortOrders('PersonOrder', 'people', PERSON_ORDERS, 'NAME');

const PersonConnection = recordConnectionType(PersonObject, 'people', persons.relation);
const RaceConnection = recordConnectionType(RaceObject, 'races', races.relation);
const CandidateConnection = recordConnectionType(CandidateObject, 'candidates', candidates.relation, {
  totalCount: 4_000,
  updatedAt: 8_000,
});
const BallotMeasureConnection = recordConnectionType(BallotMeasureObject, 'ballot measures', measures.relation);

/** One letter is in nearly every name. */
const SHORTEST_NAME = 2;

builder.queryFields((t) => ({
  people: t.field({
    caching: 'whole',
    type: PersonConnection,
    description:
      'People whose names have the words of a text, and who hold, held or run for an office that matches the filter.',
    ...requireGrants('officeholders', 'elections'),
    grantsOfArgument: { argument: 'filter', grants: ['officeholders', 'elections'] },
    args: {
      name: t.arg.string({
        description: `Words of the name, with at least ${SHORTEST_NAME} letters or digits, ${EACH_BEGINS_A_WORD} ${OTHER_FORMS_LAST} All names by default.`,
      }),
      filter: t.arg({ type: PersonFilterInput, description: 'Which people to return; all by default.' }),
      orderBy: t.arg(personOrders.orderByArg),
      ...recordPageArgs,
    },
    resolve: (_, { name, filter, orderBy, ...page }, context) => {
      const conditions = checkRange(readFilter(filter));
      checkWords('name', name, SHORTEST_NAME);
      const list = peopleWhere(name, conditions, personOrders.orderOf(orderBy), grantScope(context));
      return connectionOf<PersonRow>(context, page, list);
    },
  }),
  races: t.field({
    computation: 1_000,
    caching: 'whole',
    type: RaceConnection,
    description: 'Races that match the filter, with and without known candidates.',
    ...requireGrants('elections'),
    args: {
      filter: t.arg({ type: RaceFilterInput, description: 'Which races to return; all by default.' }),
      orderBy: t.arg(raceOrders.orderByArg),
      ...recordPageArgs,
    },
    resolve: (_, { filter, orderBy, ...page }, context) =>
      connectionOf<RaceRow>(context, page, racesWhere(checkRange(readFilter(filter)), raceOrders.orderOf(orderBy))),
  }),
  candidates: t.field({
    caching: 'whole',
    type: CandidateConnection,
    description: 'Candidates that match the filter, in all races that they run in.',
    ...requireGrants('elections'),
    args: {
      filter: t.arg({ type: CandidateFilterInput, description: 'Which candidates to return; all by default.' }),
      orderBy: t.arg(candidateOrders.orderByArg),
      ...recordPageArgs,
    },
    resolve: (_, { filter, orderBy, ...page }, context) => {
      const order = candidateOrders.orderOf(orderBy);
      const list = candidatesWhere(checkRange(readFilter(filter)), order, grantScope(context));
      return connectionOf<CandidateRow>(context, page, list);
    },
  }),
  ballotMeasures: t.field({
    caching: 'whole',
    type: BallotMeasureConnection,
    description: 'Ballot measures that match the filter.',
    ...requireGrants('elections'),
    args: {
      filter: t.arg({
        type: BallotMeasureFilterInput,
        description: 'Which ballot measures to return; all by default.',
      }),
      orderBy: t.arg(measureOrders.orderByArg),
      ...recordPageArgs,
    },
    resolve: (_, { filter, orderBy, ...page }, context) => {
      const list = measuresWhere(checkRange(readFilter(filter)), measureOrders.orderOf(orderBy), grantScope(context));
      return connectionOf<MeasureRow>(context, page, list);
    },
  }),
}));
