/**
 * The API key of the embedded sample, published on purpose: it gives access only to open data on the user's own
 * machine. It is only created together with the sample, never on a PostgreSQL server.
 */
export const DEMO_KEY = 'bg_demo0000_public-key-for-the-sample-not-a-secret-ever';

/** What the sample covers, for the pages of a gateway that serves it. One sentence a line. */
export const SAMPLE_COVERAGE = [
  'This gateway serves sample data.',
  'Every address in the United States: its state, county and Congress district, President, senators and representative, as of 15 June 2026.',
  'Alaska, Maine, New Mexico and Vermont: statewide elections of 2018 and 2022 with results.',
  'Not included: state legislatures, governors and other state officials, local offices, and candidates of 2026.',
] as const;
