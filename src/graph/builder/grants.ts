import type { AccessGrant } from '../../store/sql/tables.ts';

/** Every grant and what it gives access to (contract, Packages). */
export const GRANTS: Readonly<Record<AccessGrant, string>> = {
  districts: 'endpoint: districts of a point',
  officeholders: 'endpoint: current officeholders of a point',
  election_dates: 'endpoints: election dates by point and as a list',
  elections: 'endpoints: ballots by point and by state',
  bulk: 'endpoints: bulk download',
  results: 'data: winners, votes, approved and defeated measures',
  contact: 'data: telephone, website and e-mail of officeholders and people',
  social: 'data: social network accounts of officeholders and people',
  election_ids: 'data: ids in the list of election dates',
  election_districts: 'data: district name and type in the list of election dates',
  boundaries: 'data: geometry of boundaries, and what is computed from it',
  voting: 'endpoint: places to vote and deadlines of a point',
};

/** What people call what a grant gives access to. */
const NAMES: Readonly<Record<AccessGrant, string>> = {
  districts: 'districts',
  officeholders: 'officeholders',
  election_dates: 'election dates',
  elections: 'elections',
  bulk: 'bulk downloads',
  results: 'results',
  contact: 'contacts',
  social: 'social network accounts',
  election_ids: 'ids of elections',
  election_districts: 'districts that hold elections',
  boundaries: 'outlines',
  voting: 'places to vote and deadlines',
};

/**
 * Says that the package of the API key has none of the grants, of which one would suffice: the sentence in which pages
 * (`web/words.ts`) and assistants learn that data are excluded, which is not the same as that the database lacks them.
 */
export function notIncluded(grants: readonly AccessGrant[]): string {
  const names = grants.map((grant) => NAMES[grant]).join(' and ');
  return `${names.slice(0, 1).toUpperCase()}${names.slice(1)} are not included in this key.`;
}

export function isGrant(text: string): text is AccessGrant {
  return Object.hasOwn(GRANTS, text);
}

const ALL_GRANTS = Object.keys(GRANTS).filter(isGrant);

/** Returns a canonical string for a set of grants: a number with a bit for each. */
export function grantsKey(grants: ReadonlySet<AccessGrant>): string {
  let bits = 0;
  for (const [at, grant] of ALL_GRANTS.entries()) if (grants.has(grant)) bits += 2 ** at;
  return String(bits);
}
