/** Keys that sign links, equal in all replicas. */
import { hkdfSync } from 'node:crypto';

/**
 * The configured keys, or else one that each replica derives from the password of Redis, and that Redis never contains.
 * @returns none if there is no secret to derive it from: then each process has a random key
 */
export function linkKeysOf({
  hrefKeys,
  redis,
  redisPassword,
  redisPrefix,
}: {
  readonly hrefKeys: readonly string[];
  readonly redis?: string | undefined;
  readonly redisPassword?: string | undefined;
  readonly redisPrefix: string;
}): readonly string[] {
  if (hrefKeys.length > 0 || redis === undefined || redisPassword === undefined) return hrefKeys;
  const key = hkdfSync('sha256', redisPassword, redisPrefix, 'zarrql links', 32);
  return [Buffer.from(key).toString('base64url')];
}
