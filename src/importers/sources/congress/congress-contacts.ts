import { z } from 'zod';
import { dictionary } from '../../../base/dictionary.ts';
import type { ExternalId, ImportRow } from '../../exchange/import-rows.ts';
import type { Report } from '../../exchange/report.ts';
import type { Term } from '../../facts/congress-terms.ts';

const text = z.union([z.string(), z.number()]).transform(String);
const id = z.looseObject({ bioguide: z.string() });

export const districtOffices = z.looseObject({
  id,
  offices: z.array(
    z.looseObject({
      address: text.nullish(),
      suite: text.nullish(),
      building: text.nullish(),
      city: z.string().nullish(),
      state: z.string().nullish(),
      zip: text.nullish(),
      phone: text.nullish(),
      fax: text.nullish(),
    }),
  ),
});

export const socialMedia = z.looseObject({ id, social: z.record(z.string(), text.nullable()) });

export type DistrictOffices = z.infer<typeof districtOffices>;
export type SocialMedia = z.infer<typeof socialMedia>;

/** The profile URL of an account in each network; other fields of the source repeat an account by its number. */
const NETWORKS: Readonly<Record<string, readonly [network: string, url: (account: string) => string | undefined]>> =
  dictionary({
    twitter: ['Twitter', (account) => `https://twitter.com/${account}`],
    facebook: ['Facebook', (account) => `https://facebook.com/${account}`],
    instagram: ['Instagram', (account) => `https://instagram.com/${account}`],
    youtube_id: ['YouTube', (account) => `https://youtube.com/channel/${account}`],
    youtube: ['YouTube', youtubeUrl],
    mastodon: ['Mastodon', mastodonUrl],
  });

/** Returns the Washington contacts of an officeholder from a term. */
export function termContacts(term: Term, holder: ExternalId): ImportRow[] {
  return present(holder, [
    ['Phone', term.phone],
    ['Website', term.url],
    ['Contact form', term.contact_form],
    ['Address', term.address],
    ['Fax', term.fax],
  ]);
}

/** Returns address and telephone of each office in the district, one after the other. */
export function districtOfficeContacts({ offices }: DistrictOffices, holder: ExternalId): ImportRow[] {
  return offices.flatMap((office) => {
    const place = [office.city, [office.state, office.zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
    const street = [office.address, office.suite, office.building].filter(Boolean);
    return present(holder, [
      ['District office address', street.length > 0 ? [...street, place].join(', ') : undefined],
      ['District office phone', office.phone],
      ['District office fax', office.fax],
    ]);
  });
}

function present(holder: ExternalId, contacts: [type: string, contact: string | null | undefined][]): ImportRow[] {
  return contacts.flatMap(([contact_type, contact]) =>
    contact
      ? [
          {
            table: 'contacts',
            record: holder.value,
            refs: { officeholder_id: holder },
            values: { collection: 'contact', contact_type, contact },
          },
        ]
      : [],
  );
}

const OF_SEVERAL = 'belongs to more than one person';

/**
 * Returns the accounts of each person as URLs. An account that the source gives to two people is left out and reported:
 * one of them is wrong.
 */
export function socialContacts(
  all: readonly SocialMedia[],
  report: Report,
): { entry: SocialMedia; contacts: ImportRow[] }[] {
  const key = (network: string, account: unknown) => `${network} ${String(account).toLowerCase()}`;
  const owners = new Map<string, number>();
  for (const { social } of all) {
    for (const [network, account] of Object.entries(social))
      owners.set(key(network, account), (owners.get(key(network, account)) ?? 0) + 1);
  }
  return all.map((entry) => {
    const file = 'legislators-social-media.yaml';
    const record = report.locate(`${file} ${entry.id.bioguide}`, file);
    const contacts = Object.entries(NETWORKS).flatMap(([member, [network, url]]): ImportRow[] => {
      const account = entry.social[member];
      if (account === undefined || account === null || account === '') return [];
      if (member === 'youtube' && entry.social.youtube_id) return [];
      if ((owners.get(key(member, account)) ?? 0) > 1) {
        report.add(record, 'left-out', `${member} … ${OF_SEVERAL}`, account);
        return [];
      }
      const contact = url(String(account));
      if (contact === undefined) report.add(record, 'left-out', `${member} ${account} is not an account`);
      return contact === undefined
        ? []
        : [{ table: 'contacts', record, values: { collection: 'social', contact_type: network, contact } }];
    });
    return { entry, contacts };
  });
}

/** Returns a YouTube URL. A name is a channel id (`UC` and 22 characters), a handle (`@name`) or an older user name. */
function youtubeUrl(name: string): string {
  if (/^UC[\w-]{22}$/.test(name)) return `https://youtube.com/channel/${name}`;
  return name.startsWith('@') ? `https://youtube.com/${name}` : `https://youtube.com/user/${name}`;
}

/** Returns the URL of the profile of `@user@server`; undefined if the handle has another form. */
function mastodonUrl(handle: string): string | undefined {
  const [, user, server] = /^@?([^@\s]+)@([^@\s/]+)$/.exec(handle) ?? [];
  return user && server ? `https://${server}/@${user}` : undefined;
}
