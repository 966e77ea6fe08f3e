/**
 * Runs in the browser. Returns the options with the tab that GraphiQL opens: the operation in the URL, otherwise the
 * last open tab, otherwise the first example. GraphiQL identifies a stored tab by its query, variables and headers
 * together, and would open an empty tab without them.
 */
// biome-ignore lint/correctness/noUnusedVariables: called by the script that the page adds after this one
function withStart(options, mostCharacters) {
  const { searchParams, hash } = new URL(location.href);
  // Links with the point of a person have the operation in the fragment, which browsers do not send.
  const parameters = searchParams.has('query') ? searchParams : new URLSearchParams(hash.slice(1));
  const query = parameters.get('query');
  const variables = parameters.get('variables') ?? '';
  const { tabs, active } = storedTabs();
  const tab = query === null || active?.query === query ? active : tabs.find((each) => each.query === query);
  const withAddress = { ...options, fetcher: send, onEditQuery: (edited) => writeAddress(edited, mostCharacters) };
  if (tab) {
    return {
      ...withAddress,
      query: tab.query ?? '',
      variables: tab.variables ?? '',
      initialHeaders: tab.headers ?? '',
    };
  }
  if (query === null) return withAddress;
  const headers = active?.headers ?? options.defaultHeaders;
  const defaultTabs = [{ query, variables, headers }, ...options.defaultTabs];
  return { ...withAddress, query, variables, initialHeaders: headers, defaultTabs };
}

/**
 * Sends an operation. After a quick change of tabs GraphiQL still passes the operation name of the previous tab. Such a
 * name is omitted: the server executes the only operation of a document without a name.
 */
async function send({ query, variables, operationName }, { headers } = {}) {
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
 * Writes the operation into the URL, for bookmarks and links. An operation that is too long for a request is omitted.
 */
function writeAddress(query, mostCharacters) {
  const address = new URL(location.href);
  address.hash = '';
  address.searchParams.delete('variables');
  address.searchParams.set('query', query);
  const isShort = address.pathname.length + address.search.length <= mostCharacters;
  if (query === '' || !isShort) address.searchParams.delete('query');
  history.replaceState(history.state, '', address);
}
