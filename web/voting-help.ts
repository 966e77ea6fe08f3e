import { html } from 'lit-html';
import type { Html } from './dom.ts';

import { shortDay } from './words.ts';

export interface ElectionOffice {
  readonly name: string;
  readonly website: string;
  readonly asOf: string;
}

/** Says which types of elections of the state are in the data: the next one is only the next of these. */
export function loadedElections(
  states: readonly { readonly loadedElections: string | null }[] | null | undefined,
): Html {
  const sentence = states?.[0]?.loadedElections;
  return sentence != null ? html`<p class="small">${sentence}</p>` : '';
}

/** Says whom to ask how, where and when to vote; nothing if the election office of the place is not known. */
export function votingHelp(office: ElectionOffice | null | undefined): Html {
  if (!office) return '';
  return html`<p class="small">How to register, where and when to vote: <a href="${office.website}">${office.name}</a>, the election office of the state (address as of ${shortDay(office.asOf)}).</p>`;
}
