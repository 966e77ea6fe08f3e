/**
 * The key of the embedded sample, published on purpose: it opens nothing but open data on the reader's own machine. It
 * is put into a store only together with the sample, never into a PostgreSQL server.
 */
export const DEMO_KEY = 'bg_demo0000_public-key-for-the-sample-not-a-secret-ever';
