import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { persistedExchange } from '@urql/exchange-persisted';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type Client, createClient, fetchExchange, Provider, useQuery } from 'urql';
import type { Settings, Start } from '../example.ts';
import { DistrictDocument, DistrictsAtDocument, OfficesDocument } from '../generated/documents.ts';
import { sha256 } from '../sha256.ts';

function clientOf({ url, apiKey }: Settings): Client {
  return createClient({
    url,
    preferGetMethod: false,
    fetchOptions: { headers: { 'x-api-key': apiKey } },
    exchanges: [
      cacheExchange({ resolvers: { Query: { offices: relayPagination() } } }),
      // Sends the hash of a document, and the document itself if the gateway does not know it yet.
      persistedExchange({ generateHash: sha256 }),
      fetchExchange,
    ],
  });
}

function Districts({ settings }: { settings: Settings }) {
  const { latitude, longitude, days } = settings;
  const [day, setDay] = useState(days[0]);
  const [id, setId] = useState<string>();
  const [{ data, error }] = useQuery({ query: DistrictsAtDocument, variables: { latitude, longitude, day } });
  return (
    <>
      {error && <p role="alert">{error.message}</p>}
      <select value={day} onChange={({ target }) => setDay(target.value)}>
        {days.map((text) => (
          <option key={text}>{text}</option>
        ))}
      </select>
      <ul id="districts">
        {data?.location?.districtsWithBoundary?.map((found) => (
          <button type="button" key={found.id} onClick={() => setId(found.district.id)}>
            {found.district.name}, map of {found.boundary.startDate}
          </button>
        ))}
      </ul>
      {id && <District id={id} />}
    </>
  );
}

function District({ id }: { id: string }) {
  const [{ data }] = useQuery({ query: DistrictDocument, variables: { id } });
  if (data?.node?.__typename !== 'District') return null;
  return (
    <p id="district">
      {data.node.name} has the map of {data.node.boundary?.startDate} today
    </p>
  );
}

function Offices() {
  const [after, setAfter] = useState<string>();
  const [{ data }] = useQuery({ query: OfficesDocument, variables: { first: 2, after } });
  const offices = data?.offices;
  return (
    <>
      <ul id="offices">
        {offices?.edges.map(({ node }) => (
          <li key={node.id}>{node.name}</li>
        ))}
      </ul>
      {offices?.pageInfo.hasNextPage && (
        <button type="button" id="more" onClick={() => setAfter(offices.pageInfo.endCursor ?? undefined)}>
          More offices
        </button>
      )}
    </>
  );
}

export const start: Start = (element, settings) => {
  const root = createRoot(element);
  root.render(
    <Provider value={clientOf(settings)}>
      <Districts settings={settings} />
      <Offices />
    </Provider>,
  );
  return () => root.unmount();
};
