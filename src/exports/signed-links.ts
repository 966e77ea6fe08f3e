import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SigningKey, SigningKeys } from './signing-keys.ts';

/** Of the access key id in a link, this much at its end tells the link from all others. */
const NONCE_LENGTH = 16;
const LINK =
  /^(?<path>[^?]+)\?AWSAccessKeyId=(?<access>[A-Z0-9]{20,32})&Expires=(?<expires>\d{10})&Signature=(?<signature>[0-9a-f]{64})$/;

/**
 * A path with the query parameters that let it be downloaded until `expires` (seconds since 1970). Each call gives
 * another one.
 */
export function signPath(path: string, expires: number, [key]: SigningKeys): string {
  const access =
    key.id +
    randomBytes(NONCE_LENGTH / 2)
      .toString('hex')
      .toUpperCase();
  return `${path}?AWSAccessKeyId=${access}&Expires=${expires}&Signature=${signature(path, access, expires, key)}`;
}

/**
 * The path of a link that one of the keys has signed and that has not expired; undefined for all others, to which not
 * the least change counts: the parameters stand in this order, in this spelling, and nothing else with them.
 */
export function verifyLink(address: string, now: number, keys: SigningKeys): string | undefined {
  const { path, access, expires, signature: given } = LINK.exec(address)?.groups ?? {};
  if (path === undefined || access === undefined || given === undefined) return undefined;
  const key = keys.find(({ id }) => id === access.slice(0, -NONCE_LENGTH));
  // A key that is not there is as slow as one that is.
  const wanted = signature(path, access, Number(expires), key ?? { id: '', secret: 'none' });
  const matches = timingSafeEqual(Buffer.from(wanted), Buffer.from(given));
  return key && matches && now < Number(expires) ? path : undefined;
}

/** Links are for downloads: the method is GET, and HEAD counts as a GET that is cut short. */
function signature(path: string, access: string, expires: number, { secret }: SigningKey): string {
  return createHmac('sha256', secret).update(`GET\n${path}\n${expires}\n${access}`).digest('hex');
}
