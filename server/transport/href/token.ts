/**
 * Self-contained links: JSON, compressed and signed (HMAC-SHA-256), so that the gateway stores nothing and
 * links cannot be forged or modified. Anyone with a link may use it until it expires.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The signed content of a token. The caller may add further members. */
export interface TokenClaims {
  /** Expiry, in seconds since 1970. */
  readonly expires: number;
}

export type OpenedToken =
  | { readonly kind: 'valid'; readonly claims: Readonly<Record<string, unknown>>; readonly expires: number }
  | { readonly kind: 'expired' }
  | { readonly kind: 'forged' };

/** Maximum decompressed size of a token in bytes. */
const MAX_UNPACKED_BYTES = 2 ** 20;

/** Maximum length of a token in characters, so that URLs stay below the limits of common servers. */
export const MAX_TOKEN_CHARACTERS = 6000;

/** Prefix of the signed text, so that signatures with the same keys for other purposes are not valid here. */
const PURPOSE = 'zarrql href 1\n';

/** @param key a secret */
export function signToken(claims: TokenClaims & Readonly<Record<string, unknown>>, key: string): string {
  const packed = deflateRawSync(JSON.stringify(claims, plainLists), { level: 9 });
  return `${packed.toString('base64url')}.${signature(packed, key).toString('base64url')}`;
}

/** JSON would represent a typed array as an object. */
function plainLists(_: string, value: unknown): unknown {
  return value instanceof Float64Array ? [...value] : value;
}

/** @param keys one of these must have signed the token; @param now seconds since 1970 */
export function openToken(token: string, keys: readonly string[], now: number): OpenedToken {
  const [body = '', sign = '', ...more] = token.split('.');
  if (more.length > 0 || token.length > MAX_TOKEN_CHARACTERS) return { kind: 'forged' };
  const packed = Buffer.from(body, 'base64url');
  const received = Buffer.from(sign, 'base64url');
  // Accepts only the canonical encoding: other base64 texts decode to the same bytes.
  if (packed.toString('base64url') !== body || received.toString('base64url') !== sign)
    return { kind: 'forged' };
  const isSigned = keys.some((key) => {
    const expected = signature(packed, key);
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
  if (!isSigned) return { kind: 'forged' };
  const claims = unpacked(packed);
  if (typeof claims !== 'object' || claims === null) return { kind: 'forged' };
  const expires: unknown = Reflect.get(claims, 'expires');
  if (typeof expires !== 'number' || expires <= now) return { kind: 'expired' };
  return { kind: 'valid', claims: { ...claims }, expires };
}

/** Undefined unless the bytes are compressed JSON, as those of another program with the same key may not be. */
function unpacked(packed: Buffer): unknown {
  try {
    return JSON.parse(inflateRawSync(packed, { maxOutputLength: MAX_UNPACKED_BYTES }).toString('utf8'));
  } catch {
    return undefined;
  }
}

function signature(packed: Buffer, key: string): Buffer {
  return createHmac('sha256', key).update(PURPOSE).update(packed).digest();
}
