/** Authenticates callers by the `Authorization` header: access tokens and JSON Web Tokens. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { JWT_NAME_PREFIX } from '../../config.js';
import type { Problem } from '../problem.js';
import { FAILURE_PAUSE_MS, KeySetPausedError } from './key-set.js';
import { type AuthConfig, createRightsOf, type Rights } from './rights.js';
import { BadTokenError, createJwtCheck } from './jwt.js';

export interface Caller {
  /**
   * Identifies the client in the log and in rate limits; undefined without a token. Names from a JWT start
   * with "jwt:", so that a subject never collides with a configured token.
   */
  readonly name: string | undefined;
  readonly rights: Rights;
  /** The time from which the token is no longer accepted, in milliseconds since 1970. */
  readonly expiresAtMs: number | undefined;
}

export type Authenticated = { readonly caller: Caller } | { readonly problem: Problem };

/** Bounds the bytes to hash or verify per request. */
const MAX_TOKEN_LENGTH = 8192;

/** Longer subjects are truncated for the log; a hash is appended to keep them distinct. */
const MAX_SUBJECT_LENGTH = 300;

/**
 * Creates an authenticator. If an issuer's keys cannot be fetched, it reports the error to `logFailure` and
 * rejects the request.
 */
export function createAuthenticator(
  config: AuthConfig,
  logFailure: (error: unknown) => void,
): (headers: IncomingHttpHeaders) => Promise<Authenticated> {
  const rightsOf = createRightsOf(config.roles);
  const findToken = createTokenCheck(config.tokens);
  const checkJwt = config.jwt === undefined ? undefined : createJwtCheck(config.jwt);

  async function callerOf(token: string): Promise<Caller> {
    if (token.length > MAX_TOKEN_LENGTH)
      throw new BadTokenError(`the token has more than ${MAX_TOKEN_LENGTH} characters`);
    const known = findToken(token);
    if (known !== undefined) {
      const expiresAtMs = known.expires === undefined ? undefined : Date.parse(known.expires);
      // The comparison is negated, so that NaN counts as expired.
      if (expiresAtMs !== undefined && !(expiresAtMs > Date.now()))
        throw new BadTokenError('the token has expired');
      return { name: known.name, rights: rightsOf(known.roles), expiresAtMs };
    }
    if (checkJwt === undefined) throw new BadTokenError('unknown token');
    const { subject, roles, expiresAtMs } = await checkJwt(token);
    return { name: JWT_NAME_PREFIX + shortened(subject), rights: rightsOf(roles), expiresAtMs };
  }

  return async ({ authorization }) => {
    if (authorization === undefined) {
      if (config.anonymous.length === 0) return { problem: unauthenticated(undefined) };
      return { caller: { name: undefined, rights: rightsOf(config.anonymous), expiresAtMs: undefined } };
    }
    const token = /^Bearer +([^\s,]+) *$/i.exec(authorization)?.[1];
    if (token === undefined) return { problem: unauthenticated('expected "Authorization: Bearer TOKEN"') };
    try {
      return { caller: await callerOf(token) };
    } catch (error) {
      if (error instanceof BadTokenError) return { problem: unauthenticated(error.message) };
      // Logged once at the failed fetch, not for every request during the pause that follows.
      if (!(error instanceof KeySetPausedError)) logFailure(error);
      return { problem: keysUnavailable };
    }
  };
}

function shortened(subject: string): string {
  if (subject.length <= MAX_SUBJECT_LENGTH) return subject;
  return `${subject.slice(0, MAX_SUBJECT_LENGTH)}#${createHash('sha256').update(subject).digest('base64url')}`;
}

const keysUnavailable: Problem = {
  status: 503,
  code: 'UNAUTHENTICATED',
  message: 'tokens cannot be verified at the moment; try again later',
  headers: { 'retry-after': String(FAILURE_PAUSE_MS / 1000) },
};

/**
 * Creates a response with status 401 (RFC 6750, section 3).
 * @param reason why the token was rejected; undefined if the request had no token
 */
function unauthenticated(reason: string | undefined): Problem {
  const details =
    reason === undefined ? '' : `, error="invalid_token", error_description="${reason.replaceAll('"', "'")}"`;
  return {
    status: 401,
    code: 'UNAUTHENTICATED',
    message: `${reason ?? 'authentication required'}; send "Authorization: Bearer" with a valid token`,
    headers: { 'www-authenticate': `Bearer realm="zarrql"${details}` },
  };
}

type StaticToken = AuthConfig['tokens'][number];

/** Finds the token's entry, in a time that does not depend on the token. */
function createTokenCheck(tokens: AuthConfig['tokens']): (token: string) => StaticToken | undefined {
  const known = tokens.map((token) => ({ token, hash: Buffer.from(token.sha256, 'hex') }));
  return (text) => {
    const hash = createHash('sha256').update(text, 'utf8').digest();
    let match: StaticToken | undefined;
    for (const entry of known) if (timingSafeEqual(entry.hash, hash)) match = entry.token;
    return match;
  };
}
