import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { ApolloProvider, useQuery } from '@apollo/client/react';
import { relayStylePagination } from '@apollo/client/utilities';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { Settings, Start } from '../example.ts';
import { DistrictDocument, DistrictsAtDocument, OfficesDocument } from '../generated/documents.ts';
import { sha256 } from '../sha256.ts';

function createClient({ url, apiKey }: Settings): ApolloClient {
  return new ApolloClient({
    // Sends the hash of a document, and the document itself if the gateway does not know it yet.
    link: new PersistedQueryLink({ sha256 }).concat(new HttpLink({ uri: url, headers: { 'x-api-key': apiKey } })),
    cache: new InMemoryCache({
      possibleTypes: {},
      // The arguments that distinguish lists, which are all but those of paging.
      typePolicies: { Query: { fields: { offices: relayStylePagination(['filter', 'orderBy']) } } },
    }),
  });
}

function Districts({ settings }: { settings: Settings }) {
  const { latitude, longitude, days } = settings;
  const [day, setDay] = useState(days[0]);
  const [id, setId] = useState<string>();
  const { data, error } = useQuery(DistrictsAtDocument, { variables: { latitude, longitude, day } });
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
  const { data } = useQuery(DistrictDocument, { variables: { id } });
  if (data?.node?.__typename !== 'District') return null;
  return (
    <p id="district">
      {data.node.name} has the map of {data.node.boundary?.startDate} today
    </p>
  );
}

function Offices() {
  const { data, fetchMore } = useQuery(OfficesDocument, { variables: { first: 2 } });
  const offices = data?.offices;
  return (
    <>
      <ul id="offices">
        {offices?.edges.map(({ node }) => (
          <li key={node.id}>{node.name}</li>
        ))}
      </ul>
      {offices?.pageInfo.hasNextPage && (
        <button type="button" id="more" onClick={() => fetchMore({ variables: { after: offices.pageInfo.endCursor } })}>
          More offices
        </button>
      )}
    </>
  );
}

export const start: Start = (element, settings) => {
  const root = createRoot(element);
  root.render(
    <ApolloProvider client={createClient(settings)}>
      <Districts settings={settings} />
      <Offices />
    </ApolloProvider>,
  );
  return () => root.unmount();
};
