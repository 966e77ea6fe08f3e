import { dictionary } from '../../../base/dictionary.ts';
import type { ImportContext, ImportRow } from '../../exchange/import-rows.ts';
import type { Holder } from './openstates-person.ts';

/** The prefix of each kind of office before `address` and `phone`. */
const KINDS: Readonly<Record<string, string>> = dictionary({
  capitol: '',
  primary: '',
  district: 'District office ',
  'district-mail': 'District mail ',
  home: 'Home ',
});

const NETWORKS: Readonly<Record<string, readonly [network: string, address: string]>> = dictionary({
  twitter: ['Twitter', 'https://twitter.com/'],
  facebook: ['Facebook', 'https://facebook.com/'],
  instagram: ['Instagram', 'https://instagram.com/'],
  youtube: ['YouTube', 'https://youtube.com/user/'],
});

const NO_KIND = '…: is not a known kind of office';

/** Yields the contacts of an officeholder: they belong to the current term, and are dropped if there is none. */
export function* contactRows({ person, record, terms }: Holder, { report }: ImportContext): Iterable<ImportRow> {
  const holder = terms.find(({ isCurrent }) => isCurrent)?.ids[0];
  if (!holder) {
    report.add(record, 'left-out', 'holds no office on the day of the edition, so the contacts were skipped');
    return;
  }
  const row = (collection: 'contact' | 'social', contact_type: string, contact: string): ImportRow => ({
    table: 'contacts',
    record,
    refs: { officeholder_id: holder },
    values: { collection, contact_type, contact },
  });
  for (const { classification, address, voice, fax } of person.offices) {
    const kind = KINDS[classification];
    if (kind === undefined) report.add(record, 'left-out', NO_KIND, classification);
    else {
      const lines = address
        ?.split(/[;\n]/)
        .map((line) => line.trim())
        .filter(Boolean);
      if (lines?.length) yield row('contact', capital(`${kind}address`), lines.join(', '));
      if (voice) yield row('contact', capital(`${kind}phone`), voice);
      if (fax) yield row('contact', capital(`${kind}fax`), fax);
    }
  }
  if (person.email) yield row('contact', 'Email', person.email);
  for (const { url } of person.links) yield row('contact', 'Website', url);
  for (const [name, account] of Object.entries(person.ids)) {
    const network = NETWORKS[name];
    if (network && account) yield row('social', network[0], `${network[1]}${account}`);
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
