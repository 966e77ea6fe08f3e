/** A key that signs links, and the id by which links refer to it. */
export interface SigningKey {
  readonly id: string;
  readonly secret: string;
}

/** The configured keys: the first one signs; links signed with any of them are accepted. */
export type SigningKeys = readonly [SigningKey, ...SigningKey[]];

const KEY = /^(?<id>[A-Z0-9]{4,16}):(?<secret>[^\s,:]{32,200})$/;

/** Parses `id:secret`, or several of them separated by commas; undefined when the text is invalid. */
export function parseSigningKeys(text: string): SigningKeys | undefined {
  const keys = text.split(',').map((part) => KEY.exec(part.trim())?.groups);
  const [first, ...others] = keys.flatMap((groups) => {
    const { id, secret } = groups ?? {};
    return id && secret ? [{ id, secret }] : [];
  });
  const ids = new Set(keys.map((groups) => groups?.id));
  return first && ids.size === keys.length && others.length === keys.length - 1 ? [first, ...others] : undefined;
}
