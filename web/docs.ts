import { apiKey, keepKey } from './api.ts';
import { changeTheme } from './change-theme.ts';
import { startSearch } from './docs-search.ts';
import { byId } from './dom.ts';

/** The characters of a response that are shown: more would make the page slow. */
const MOST_CHARACTERS = 200_000;

interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Returns the request that a form describes: its fields are the parameters, empty ones are left out. */
function callOf(form: HTMLFormElement, key: string): Call {
  const url = new URL(form.dataset.path ?? '', location.origin);
  let body: string | undefined;
  for (const [name, value] of new FormData(form)) {
    if (name === 'body') body = String(value);
    else if (value !== '') url.searchParams.set(name, String(value));
  }
  const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) };
  return { method: form.dataset.method ?? 'GET', url: url.href, headers, body };
}

/** Quotes text for a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function curlOf({ url, headers, body }: Call): string {
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(`-d ${quoted(body)}`);
  return ['curl', ...lines, quoted(url)].join(' \\\n  ').replace('curl \\\n  ', 'curl ');
}

/** Returns the text of a response for people: JSON with line breaks, truncated if it is very long. */
function readable(text: string): string {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON: shown as it is.
  }
  if (shown.length <= MOST_CHARACTERS) return shown;
  return `${shown.slice(0, MOST_CHARACTERS)}\n… ${shown.length - MOST_CHARACTERS} more characters`;
}

function startForm(form: HTMLFormElement): void {
  const [key, curl, outcome, response] = [
    byId<HTMLInputElement>('key'),
    byId('curl'),
    byId('outcome'),
    byId('response'),
  ];
  const showCurl = () => {
    curl.textContent = curlOf(callOf(form, key.value.trim() || 'YOUR KEY'));
  };
  let sent: AbortController | undefined;

  async function send(): Promise<void> {
    sent?.abort();
    sent = new AbortController();
    const { signal } = sent;
    if (key.value.trim() !== document.body.dataset.key) keepKey(key.value.trim());
    const { url, method, headers, body } = callOf(form, key.value.trim());
    outcome.textContent = 'Sending …';
    const start = performance.now();
    try {
      // Points and addresses stay out of the cache of the browser.
      const options: RequestInit = { method, headers, signal, cache: 'no-store' };
      const answer = await fetch(url, body === undefined ? options : { ...options, body });
      const text = await answer.text();
      const status = document.createElement('span');
      status.className = 'tag solid';
      status.textContent = String(answer.status);
      const type = answer.headers.get('content-type')?.replace(/;.*/, '') ?? 'no content';
      outcome.replaceChildren(status, ` ${type}, ${Math.round(performance.now() - start)} ms`);
      response.textContent = readable(text);
      outcome.scrollIntoView({ block: 'center' });
    } catch {
      if (signal.aborted) return;
      outcome.textContent = 'The server did not answer. Try again.';
      response.textContent = '';
    }
  }

  async function copy(button: HTMLElement): Promise<void> {
    try {
      await navigator.clipboard.writeText(curl.textContent ?? '');
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy as curl';
      }, 2_000);
    } catch {
      // Pages that are not served over HTTPS have no clipboard.
      getSelection()?.selectAllChildren(curl);
      curl.focus();
    }
  }

  key.value = apiKey() ?? '';
  form.hidden = false;
  showCurl();
  form.addEventListener('input', showCurl);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send();
  });
  byId('copy').addEventListener('click', ({ currentTarget }) => void copy(currentTarget as HTMLElement));
}

document.querySelector('[data-action=theme]')?.addEventListener('click', changeTheme);
// A page that says that an address has no page has no search.
if (document.getElementById('docs-find')) startSearch();
const form = document.querySelector<HTMLFormElement>('#try');
if (form) startForm(form);
