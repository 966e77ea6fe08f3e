/** What the page of every client does. */
export interface Settings {
  /** The address of the gateway's GraphQL endpoint. */
  readonly url: string;
  /** Visitors of a page can read its key: give it a package with few grants and a rate limit. */
  readonly apiKey: string;
  readonly latitude: number;
  readonly longitude: number;
  /** The days between which the page switches, `YYYY-MM-DD`. */
  readonly days: readonly [string, string];
}

/** Renders the page into an element; returns a function that removes it. */
export type Start = (root: HTMLElement, settings: Settings) => () => void;

/** Montpelier in Vermont, with the key of the sample data. */
export const SAMPLE: Settings = {
  url: 'http://localhost:4000/graphql',
  apiKey: 'bg_demo0000_public-key-for-the-sample-not-a-secret-ever',
  latitude: 44.2601,
  longitude: -72.5754,
  days: ['2026-07-01', '2020-07-01'],
};
