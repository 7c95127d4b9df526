/** Values that replicas share, with a bound on their total size: the least recently used are removed. */
import type { RedisConnection } from './connection.js';
import { RedisError } from './redis-error.js';
import { redisScript } from './script.js';

/** KEYS: value, order of use, total size; ARGV: value, name, maximum total, prefix of values, whether to replace a value. */
const keep = redisScript(`
local size = #ARGV[1]
local before = redis.call('STRLEN', KEYS[1])
if size > tonumber(ARGV[3]) or (before > 0 and ARGV[5] == '0') then return end
redis.call('SET', KEYS[1], ARGV[1])
local time = redis.call('TIME')
redis.call('ZADD', KEYS[2], time[1] + time[2] / 1000000, ARGV[2])
local total = redis.call('INCRBY', KEYS[3], size - before)
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

/** KEYS: as of `keep`; ARGV: name. */
const drop = redisScript(`
local size = redis.call('STRLEN', KEYS[1])
redis.call('UNLINK', KEYS[1])
if redis.call('ZREM', KEYS[2], ARGV[1]) == 1 and redis.call('DECRBY', KEYS[3], size) < 0 then
  redis.call('SET', KEYS[3], 0)
end`);

export type BoundedValues = ReturnType<typeof createBoundedValues>;

/**
 * @param kind part of the keys, and the name in metrics
 * @param maxBytes of all values together
 * @param maxValueBytes of one; longer ones are neither read nor written
 */
export function createBoundedValues(
  redis: RedisConnection,
  kind: 'document' | 'result' | 'progress',
  { maxBytes, maxValueBytes }: { readonly maxBytes: number; readonly maxValueBytes: number },
) {
  const prefix = `${redis.prefix}:${kind}:`;
  const [order, total] = [`${redis.prefix}:${kind}-order`, `${redis.prefix}:${kind}-bytes`];

  async function orNothing(sent: Promise<unknown>): Promise<void> {
    try {
      await sent;
    } catch (error) {
      // Replicas also work without the value.
      if (!(error instanceof RedisError)) throw error;
    }
  }

  const inBackground = (sent: Promise<unknown>): void => void orNothing(sent);

  async function put(name: string, value: Buffer | string, replaces: boolean): Promise<void> {
    if (Buffer.byteLength(value) > maxValueBytes) return;
    const keys = [`${prefix}${name}`, order, total];
    await redis.runScript('keep', keep, keys, [value, name, maxBytes, prefix, replaces ? 1 : 0]);
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
      inBackground(put(name, value, false));
    },
    /** Keeps a value instead of an earlier one. Resolves when Redis has it, or is unavailable. */
    async replace(name: string, value: Buffer | string): Promise<void> {
      await orNothing(put(name, value, true));
    },
    /** Removes a value that is not wanted any more. */
    async drop(name: string): Promise<void> {
      await orNothing(redis.runScript('drop', drop, [`${prefix}${name}`, order, total], [name]));
    },
    /** Removes a value that is not what a replica would have written. */
    remove(name: string): void {
      redis.metrics?.ignored(kind);
      inBackground(redis.runScript('drop', drop, [`${prefix}${name}`, order, total], [name]));
    },
  };
}
