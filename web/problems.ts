import type { NoAnswer } from './api.ts';
import { notice } from './ballot.ts';
import { type Html, html } from './html.ts';
import { counted } from './words.ts';

/** Asks for a key. @param isRejected whether the server has rejected the key of this tab. */
export function keyForm(isRejected: boolean): Html {
  return html`<div class="pad"><form class="stack" id="key-form"><h1 class="vh">API key</h1><p><b>This server asks for an API key.</b> It is kept in this tab only and gone when you close it.</p>
    ${isRejected && notice('bad', 'key', 'The server did not take this key.', 'Check it for typing errors, or ask the operator of this server.')}
    <label class="key"><span class="small">API key</span><input class="in" name="key" placeholder="bg_…" autocomplete="off"></label><button class="btn primary">Use this key</button></form></div>`;
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
