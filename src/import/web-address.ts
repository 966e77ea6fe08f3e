/** What a client does with a link of these schemes is to run it or to read files. */
const ACTIVE = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:', 'about:', 'view-source:'];
const LINKS = ['http:', 'https:', 'mailto:'];

/** Whether a text is an absolute address of the web. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text);
}

/**
 * Whether a contact can be shown as a link without harm. A telephone number, a name of an account or an address without
 * a scheme can.
 * @param isLink whether clients will take it for an address: a website, a social network account.
 */
export function isSafeContact(text: string, isLink: boolean): boolean {
  const scheme = schemeOf(text);
  if (scheme === undefined) return true;
  return isLink ? LINKS.includes(scheme) : !ACTIVE.includes(scheme);
}

/** The scheme by which a browser would follow a text: it passes over control characters, and blanks before the text. */
function schemeOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol } = new URL(text);
  // `example.org:8080` is a host with its port.
  return protocol.includes('.') ? undefined : protocol;
}
