import { createHmac, timingSafeEqual } from 'node:crypto';

/** The format of a value: this byte, the HMAC-SHA256 of the name and the body, the body. */
const VERSION = 1;
const MAC_END = 33;

/** Returns a body with a code that proves that a holder of the secret stored it under this name. */
export function signValue(name: string, body: Buffer, secret: Buffer): Buffer {
  return Buffer.concat([Buffer.of(VERSION), macOf(name, body, secret), body]);
}

/** Returns the body of a value; undefined if it was not signed for this name with one of the secrets. */
export function openValue(name: string, value: Buffer, secrets: readonly Buffer[]): Buffer | undefined {
  if (value.length < MAC_END || value[0] !== VERSION) return undefined;
  const [mac, body] = [value.subarray(1, MAC_END), value.subarray(MAC_END)];
  return secrets.some((secret) => timingSafeEqual(mac, macOf(name, body, secret))) ? body : undefined;
}

function macOf(name: string, body: Buffer, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${name}\0`).update(body).digest();
}
