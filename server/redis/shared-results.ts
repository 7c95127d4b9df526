/**
 * The second level of the result cache. Each value is signed together with its id, so that neither another program that
 * writes to Redis nor a value of another id can become a result.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import { createBoundedValues } from './bounded-values.js';
import type { RedisConnection } from './connection.js';

export interface SharedResults {
  /** @returns a result that a replica has computed; undefined if there is none */
  get(id: string): Promise<unknown>;
  /** @param bytes size of the result; @param milliseconds time that its computation took */
  set(id: string, result: unknown, bytes: number, milliseconds: number): void;
}

export interface SharedResultsOptions {
  readonly maxBytes: number;
  /** The first signs, all are accepted. */
  readonly keys: readonly string[];
  /** Results of another version of this program are not used. */
  readonly version: string;
}

const SIGNATURE_BYTES = 32;
/** Maximum size of a result in bytes. */
const MAX_RESULT_BYTES = 4 * 2 ** 20;
/** A result is kept if it took several times as long as fetching it: this time, in ms, and that of each MiB. */
const FETCH_MS = 2;
const FETCH_MS_PER_MIB = 10;
const LEAST_GAIN = 2;

/** Whether fetching a result is faster than computing it. */
export function isWorthSharing(bytes: number, milliseconds: number): boolean {
  if (bytes > MAX_RESULT_BYTES) return false;
  return milliseconds > LEAST_GAIN * (FETCH_MS + (FETCH_MS_PER_MIB * bytes) / 2 ** 20);
}

/** @returns undefined without keys: values could not be trusted */
export function createSharedResults(
  redis: RedisConnection,
  { maxBytes, keys, version }: SharedResultsOptions,
): SharedResults | undefined {
  const secrets = keys.map((key) => Buffer.from(hkdfSync('sha256', key, redis.prefix, 'zarrql results', 32)));
  const [first] = secrets;
  if (first === undefined || maxBytes === 0) return undefined;
  const values = createBoundedValues(redis, 'result', {
    maxBytes,
    maxValueBytes: MAX_RESULT_BYTES + 2 ** 16,
  });
  const sign = (secret: Buffer, id: string, payload: Buffer): Buffer =>
    createHmac('sha256', secret).update(`${version}\0${id}\0`).update(payload).digest();

  return {
    async get(id) {
      const value = await values.get(id);
      if (value === undefined) return undefined;
      const [signature, payload] = [value.subarray(0, SIGNATURE_BYTES), value.subarray(SIGNATURE_BYTES)];
      const isSigned =
        signature.length === SIGNATURE_BYTES &&
        secrets.some((secret) => timingSafeEqual(sign(secret, id, payload), signature));
      if (isSigned) {
        const result: unknown = deserialize(payload);
        return result;
      }
      values.remove(id);
      return undefined;
    },
    set(id, result, bytes, milliseconds) {
      if (!isWorthSharing(bytes, milliseconds)) return;
      const payload = serialize(result);
      values.set(id, Buffer.concat([sign(first, id, payload), payload]));
    },
  };
}
