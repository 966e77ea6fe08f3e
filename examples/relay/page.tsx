import { Component, type ReactNode, Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';
import {
  graphql,
  RelayEnvironmentProvider,
  useLazyLoadQuery,
  usePaginationFragment,
  useRefetchableFragment,
} from 'react-relay';
import { Environment, Network, type PayloadData, RecordSource, Store } from 'relay-runtime';
import type { Settings, Start } from '../example.ts';
import type { pageDistrict$key } from './__generated__/pageDistrict.graphql';
import type { pageDistrictRefetchQuery } from './__generated__/pageDistrictRefetchQuery.graphql';
import type { pageDistrictsQuery } from './__generated__/pageDistrictsQuery.graphql';
import type { pageOffices$key } from './__generated__/pageOffices.graphql';
import type { pageOfficesQuery } from './__generated__/pageOfficesQuery.graphql';
import type { pageOfficesRefetchQuery } from './__generated__/pageOfficesRefetchQuery.graphql';

function createEnvironment({ url, apiKey }: Settings): Environment {
  const network = Network.create(async ({ id, text }, variables) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      // The compiler writes the documents to persisted/documents.json, which the gateway reads (PERSISTED_DIR).
      body: JSON.stringify({ ...(id ? { documentId: id } : { query: text }), variables }),
    });
    const { data, errors } = (await response.json()) as { data: PayloadData; errors?: { message: string }[] };
    if (errors) throw new Error(errors.map(({ message }) => message).join('\n'));
    return { data };
  });
  return new Environment({ network, store: new Store(new RecordSource()) });
}

function Districts({ settings: { latitude, longitude, days } }: { settings: Settings }) {
  const [day, setDay] = useState(days[0]);
  const [id, setId] = useState<string>();
  const { location } = useLazyLoadQuery<pageDistrictsQuery>(
    graphql`
      query pageDistrictsQuery($latitude: Latitude!, $longitude: Longitude!, $day: Date!) {
        location(latitude: $latitude, longitude: $longitude) {
          districtsWithBoundary(on: $day) {
            id
            boundary {
              startDate
            }
            district {
              id
              name
              ...pageDistrict
            }
          }
        }
      }
    `,
    { latitude, longitude, day },
  );
  const found = location?.districtsWithBoundary ?? [];
  const chosen = found.find(({ district }) => district.id === id);
  return (
    <>
      <select value={day} onChange={({ target }) => setDay(target.value)}>
        {days.map((text) => (
          <option key={text}>{text}</option>
        ))}
      </select>
      <ul id="districts">
        {found.map((each) => (
          <button type="button" key={each.id} onClick={() => setId(each.district.id)}>
            {each.district.name}, map of {each.boundary.startDate}
          </button>
        ))}
      </ul>
      {chosen && <District key={chosen.id} district={chosen.district} />}
    </>
  );
}

function District({ district }: { district: pageDistrict$key }) {
  // Refetched by node(id:), because District implements Node.
  const [{ name, boundary }, refetch] = useRefetchableFragment<pageDistrictRefetchQuery, pageDistrict$key>(
    graphql`
      fragment pageDistrict on District @refetchable(queryName: "pageDistrictRefetchQuery") {
        name
        boundary {
          startDate
        }
      }
    `,
    district,
  );
  return (
    <>
      <p id="district">
        {name} has the map of {boundary?.startDate} today
      </p>
      <button type="button" id="refetch" onClick={() => refetch({}, { fetchPolicy: 'network-only' })}>
        Refetch
      </button>
    </>
  );
}

function Offices() {
  const query = useLazyLoadQuery<pageOfficesQuery>(
    graphql`
      query pageOfficesQuery($first: Int = 2, $after: String) {
        ...pageOffices
      }
    `,
    {},
  );
  const { data, hasNext, loadNext } = usePaginationFragment<pageOfficesRefetchQuery, pageOffices$key>(
    graphql`
      fragment pageOffices on Query @refetchable(queryName: "pageOfficesRefetchQuery") {
        offices(first: $first, after: $after) @connection(key: "page_offices") {
          edges {
            node {
              id
              name
            }
          }
        }
      }
    `,
    query,
  );
  return (
    <>
      <ul id="offices">
        {data.offices?.edges.map(({ node }) => (
          <li key={node.id}>{node.name}</li>
        ))}
      </ul>
      {hasNext && (
        <button type="button" id="more" onClick={() => loadNext(2)}>
          More offices
        </button>
      )}
    </>
  );
}

class ErrorBoundary extends Component<{ children: ReactNode }, { message?: string }> {
  override state: { message?: string } = {};

  static getDerivedStateFromError({ message }: Error) {
    return { message };
  }

  override render(): ReactNode {
    return this.state.message ? <p role="alert">{this.state.message}</p> : this.props.children;
  }
}

export const start: Start = (element, settings) => {
  // The error boundary shows errors; without this, React prints them too.
  const root = createRoot(element, { onCaughtError: () => undefined });
  root.render(
    <RelayEnvironmentProvider environment={createEnvironment(settings)}>
      <ErrorBoundary>
        <Suspense fallback="Loading">
          <Districts settings={settings} />
        </Suspense>
        <Suspense fallback="Loading">
          <Offices />
        </Suspense>
      </ErrorBoundary>
    </RelayEnvironmentProvider>,
  );
  return () => root.unmount();
};
