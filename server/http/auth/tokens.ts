/** Static tokens, configured by their hashes. They are long and random, so a plain hash is sufficient. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { AuthConfig } from './rights.js';

type StaticToken = AuthConfig['tokens'][number];

/** Finds the token's entry in constant time. */
export function createTokenCheck(tokens: AuthConfig['tokens']): (token: string) => StaticToken | undefined {
  const known = tokens.map((token) => ({ token, hash: Buffer.from(token.sha256, 'hex') }));
  return (text) => {
    const hash = createHash('sha256').update(text, 'utf8').digest();
    let found: StaticToken | undefined;
    for (const one of known) if (timingSafeEqual(one.hash, hash)) found = one.token;
    return found;
  };
}
