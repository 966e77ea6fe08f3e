/**
 * The API key of the embedded sample, published on purpose: it gives access only to open data on the user's own
 * machine. It is only created together with the sample, never on a PostgreSQL server.
 */
export const DEMO_KEY = 'bg_demo0000_public-key-for-the-sample-not-a-secret-ever';
