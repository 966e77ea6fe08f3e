import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SigningKey, SigningKeys } from '../../base/config/signing-keys.ts';

/** Length of the suffix of the access key id that makes each link unique. */
const NONCE_LENGTH = 16;
const LINK =
  /^(?<path>[^?]+)\?AWSAccessKeyId=(?<access>[A-Z0-9]{20,32})&Expires=(?<expires>\d{10})&Signature=(?<signature>[0-9a-f]{64})$/;

/**
 * Returns a path with the query parameters that permit its download until `expires` (seconds since 1970). Each call
 * returns a different link.
 */
export function signPath(path: string, expires: number, [key]: SigningKeys): string {
  const access =
    key.id +
    randomBytes(NONCE_LENGTH / 2)
      .toString('hex')
      .toUpperCase();
  return `${path}?AWSAccessKeyId=${access}&Expires=${expires}&Signature=${signatureOf(path, access, expires, key)}`;
}

/**
 * Returns the path of a link that was signed with one of the keys and has not expired; undefined for all others. The
 * parameters must appear in exactly this order and spelling, without any others.
 */
export function verifyLink(address: string, now: number, keys: SigningKeys): string | undefined {
  const { path, access, expires, signature } = LINK.exec(address)?.groups ?? {};
  if (path === undefined || access === undefined || signature === undefined) return undefined;
  const key = keys.find(({ id }) => id === access.slice(0, -NONCE_LENGTH));
  // Verification takes the same time for an unknown key as for a known one.
  const wanted = signatureOf(path, access, Number(expires), key ?? { id: '', secret: 'none' });
  const matches = timingSafeEqual(Buffer.from(wanted), Buffer.from(signature));
  return key && matches && now < Number(expires) ? path : undefined;
}

/** Returns the signature of a link. Links are for downloads: the method is GET, and HEAD counts as GET. */
function signatureOf(path: string, access: string, expires: number, { secret }: SigningKey): string {
  return createHmac('sha256', secret).update(`GET\n${path}\n${expires}\n${access}`).digest('hex');
}
