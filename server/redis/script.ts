/** Scripts, which run on the server at once, and which it keeps by their hash. */
import { createHash } from 'node:crypto';

export interface RedisScript {
  readonly text: string;
  readonly sha1: string;
}

export function redisScript(text: string): RedisScript {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}
