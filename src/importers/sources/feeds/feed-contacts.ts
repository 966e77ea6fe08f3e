import { dictionary } from '../../../base/dictionary.ts';
import type { ExternalId, ImportRow } from '../../exchange/import-rows.ts';
import { childrenOf, plain } from './elements.ts';
import type { Feed } from './feed.ts';
import type { XmlElement } from './xml-file.ts';

const NETWORKS: Readonly<Record<string, string>> = dictionary({
  facebook: 'Facebook',
  twitter: 'Twitter',
  x: 'Twitter',
  instagram: 'Instagram',
  youtube: 'YouTube',
  tiktok: 'TikTok',
  linkedin: 'LinkedIn',
  threads: 'Threads',
  bluesky: 'Bluesky',
  mastodon: 'Mastodon',
});

const REFERENCE_WORKS = ['wikipedia', 'ballotpedia', 'opensecrets', 'fec', 'followthemoney', 'votesmart'];

type Owner = { readonly officeholder_id: ExternalId } | { readonly person_id: ExternalId };

/** Returns the contact details and social network accounts of an element, in English or without a language. */
export function contactRows(feed: Feed, element: XmlElement, owner: Owner): ImportRow[] {
  const record = feed.record(element);
  return contactsOf(feed, element).map((values) => ({ table: 'contacts', record, refs: owner, values }));
}

/** Returns the first website that belongs to the person. */
export function websiteOf(...elements: (XmlElement | undefined)[]): string | undefined {
  const uris = elements.flatMap((each) => (each ? childrenOf(each, 'ContactInformation') : []));
  return uris
    .flatMap((each) => childrenOf(each, 'Uri'))
    .find((uri) => kindOfUri(uri) === 'Website')
    ?.text.trim();
}

interface ContactValues {
  readonly collection: 'contact' | 'social';
  readonly contact_type: string;
  readonly contact: string;
  readonly [column: string]: string;
}

function contactsOf(feed: Feed, element: XmlElement): ContactValues[] {
  return childrenOf(element, 'ContactInformation').flatMap((information) => {
    if (!/^(en\b|$)/i.test(information.attributes.language ?? '')) {
      feed.countSkipped('ContactInformation', 'is not in English');
      return [];
    }
    const texts = (name: string) => childrenOf(information, name).flatMap((each) => plain(each) ?? []);
    const lines = texts('AddressLine');
    const simple = (['Phone', 'Fax', 'Email'] as const).flatMap((name) =>
      childrenOf(information, name).flatMap((each): ContactValues[] => {
        const [contact, note] = [plain(each), annotationOf(each)];
        const contact_type = name === 'Phone' && /^(tdd|tty)$/i.test(note) ? note.toUpperCase() : name;
        return contact ? [{ collection: 'contact', contact_type, contact }] : [];
      }),
    );
    const address: ContactValues[] =
      lines.length > 0 ? [{ collection: 'contact', contact_type: 'Address', contact: lines.join(', ') }] : [];
    return [...simple, ...address, ...childrenOf(information, 'Uri').flatMap((uri) => uriContact(feed, uri))];
  });
}

function uriContact(feed: Feed, uri: XmlElement): ContactValues[] {
  const [contact, kind] = [plain(uri), kindOfUri(uri)];
  if (!contact) return [];
  if (kind === null) {
    feed.countSkipped('Uri', 'is a reference work about a person, not a contact');
    return [];
  }
  return [{ collection: kind === 'Website' ? 'contact' : 'social', contact_type: kind, contact }];
}

/** Returns the name of a network, `Website`, or null for a page by others about the person. */
function kindOfUri(uri: XmlElement): string | null {
  const words = annotationOf(uri).toLowerCase().split('-');
  if (words.some((word) => REFERENCE_WORKS.includes(word))) return null;
  const network = words.find((word) => Object.hasOwn(NETWORKS, word));
  return (network && NETWORKS[network]) ?? 'Website';
}

function annotationOf({ attributes }: XmlElement): string {
  return attributes.Annotation ?? attributes.annotation ?? '';
}
