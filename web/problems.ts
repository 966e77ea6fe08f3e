import { html } from 'lit-html';
import type { NoAnswer } from './api.ts';
import { notice } from './ballot.ts';
import type { Html } from './dom.ts';
import { counted } from './words.ts';

/**
 * Says that the operator has not given the page its package, or that the key of this tab is not accepted. Another key can be
 * entered, which visitors are not asked for.
 * @param isRejected whether the server has rejected a key that was entered.
 */
export function notSetUp(isRejected: boolean): Html {
  const form = html`<details id="key-form" ?open=${isRejected}><summary class="small">Use another API key</summary><form class="stack">
    <label class="key"><span class="small">API key</span><input class="in" name="key" placeholder="bg_…" autocomplete="off"></label><p class="small">It is kept in this tab only and gone when you close it.</p><button class="btn slim">Use this key</button></form></details>`;
  if (isRejected)
    return notice(
      'bad',
      'key',
      'The server did not take this key.',
      'Check it for typing errors, or ask the operator of this server.',
      form,
    );
  return notice(
    'info',
    'info',
    'This page has not been set up.',
    'Whoever runs this server has to do that first. What you typed is kept.',
    form,
  );
}

/** Says why there is no answer. */
export function problemNotice({ reason, message, seconds }: NoAnswer): Html {
  if (reason === 'rejected') return notice('', 'warning', 'The server did not take this request.', message);
  if (reason === 'too many')
    return notice(
      '',
      'warning',
      'That was too many lookups in a short time.',
      `We will try again in ${counted(seconds, 'second')}. Your place and day are kept.`,
    );
  return notice(
    'bad',
    'warning',
    'The server did not answer.',
    'What you see is from before. Nothing is lost; the page tries again by itself.',
    html`<p><button class="btn slim" type="button" data-action="again">Try again now</button></p>`,
  );
}
