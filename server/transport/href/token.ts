/**
 * Links that carry what they stand for: JSON, packed and signed (HMAC-SHA-256), so that nothing has to be remembered
 * and nobody can make or change one. Whoever has a link may follow it until it expires.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** What a token was signed for. Further members are the caller's. */
export interface TokenClaims {
  /** Seconds since 1970 after which the token is worth nothing. */
  readonly expires: number;
}

export type OpenedToken =
  | { readonly kind: 'valid'; readonly claims: Readonly<Record<string, unknown>>; readonly expires: number }
  | { readonly kind: 'expired' }
  | { readonly kind: 'forged' };

/** Bytes that an honest token unpacks to, at most. */
const MAX_UNPACKED_BYTES = 2 ** 20;

/** The most characters of a token; what stands in a URL must be shorter than what servers take. */
export const MAX_TOKEN_CHARACTERS = 6000;

/** Signs another thing with the same keys than whatever else is signed with them. */
const PURPOSE = 'zarrql href 1\n';

/** @param key any text or bytes that others do not know */
export function signToken(claims: TokenClaims & Readonly<Record<string, unknown>>, key: string): string {
  const packed = deflateRawSync(JSON.stringify(claims), { level: 9 });
  return `${packed.toString('base64url')}.${signature(packed, key).toString('base64url')}`;
}

/** @param keys any of which may have signed it; @param now seconds since 1970 */
export function openToken(token: string, keys: readonly string[], now: number): OpenedToken {
  const [body = '', sign = '', ...more] = token.split('.');
  if (more.length > 0 || token.length > MAX_TOKEN_CHARACTERS) return { kind: 'forged' };
  const packed = Buffer.from(body, 'base64url');
  const given = Buffer.from(sign, 'base64url');
  // One spelling only: base64 that decodes alike is another token.
  if (packed.toString('base64url') !== body || given.toString('base64url') !== sign)
    return { kind: 'forged' };
  const isSigned = keys.some((key) => {
    const expected = signature(packed, key);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isSigned) return { kind: 'forged' };
  const claims: unknown = JSON.parse(
    inflateRawSync(packed, { maxOutputLength: MAX_UNPACKED_BYTES }).toString('utf8'),
  );
  if (typeof claims !== 'object' || claims === null) return { kind: 'forged' };
  const expires: unknown = Reflect.get(claims, 'expires');
  if (typeof expires !== 'number' || expires <= now) return { kind: 'expired' };
  return { kind: 'valid', claims: { ...claims }, expires };
}

function signature(packed: Buffer, key: string): Buffer {
  return createHmac('sha256', key).update(PURPOSE).update(packed).digest();
}
