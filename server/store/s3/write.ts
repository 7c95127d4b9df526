/** Writes objects, whole or in parts, with conditions. Determines the outcome if a response was lost. */
import { ConflictError, isZarrError } from '../../core/errors.js';
import type { Effort } from '../deadline.js';
import { retryTransient } from '../http/object-reader.js';
import type { WriteCondition } from '../store.js';
import { ConcurrentWrite } from './failure.js';
import { uploadParts, type Commit, type Upload } from './upload-parts.js';
import { conditionsOf, judgeCondition, quotedTag, type Conditions } from './write-conditions.js';

interface WriteJob extends Upload {
  readonly condition: WriteCondition | undefined;
  /** The object's version if it has exactly the bytes of this job. */
  readonly readBack: () => Promise<string | undefined>;
}

/**
 * @returns the version; undefined if the server returned none
 * @throws ConflictError if the condition is not met; StoreUnavailableError, StoreDeniedError; AbortedError if
 * the signal fires
 */
export async function writeObject(job: WriteJob): Promise<string | undefined> {
  const conditions = conditionsOf(job.condition);
  if (job.bytes.length > job.partBytes)
    return uploadParts(job, conditions, (complete) => commitWithRetries(job, complete));
  return commitWithRetries(job, (signal) => putWhole({ ...job, signal }, conditions));
}

async function putWhole(
  { bucket, key, bytes, signal }: WriteJob,
  conditions: Conditions,
): Promise<string | undefined> {
  const { ETag } = await bucket.once({
    signal,
    uploadBytes: bytes.length,
    judge: judgeCondition(conditions),
    send: (client, { PutObjectCommand }, options) =>
      client.send(new PutObjectCommand({ ...bucket.target, ...conditions, Key: key, Body: bytes }), options),
  });
  return ETag === undefined ? undefined : quotedTag(ETag);
}

/**
 * Retries transient failures. If the response of a successful conditional write was lost, the server rejects the
 * retry because of its condition: the stored object then shows the outcome.
 */
async function commitWithRetries(
  { bucket, bytes, signal, readBack }: WriteJob,
  commit: Commit,
): Promise<string | undefined> {
  const attempt = async (tried: number, effort: Effort): Promise<string | undefined> => {
    try {
      return await commit(effort.signal);
    } catch (error) {
      if (tried === 0 || !isZarrError(error, 'CONFLICT')) throw error;
      const version = await readBack();
      if (version === undefined) throw error;
      return version;
    }
  };
  try {
    return await retryTransient(bucket.policy, attempt, {
      ...{ signal, operation: 'write', bytes: bytes.length },
    });
  } catch (error) {
    throw lostRace(error) ?? error;
  }
}

/**
 * The error of a write, if it failed because other writers wrote the object at the same time in every
 * attempt.
 */
export function lostRace(error: unknown): ConflictError | undefined {
  if (!(error instanceof Error) || !(error.cause instanceof ConcurrentWrite)) return undefined;
  return new ConflictError('other writers were writing the object at the same time; read it again', {
    cause: error,
  });
}
