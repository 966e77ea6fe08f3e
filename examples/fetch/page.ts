import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import type { Settings, Start } from '../example.ts';
import { DistrictDocument, DistrictsAtDocument, OfficesDocument } from '../generated/documents.ts';

/** Sends an operation; throws an error with the gateway's messages. */
async function query<Data, Variables>(
  { url, apiKey }: Settings,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json', 'x-api-key': apiKey },
    body: JSON.stringify({ query: print(document), variables }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: { message: string }[] };
  if (errors) throw new Error(errors.map(({ message }) => message).join('\n'));
  return data;
}

export const start: Start = (root, settings) => {
  const { latitude, longitude, days } = settings;
  root.innerHTML = `<p role="alert"></p><select></select><ul id="districts"></ul><p id="district"></p>
    <ul id="offices"></ul><button id="more">More offices</button>`;
  const part = (selector: string) => root.querySelector(selector) as HTMLElement;
  const day = part('select') as HTMLSelectElement;
  day.append(...days.map((text) => Object.assign(document.createElement('option'), { textContent: text })));
  let after: string | null = null;

  async function showDistricts(): Promise<void> {
    const { location } = await query(settings, DistrictsAtDocument, { latitude, longitude, day: day.value });
    const items = (location?.districtsWithBoundary ?? []).map(({ district, boundary }) => {
      const button = document.createElement('button');
      button.textContent = `${district.name}, map of ${boundary.startDate}`;
      button.onclick = () => run(showDistrict(district.id));
      return button;
    });
    part('#districts').replaceChildren(...items);
  }

  async function showDistrict(id: string): Promise<void> {
    const { node } = await query(settings, DistrictDocument, { id });
    if (node?.__typename !== 'District') return;
    part('#district').textContent = `${node.name} has the map of ${node.boundary?.startDate} today`;
  }

  async function showOffices(): Promise<void> {
    const { offices } = await query(settings, OfficesDocument, { first: 2, after });
    if (!offices) return;
    for (const { node } of offices.edges)
      part('#offices').append(Object.assign(document.createElement('li'), { textContent: node.name }));
    after = offices.pageInfo.endCursor ?? null;
    part('#more').hidden = !offices.pageInfo.hasNextPage;
  }

  const run = (work: Promise<void>) =>
    work.catch((error: Error) => {
      part('[role=alert]').textContent = error.message;
    });
  day.onchange = () => run(showDistricts());
  part('#more').onclick = () => run(showOffices());
  run(showDistricts());
  run(showOffices());
  return () => root.replaceChildren();
};
