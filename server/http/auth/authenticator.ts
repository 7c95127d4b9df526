/** Who asks, by the header `Authorization`, and what they may do. */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Problem } from '../problem.js';
import { jwtNamePrefix } from '../../config.js';
import { BadTokenError, createJwtCheck } from './jwt.js';
import { failurePauseMs, KeySetPausedError } from './key-set.js';
import { type AuthConfig, createRightsOf, type Rights } from './rights.js';
import { createTokenCheck } from './tokens.js';

export interface Caller {
  /**
   * For the log, and by which clients are told apart; undefined without a token. That of a JWT begins with "jwt:", so that
   * no subject is taken for a configured token.
   */
  readonly name: string | undefined;
  readonly rights: Rights;
  /** When the token stops being good. */
  readonly expiresAtMs: number | undefined;
}

export type Authenticated = { readonly caller: Caller } | { readonly problem: Problem };

/** Takes no longer token: it would have to be hashed, or its signature checked. */
const maxTokenLength = 8192;

/** A longer subject is shortened for the log, with its hash, so that it remains different from all others. */
const maxSubjectLength = 300;

/** Where the keys of an issuer cannot be had, the error is given to `logFailure` and the request is not let in. */
export function createAuthenticator(
  config: AuthConfig,
  logFailure: (error: unknown) => void,
): (headers: IncomingHttpHeaders) => Promise<Authenticated> {
  const rightsOf = createRightsOf(config.roles);
  const findToken = createTokenCheck(config.tokens);
  const checkJwt = config.jwt === undefined ? undefined : createJwtCheck(config.jwt);

  async function callerOf(token: string): Promise<Caller> {
    if (token.length > maxTokenLength) throw new BadTokenError('the token is too long');
    const known = findToken(token);
    if (known !== undefined) {
      const expiresAtMs = known.expires === undefined ? undefined : Date.parse(known.expires);
      // Negated, so that what is no time is no permission.
      if (expiresAtMs !== undefined && !(expiresAtMs > Date.now()))
        throw new BadTokenError('the token has expired');
      return { name: known.name, rights: rightsOf(known.roles), expiresAtMs };
    }
    if (checkJwt === undefined) throw new BadTokenError('the token is not known');
    const { subject, roles, expiresAtMs } = await checkJwt(token);
    return { name: jwtNamePrefix + shortened(subject), rights: rightsOf(roles), expiresAtMs };
  }

  return async ({ authorization }) => {
    if (authorization === undefined) {
      if (config.anonymous.length === 0) return { problem: unauthenticated(undefined) };
      return { caller: { name: undefined, rights: rightsOf(config.anonymous), expiresAtMs: undefined } };
    }
    const token = /^Bearer +([^\s,]+) *$/i.exec(authorization)?.[1];
    if (token === undefined)
      return { problem: unauthenticated('expected "Authorization: Bearer" and a token') };
    try {
      return { caller: await callerOf(token) };
    } catch (error) {
      if (error instanceof BadTokenError) return { problem: unauthenticated(error.message) };
      // Said once where it happened, not for every request while nobody asks the issuer again.
      if (!(error instanceof KeySetPausedError)) logFailure(error);
      return { problem: keysUnavailable };
    }
  };
}

function shortened(subject: string): string {
  if (subject.length <= maxSubjectLength) return subject;
  return `${subject.slice(0, maxSubjectLength)}#${createHash('sha256').update(subject).digest('base64url')}`;
}

const keysUnavailable: Problem = {
  status: 503,
  code: 'UNAUTHENTICATED',
  message: 'tokens cannot be checked at the moment; trying again later may help',
  headers: { 'retry-after': String(failurePauseMs / 1000) },
};

/** RFC 6750, section 3. @param reason undefined where no token came */
function unauthenticated(reason: string | undefined): Problem {
  const details =
    reason === undefined ? '' : `, error="invalid_token", error_description="${reason.replaceAll('"', "'")}"`;
  return {
    status: 401,
    code: 'UNAUTHENTICATED',
    message: `${reason ?? 'this gateway asks who is asking'}; send "Authorization: Bearer" with a token that is good`,
    headers: { 'www-authenticate': `Bearer realm="zarrql"${details}` },
  };
}
