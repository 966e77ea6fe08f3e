import { type Html, html } from './html.ts';
import { shortDay } from './words.ts';

export interface ElectionOffice {
  readonly name: string;
  readonly website: string;
  readonly asOf: string;
}

/** Says whom to ask how, where and when to vote; nothing if the election office of the place is not known. */
export function votingHelp(office: ElectionOffice | null | undefined): Html | false {
  if (!office) return false;
  return html`<p class="small">How to register, where and when to vote: <a href="${office.website}">${office.name}</a>, the election office of the state (address as of ${shortDay(office.asOf)}).</p>`;
}
