/**
 * The API key of the map page, published on purpose: everyone who opens the page has it, and it is the same on every
 * gateway. It is in no table. It has the grants of the package that `PAGE_PACKAGE` names, with the limits of that package for
 * each address, and executes only the documents of the page and its tiles.
 */
export const PAGE_KEY = 'bg_mappage0_public-key-of-the-map-page-and-not-a-secret';

/** Why a request with this key is refused that the page does not make. */
export const PAGE_ONLY =
  'The key of the map page is for the requests of that page alone. The operator of this server creates keys with `npm run keys -- create`.';

/** The id that all requests with this key take turns under, as those of one key; those in the database begin at 1, and 0 is without a key. */
export const PAGE_KEY_ID = -1;

/** The command that gives the page its package; the grants are those of a page that shows everything. */
export const pageRemedy = (packageName: string) =>
  `npm run packages -- set ${packageName} --grants districts,officeholders,election_dates,elections,results,contact,social,election_districts,boundaries,voting --per-second 20 --burst 400`;
