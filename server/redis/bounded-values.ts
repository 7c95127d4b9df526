/** Values that replicas share, with a bound on their total size: the least recently used are removed. */
import type { RedisConnection } from './connection.js';
import { RedisError } from './redis-error.js';
import { redisScript } from './script.js';

/** KEYS: value, order of use, total size; ARGV: value, name, maximum total, prefix of values. */
const keep = redisScript(`
local size = #ARGV[1]
if size > tonumber(ARGV[3]) or not redis.call('SET', KEYS[1], ARGV[1], 'NX') then return end
local time = redis.call('TIME')
redis.call('ZADD', KEYS[2], time[1] + time[2] / 1000000, ARGV[2])
local total = redis.call('INCRBY', KEYS[3], size)
while total > tonumber(ARGV[3]) do
  local oldest = redis.call('ZPOPMIN', KEYS[2])[1]
  if not oldest then
    redis.call('SET', KEYS[3], 0)
    return
  end
  local key = ARGV[4] .. oldest
  total = redis.call('DECRBY', KEYS[3], redis.call('STRLEN', key))
  redis.call('DEL', key)
end`);

export type BoundedValues = ReturnType<typeof createBoundedValues>;

/**
 * @param kind part of the keys, and the name in metrics
 * @param maxBytes of all values together
 * @param maxValueBytes of one; longer ones are neither read nor written
 */
export function createBoundedValues(
  redis: RedisConnection,
  kind: 'document' | 'result',
  { maxBytes, maxValueBytes }: { readonly maxBytes: number; readonly maxValueBytes: number },
) {
  const prefix = `${redis.prefix}:${kind}:`;
  const [order, total] = [`${redis.prefix}:${kind}-order`, `${redis.prefix}:${kind}-bytes`];

  function inBackground(sent: Promise<unknown>): void {
    sent.catch((error: unknown) => {
      // Replicas also work without the value.
      if (!(error instanceof RedisError)) throw error;
    });
  }

  return {
    /** @returns the value as someone has written it; undefined if there is none, or Redis is unavailable */
    async get(name: string): Promise<Buffer | undefined> {
      const key = `${prefix}${name}`;
      try {
        const value = await redis.run(kind, (server) => server.getrangeBuffer(key, 0, maxValueBytes));
        if (value.length === 0 || value.length > maxValueBytes) return undefined;
        const now = (Date.now() / 1000).toFixed(3);
        inBackground(redis.run('use', (server) => server.zadd(order, 'XX', now, name)));
        return value;
      } catch (error) {
        if (error instanceof RedisError) return undefined;
        throw error;
      }
    },
    /** Keeps a value; does nothing if there is one. */
    set(name: string, value: Buffer | string): void {
      if (Buffer.byteLength(value) > maxValueBytes) return;
      inBackground(
        redis.runScript('keep', keep, [`${prefix}${name}`, order, total], [value, name, maxBytes, prefix]),
      );
    },
    /** Removes a value that is not what a replica would have written. */
    remove(name: string): void {
      redis.metrics?.ignored(kind);
      inBackground(redis.run('remove', (server) => server.unlink(`${prefix}${name}`)));
    },
  };
}
