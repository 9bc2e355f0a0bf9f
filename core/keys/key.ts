/** API keys: their form, their digest, how the gateway holds them, and how a new one is made. Only the digest of a key is ever stored. */
import { createHash } from 'node:crypto';

/** Development keys and production keys, by the first two parts of their form; a stage takes one kind. */
export const KEY_PREFIXES = { dev: 'pcd_dev', live: 'pcd_live' } as const;
export type KeyKind = keyof typeof KEY_PREFIXES;
export type KeyPrefix = (typeof KEY_PREFIXES)[KeyKind];

const FORM = /^pcd_(dev|live)_[A-Za-z0-9]{24,64}$/;
const DIGEST = /^[0-9a-f]{64}$/;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 30;
const CHECKSUM_CHARACTERS = 6;
/** Bytes from this value on are rejected, because they would make some characters more likely than others. */
const EVEN_BYTES = 256 - (256 % ALPHABET.length);

/** Whether the text has the form of a key. Does not check that the key exists. */
export const isKeyForm = (text: string): boolean => FORM.test(text);

/** Whether the text has the form of a key that a stage with this prefix takes. */
export const isKeyOf = (prefix: KeyPrefix, text: string): boolean =>
  isKeyForm(text) && text.startsWith(`${prefix}_`);

/** SHA-256 of the key, 64 lower-case hex digits, which identifies the key in tables, the gateway and logs. */
export const keyDigest = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const isDigest = (text: unknown): text is string => typeof text === 'string' && DIGEST.test(text);

/** Values of keys made in the console, where no digest can be made: the whole secret, or what follows the prefix. */
export const PLAIN_VALUES = ['secret', 'remainder'] as const;
export type PlainValue = (typeof PLAIN_VALUES)[number];

/** What the value of a gateway key reveals. */
export interface HeldKey {
  /** Digest of the secret that a caller sends. */
  readonly digest: string;
  /** Absent where the value is the digest. */
  readonly heldAs?: PlainValue;
}

/**
 * The key behind the value of a gateway key; undefined where no secret of the stage matches the value. 64 hex digits are a
 * digest only where `isOurs` says that this service made the value: `openssl rand -hex 32` prints a secret that looks the same.
 */
export function readGatewayValue(
  value: string | undefined,
  prefix: KeyPrefix,
  isOurs: boolean,
): HeldKey | undefined {
  if (value === undefined) return undefined;
  if (isOurs && isDigest(value)) return { digest: value };
  if (isKeyOf(prefix, value)) return { digest: keyDigest(value), heldAs: 'secret' };
  const secret = `${prefix}_${value}`;
  return isKeyOf(prefix, secret) ? { digest: keyDigest(secret), heldAs: 'remainder' } : undefined;
}

/** The value of the gateway key of `secret`, by which the gateway counts requests against its plan. */
export function gatewayValue(secret: string, heldAs: PlainValue | undefined): string {
  if (heldAs === undefined) return keyDigest(secret);
  return heldAs === 'secret' ? secret : secret.slice(secret.lastIndexOf('_') + 1);
}

/** The part of a digest that is shown in lists and logs. */
export const digestPrefix = (digest: string): string => digest.slice(0, 8);

/** Six characters of the SHA-256 of the text before them, so that scanners can distinguish a leaked key from a chance match. */
function checksum(body: string): string {
  let rest = Number.parseInt(keyDigest(body).slice(0, 12), 16);
  let text = '';
  for (let place = 0; place < CHECKSUM_CHARACTERS; place += 1) {
    text += ALPHABET.charAt(rest % ALPHABET.length);
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

/** Whether the key ends in its checksum, as minted keys do. Access never depends on it. */
export const checksumHolds = (secret: string): boolean =>
  isKeyForm(secret) && secret.slice(-CHECKSUM_CHARACTERS) === checksum(secret.slice(0, -CHECKSUM_CHARACTERS));

/** A new key: prefix, 30 characters of base 62 (178 bits), 6 of checksum; `randomBytes` must be cryptographically strong. */
export function mintKey(kind: KeyKind, randomBytes: (count: number) => Uint8Array): string {
  let text = '';
  while (text.length < RANDOM_CHARACTERS) {
    for (const byte of randomBytes(RANDOM_CHARACTERS)) {
      if (byte < EVEN_BYTES && text.length < RANDOM_CHARACTERS)
        text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  const body = `${KEY_PREFIXES[kind]}_${text}`;
  return body + checksum(body);
}
