import { z } from 'zod';
import { dictionary } from '../../base/dictionary.ts';
import { SCOPE_BASES } from '../../graph/ballots/enums.ts';
import type { StoredTexts } from '../../graph/builder/stored-enum.ts';
import { DISTRICT_TYPES } from '../../graph/districts/district-type.ts';
import { ELECTION_STATUSES } from '../../graph/elections/enums.ts';
import { CHAMBERS, OFFICE_BRANCHES, OFFICE_LEVELS } from '../../graph/officials/enums.ts';
import type * as Store from '../../store/sql/tables.ts';
import type * as Graph from './generated/documents.ts';

/** The specification's text for each district type of the schema: `CITY_TOWN` → `City-town`. */
export const DISTRICT_TYPE = Object.fromEntries(DISTRICT_TYPES.map(([name, text]) => [name, text])) as Readonly<
  Record<Graph.DistrictType, Store.DistrictType>
>;

/** The texts of the specification for the other enums of the schema, which are those of the database. */
export const OFFICE_LEVEL = textByName(OFFICE_LEVELS);
export const OFFICE_BRANCH = textByName(OFFICE_BRANCHES);
export const CHAMBER = textByName(CHAMBERS);
export const SCOPE_BASIS = textByName(SCOPE_BASES);
const ELECTION_STATUS = textByName(ELECTION_STATUSES);

function textByName<Name extends string, Text extends string>(values: StoredTexts<Name, Text>) {
  const texts = Object.entries<readonly [Text, string]>(values).map(([name, [text]]) => [name, text]);
  return Object.fromEntries(texts) as Readonly<Record<Name, Text>>;
}

/** Returns the schema names of some texts of a table: `City-town` → `CITY_TOWN`. */
export function namesOf<Name extends string, Text extends string>(
  table: Readonly<Record<Name, Text>>,
  texts: readonly Text[] | undefined,
): Name[] | undefined {
  return texts && (Object.keys(table) as Name[]).filter((name) => texts.includes(table[name]));
}

/** Returns the texts of one of the tables above, in order, for a schema of parameters or responses. */
export function textsOf<Text extends string>(texts: Readonly<Record<string, Text>>): [Text, ...Text[]] {
  return Object.values(texts) as [Text, ...Text[]];
}

/** The names of parties that clients of the replaced service know with the word Party (contract, party names). */
export const PARTY_NAMES: Readonly<Record<string, string>> = dictionary({
  Democratic: 'Democratic Party',
  Republican: 'Republican Party',
  Libertarian: 'Libertarian Party',
  Green: 'Green Party',
  Constitution: 'Constitution Party',
});

/** The status of an election in a list. */
export const electionStatus = z
  .enum(textsOf(ELECTION_STATUS))
  .optional()
  .describe(
    'Whether it is held on its day: a postponed or cancelled election is not. Left out when no source says so. Ours.',
  );

/** Returns the member for the status of an election; none if it is not known. */
export function statusOf(status: Graph.ElectionStatus | null): { readonly status?: Store.ElectionStatus } {
  return status ? { status: ELECTION_STATUS[status] } : {};
}

/** The sentence about the map of a district in a response. */
export const newerMap = z
  .string()
  .optional()
  .describe(
    'That the loaded map is out of date, because a newer one is in effect which is not loaded: whether the district is that of a place is not known. Left out when no newer map is known. Ours.',
  );
