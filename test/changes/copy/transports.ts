import type { Ask } from './dump.ts';

export interface Change {
  readonly kind: 'CREATED' | 'UPDATED' | 'DELETED';
  readonly id: string;
  readonly fields: readonly string[] | null;
}

export interface Page {
  readonly changes: readonly Change[];
  readonly next: string;
  readonly isUpToDate: boolean;
}

/** The cursor is unknown, so that the copy has to be made again. */
export class GoneError extends Error {}

export interface Gateway {
  readonly url: string;
  readonly key: string;
}

/** Reads the changes after a cursor. */
export type Transport = (gateway: Gateway, after: string) => Promise<Page>;

/** Asks a gateway over HTTP. */
export const askOver =
  ({ url, key }: Gateway): Ask =>
  async (query, variables = {}) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await response.json();
    if (errors?.[0]?.extensions?.code === 'GONE') throw new GoneError();
    if (response.status !== 200 || errors) throw new Error(`${response.status} ${JSON.stringify(errors)}`);
    return data;
  };

const graphql: Transport = async (gateway, after) => {
  const { changes } = await askOver(gateway)(
    'query ($after: String) { changes(after: $after, first: 100) { nodes { kind id: recordId fields } next isUpToDate } }',
    { after },
  );
  const { nodes, next, isUpToDate } = changes as { nodes: Change[]; next: string; isUpToDate: boolean };
  return { changes: nodes, next, isUpToDate };
};

const rest: Transport = async ({ url, key }, after) => {
  const response = await fetch(`${url}/data/changes?first=300&after=${after}`, { headers: { 'x-api-key': key } });
  if (response.status === 410) throw new GoneError();
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  const { data } = await response.json();
  return { changes: data.changes, next: data.next, isUpToDate: data.up_to_date };
};

export const TRANSPORTS = { graphql, rest } as const satisfies Record<string, Transport>;
export type TransportName = keyof typeof TRANSPORTS;
