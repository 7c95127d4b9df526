/** JSON Web Tokens (RFC 7519), verified as RFC 8725 recommends. */
import { errors, jwtVerify } from 'jose';
import { createKeySet } from './key-set.js';
import type { AuthConfig } from './rights.js';

type JwtConfig = NonNullable<AuthConfig['jwt']>;

/** Claims of a valid token. */
interface JwtClaims {
  readonly subject: string;
  readonly roles: readonly string[];
  /** Includes the clock tolerance. */
  readonly expiresAtMs: number;
}

/** The token is invalid. The message may be shown to the client. */
export class BadTokenError extends Error {
  override readonly name = 'BadTokenError';
}

/**
 * Verifies signature, issuer, audience and times. A token needs `sub` and `exp`.
 * @throws BadTokenError; other errors if the keys cannot be fetched
 */
export function createJwtCheck(config: JwtConfig): (token: string) => Promise<JwtClaims> {
  const keys = createKeySet(config.jwks);
  const claim = config.rolesClaim.split('.');
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: [...config.algorithms],
        issuer: config.issuer,
        audience: config.audience,
        clockTolerance: config.clockToleranceSeconds,
        requiredClaims: ['sub', 'exp'],
      });
      const { sub, exp = 0 } = payload;
      // The library only checks that the claim exists.
      if (typeof sub !== 'string' || sub === '') throw new BadTokenError(wrongClaim('sub'));
      const expiresAtMs = (exp + config.clockToleranceSeconds) * 1000;
      return { subject: sub, roles: rolesIn(payload, claim), expiresAtMs };
    } catch (error) {
      if (error instanceof BadTokenError) throw error;
      throw isAboutToken(error) ? new BadTokenError(reasonOf(error), { cause: error }) : error;
    }
  };
}

/** A list of names, or one string with spaces between them, as in the `scope` claim. */
function rolesIn(payload: unknown, claim: readonly string[]): string[] {
  let value: unknown = payload;
  for (const name of claim)
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? Reflect.get(value, name)
        : undefined;
  if (typeof value === 'string') return value.split(/\s+/).filter((name) => name !== '');
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

/** Excludes failures to fetch the keys, which the bearer did not cause. */
function isAboutToken(error: unknown): error is Error {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== 'ERR_JOSE_GENERIC'
  );
}

function reasonOf(error: Error): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return wrongClaim(error.claim);
  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'the token is signed with an algorithm that is not allowed';
  if (error instanceof errors.JWKSNoMatchingKey) return 'the token is signed with an unknown key';
  return 'invalid token';
}

function wrongClaim(name: string): string {
  return `invalid claim "${name}" in the token`;
}
