/** Where the map page and the docs keep the key that a visitor enters: in this tab, until it is closed. */
const STORED_KEY = 'ballotgraph-key';

/**
 * Runs in the browser. Returns the options with the tab that GraphiQL opens: the operation in the URL, otherwise the
 * last open tab, otherwise the first example. GraphiQL identifies a stored tab by its query and variables together, and
 * would open an empty tab without them.
 */
// biome-ignore lint/correctness/noUnusedVariables: called by the script that the page adds after this one
function withStart({ demoKey, examples, ...options }, mostCharacters) {
  const { searchParams, hash } = new URL(location.href);
  // Links with the point of a person have the operation in the fragment, which browsers do not send.
  const fragment = new URLSearchParams(hash.slice(1));
  const query = searchParams.get('query') ?? fragment.get('query');
  const variables = fragment.get('variables') ?? searchParams.get('variables');
  const { tabs, active } = storedTabs();
  const key = sessionStorage.getItem(STORED_KEY) ?? demoKey ?? KEY_HINT;
  const complete = {
    ...options,
    storage: storageWithoutHeaders(),
    defaultHeaders: JSON.stringify({ 'x-api-key': key }, null, 2),
    defaultTabs: examples.map((example) => ({ query: example })),
    fetcher: (operation, { headers } = {}) => send(operation, withKey(headers, demoKey)),
    onTabChange: ({ tabs: changed, activeTabIndex }) => writeAddress(changed[activeTabIndex], mostCharacters),
    // By default, the page writes the query into the URL, and removes the rest.
    onEditQuery: () => undefined,
  };
  const tab = query === null || active?.query === query ? active : tabs.find((each) => each.query === query);
  if (tab) return { ...complete, query: tab.query ?? '', variables: variables ?? tab.variables ?? '' };
  if (query === null) return complete;
  const opened = { query, variables: variables ?? '' };
  return { ...complete, ...opened, defaultTabs: [opened, ...complete.defaultTabs] };
}

/** What the editor of headers shows until a visitor enters a key. */
const KEY_HINT = 'your API key';

/**
 * Returns the headers of a request with the key that the editor contains, or else the one that the visitor has entered
 * before. The visitor's own key is kept as long as the browser tab is open, as on the other pages.
 */
function withKey(headers, demoKey) {
  const entered = headers?.['x-api-key'];
  if (!entered || entered === KEY_HINT) {
    return { ...headers, 'x-api-key': sessionStorage.getItem(STORED_KEY) ?? demoKey ?? KEY_HINT };
  }
  if (entered !== demoKey) sessionStorage.setItem(STORED_KEY, entered);
  return headers;
}

/** Returns the storage for tabs and history, which are kept without headers: these contain keys. */
function storageWithoutHeaders() {
  const withoutHeaders = (text) => text.replaceAll(/"headers":"(?:[^"\\]|\\.)*"/g, '"headers":null');
  // What earlier versions of this page have stored.
  localStorage.removeItem('graphiql:headers');
  for (const [name, value] of Object.entries(localStorage)) {
    if (name.startsWith('graphiql:')) localStorage.setItem(name, withoutHeaders(value));
  }
  return {
    getItem: (name) => localStorage.getItem(name),
    setItem: (name, value) => localStorage.setItem(name, withoutHeaders(value)),
    removeItem: (name) => localStorage.removeItem(name),
    clear: () => localStorage.clear(),
    get length() {
      return localStorage.length;
    },
  };
}

/**
 * Sends an operation. After a quick change of tabs GraphiQL still passes the operation name of the previous tab. Such a
 * name is omitted: the server executes the only operation of a document without a name.
 */
async function send({ query, variables, operationName }, headers) {
  const isNamed = new RegExp(`\\b(query|mutation|subscription)\\s+${operationName}\\b`).test(query);
  const response = await fetch(location.pathname, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables, operationName: isNamed ? operationName : undefined }),
  });
  return response.json();
}

function storedTabs() {
  try {
    const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState'));
    return { tabs, active: tabs[activeTabIndex] ?? tabs[0] };
  } catch {
    return { tabs: [], active: undefined };
  }
}

/**
 * Writes the operation into the URL, for bookmarks and links: the variables into the fragment, because they may contain
 * the point of a person. An operation that is too long for a request is omitted.
 */
function writeAddress({ query, variables }, mostCharacters) {
  const address = new URL(location.href);
  address.searchParams.delete('variables');
  address.searchParams.set('query', query ?? '');
  const isShort = address.pathname.length + address.search.length <= mostCharacters;
  if (!query || !isShort) address.searchParams.delete('query');
  address.hash = variables?.trim() ? new URLSearchParams({ variables }) : '';
  history.replaceState(history.state, '', address);
}
