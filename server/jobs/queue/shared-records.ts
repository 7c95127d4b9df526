/**
 * The progress of jobs without a destination in Redis, so that any replica continues a job whose process has ended. It is
 * signed: its numbers become a result. What it says is compared with the plan and with the versions of the source.
 */
import { createBoundedValues } from '../../redis/bounded-values.js';
import type { RedisConnection } from '../../redis/connection.js';
import { isZarrError } from '../../zarr/index.js';
import { type JobRecords, MAX_RECORD } from '../record.js';
import { createSignatures, SIGNATURE_LENGTH } from './signatures.js';

/** Of all jobs together, in bytes: the records used least recently are removed. */
const MAX_BYTES = 16 * MAX_RECORD;

/** @returns undefined without keys: numbers could not be trusted */
export function createSharedRecords(redis: RedisConnection, keys: readonly string[]): JobRecords | undefined {
  if (keys.length === 0) return undefined;
  const signatures = createSignatures(keys, redis.prefix);
  const values = createBoundedValues(redis, 'progress', {
    maxBytes: MAX_BYTES,
    maxValueBytes: MAX_RECORD + SIGNATURE_LENGTH,
  });
  const subjectOf = (plan: string): readonly string[] => ['progress', plan];
  return {
    async read(plan) {
      const value = await values.get(plan);
      if (value === undefined) return undefined;
      try {
        return signatures.verify(subjectOf(plan), value.toString());
      } catch (error) {
        if (!isZarrError(error, 'BAD_INPUT')) throw error;
        values.remove(plan);
        return undefined;
      }
    },
    write: (plan, text) => values.replace(plan, signatures.sign(subjectOf(plan), text)),
    remove: (plan) => values.drop(plan),
  };
}
