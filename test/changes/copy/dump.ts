import { sql } from 'kysely';
import { globalId, readGlobalId } from '../../../src/graph/builder/global-id.ts';
import type { Database } from '../../../src/store/sql/database.ts';

/** Sends a document as one caller, and returns its data. */
export type Ask = (document: string, variables?: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** The values of a record by its global id; of each field as one text. */
export type Records = Map<string, Readonly<Record<string, unknown>>>;

const CONTACTS = { contact: 'contacts { type value }', social: 'socialLinks { network url }' };

/** The fields whose changes the feed tells, by type and by the grant that they need besides that of the type. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  District: { '': 'type name state url ocdId geoId ncesId' },
  Boundary: { '': 'district { id } startDate endDate precise', boundaries: 'geometry' },
  Party: { '': 'name url' },
  Office: { '': 'district { id } name type level branch chamber isPartisan partisanship seat url' },
  Person: { '': 'name firstName lastName url imageUrl', ...CONTACTS },
  Officeholder: { '': 'office { id } person { id } startDate endDate party { id }', ...CONTACTS },
  Election: {
    '': 'date type description candidateListsComplete status',
    election_districts: 'district { id }',
    voting: 'deadlines { kind day label { text } phrase { text language } district { id } time timeZone asOf url }',
  },
  Race: {
    '': `election { id } office { id } type year stageType stageParty officePosition url numberOfSeats isMarquee isRankedChoice
      resultsCertified swearingInDate scopeBasis`,
    results:
      'results(by: PRECINCT, first: 40) { nodes { county town precinct district { id } votes { votes candidate { id } } } }',
  },
  Candidate: {
    '': `race { id } person { id } stageParty runningMate fecId isWriteIn withdrewStillOnBallot isIncumbent status
      parties { id }`,
    results: 'votes rankedChoiceRounds { round votesGained status }',
  },
  BallotMeasure: {
    '': 'election { id } district { id } name type officialTitle yesVote noVote url status',
    results: 'yesVotesTotal noVotesTotal',
  },
  VotingPlace: {
    '': `election { id } kind name address longitude latitude hours openIntervals { opens closes } timeZone status movedTo notes url
      districts { id }`,
  },
};

/** The tables of records by the name of their type. */
export const TABLES_OF_TYPES: Readonly<Record<string, string>> = {
  ...{ District: 'districts', Boundary: 'boundaries', Party: 'parties', Office: 'offices', Person: 'persons' },
  ...{ Officeholder: 'officeholders', Election: 'elections', Race: 'races', Candidate: 'candidates' },
  ...{ BallotMeasure: 'ballot_measures', VotingPlace: 'voting_places' },
};

/** The records that one request names: the field with the longest list decides. */
const MOST = { Race: 8 } as Readonly<Record<string, number>>;

/** The fields that some grants include, by type. */
export function fieldsOf(grants: readonly string[]): (readonly [type: string, fields: string])[] {
  return Object.entries(FIELDS).map(([type, byGrant]) => {
    const fields = Object.entries(byGrant).filter(([grant]) => grant === '' || grants.includes(grant));
    return [type, fields.map(([, names]) => names).join(' ')];
  });
}

/** Reads records by their global ids; those that are not there are left out. */
export async function recordsOf(ask: Ask, grants: readonly string[], ids: readonly string[]): Promise<Records> {
  const found: Records = new Map();
  const fields = new Map(fieldsOf(grants));
  for (const [type = '', own] of Map.groupBy(ids, (id) => readGlobalId(id)?.type)) {
    const most = MOST[type] ?? 40;
    for (let at = 0; at < own.length; at += most) {
      const { nodes } = await ask(
        `query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on ${type} { ${fields.get(type)} } } }`,
        {
          ids: own.slice(at, at + most),
        },
      );
      for (const node of nodes as ({ id: string } | null)[]) if (node) found.set(node.id, inOrder(node));
    }
  }
  return found;
}

/** Sorts the votes of precincts by candidate: their order follows from the votes of the race, which are those of other records. */
export function inOrder<Node extends object>(node: Node): Node {
  const { nodes = [] } = (node as { results?: { nodes: { votes: { candidate: { id: string } }[] }[] } }).results ?? {};
  for (const { votes } of nodes) votes.sort((a, b) => (a.candidate.id < b.candidate.id ? -1 : 1));
  return node;
}

/** Reads all records that the tables have. */
export async function dumpOf(db: Database, ask: Ask, grants: readonly string[]): Promise<Records> {
  const tables = Object.entries(TABLES_OF_TYPES).map(
    ([type, table]) =>
      sql`select ${type} as type, ${sql.raw(table === 'elections' ? 'election_key(id)' : 'id::text')} as key from ${sql.table(table)}`,
  );
  const { rows } = await sql<{ type: string; key: string }>`${sql.join(tables, sql` union all `)}`.execute(db);
  return recordsOf(
    ask,
    grants,
    rows.map(({ type, key }) => globalId(type, key)),
  );
}

/** The names of the fields in which two versions of a record differ. */
export function differingFields(one: object, other: object): string[] {
  const [a, b] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return Object.keys(a).filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
}

/** Says in which records two sets of records differ. */
export function differencesOf(copy: Records, store: Records): string[] {
  const ids = new Set([...copy.keys(), ...store.keys()]);
  return [...ids].flatMap((id) => {
    const [own, right] = [copy.get(id), store.get(id)];
    const name = Buffer.from(id, 'base64url').toString();
    if (!own) return [`${name} is missing in the copy`];
    if (!right) return [`${name} is not in the store`];
    const fields = differingFields(own, right);
    return fields.map(
      (field) => `${name} ${field}: ${JSON.stringify(own[field])} instead of ${JSON.stringify(right[field])}`,
    );
  });
}
