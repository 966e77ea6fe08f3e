/** Schemes of links that a client would execute or that read local files. */
const ACTIVE = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:', 'about:', 'view-source:'];
const LINKS = ['http:', 'https:', 'mailto:'];

/** Returns whether a text is an absolute web URL that shows its host: a user before `@` looks like another one, and has a password. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text) && !namesUser(new URL(text));
}

const namesUser = ({ username, password }: URL) => username !== '' || password !== '';

export const LONGEST_IMAGE_ADDRESS = 2_000;

/** Returns whether a text is the address of a picture which any page may show: pages with https load no others. */
export function isImageAddress(text: string): boolean {
  return isWebAddress(text) && text.length <= LONGEST_IMAGE_ADDRESS && new URL(text).protocol === 'https:';
}

/**
 * Returns whether a contact can safely be shown as a link. A telephone number, an account name or an address without a
 * scheme can.
 * @param isLink true if clients will treat it as a URL: a website, a social network account.
 */
export function isSafeContact(text: string, isLink: boolean): boolean {
  const scheme = schemeOf(text);
  if (scheme === undefined) return true;
  return isLink ? LINKS.includes(scheme) && !namesUser(new URL(text)) : !ACTIVE.includes(scheme);
}

/**
 * Returns the scheme with which a browser would resolve a text: browsers ignore control characters, and blanks before
 * the text.
 */
function schemeOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol } = new URL(text);
  // `example.org:8080` is a host with its port.
  return protocol.includes('.') ? undefined : protocol;
}
