/** Deletes objects: in batches, or one conditionally. */
import { isZarrError, ZarrError } from '../../core/errors.js';
import type { Effort } from '../deadline.js';
import { TransientFailure } from '../http/exchange.js';
import { retryTransient } from '../http/object-reader.js';
import type { Bucket } from './bucket.js';
import { errorOfRefusal } from './failure.js';
import { conditionsOf, judgeCondition } from './write-conditions.js';
import { lostRace } from './write.js';

/** S3's maximum number of keys per request. */
const MAX_BATCH = 1000;

/** @param keys keys in the store; deleting an absent object is not an error */
export async function deleteObjects(
  bucket: Bucket,
  keys: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let at = 0; at < keys.length; at += MAX_BATCH) {
    let remaining = keys.slice(at, at + MAX_BATCH);
    await retryTransient(
      bucket.policy,
      async (_, effort) => {
        const failed = await deleteBatch(bucket, remaining, effort.signal);
        const [first] = failed;
        if (first === undefined) return;
        remaining = failed.map(({ key }) => key);
        throw failureOfMany(first.key, first.code, failed.length);
      },
      { signal, operation: 'delete' },
    );
  }
}

interface NotDeleted {
  readonly key: string;
  readonly code: string | undefined;
}

async function deleteBatch(
  bucket: Bucket,
  keys: readonly string[],
  signal: AbortSignal | undefined,
): Promise<NotDeleted[]> {
  const Objects = keys.map((key) => ({ Key: bucket.root + key }));
  const { Deleted = [], Errors = [] } = await bucket.once({
    signal,
    send: (client, { DeleteObjectsCommand }, options) =>
      client.send(new DeleteObjectsCommand({ ...bucket.target, Delete: { Objects } }), options),
  });
  if (Deleted.length + Errors.length < keys.length)
    throw new TransientFailure('the server did not confirm the deletion of all objects');
  return Errors.flatMap(({ Key, Code }) =>
    Key === undefined || Code === 'NoSuchKey' ? [] : [{ key: Key.slice(bucket.root.length), code: Code }],
  );
}

function failureOfMany(key: string, code: string | undefined, count: number): Error {
  const failure = errorOfRefusal({ status: 200, code });
  if (failure instanceof ZarrError) return failure.withContext({ key });
  const others = count === 1 ? '' : ` and ${count - 1} others`;
  return new TransientFailure(`"${key}"${others} could not be deleted: ${failure.message}`);
}

/**
 * Deletes one object only if it has this version.
 * @throws ConflictError if it has another version or does not exist
 */
export async function deleteVersion(
  bucket: Bucket,
  key: string,
  ifMatch: string,
  signal: AbortSignal | undefined,
  exists: () => Promise<boolean>,
): Promise<void> {
  const conditions = conditionsOf({ ifMatch });
  const attempt = async (tried: number, effort: Effort): Promise<void> => {
    try {
      await bucket.once({
        signal: effort.signal,
        judge: judgeCondition(conditions),
        send: (client, { DeleteObjectCommand }, options) =>
          client.send(
            new DeleteObjectCommand({ ...bucket.target, ...conditions, Key: bucket.root + key }),
            options,
          ),
      });
    } catch (error) {
      // An earlier attempt whose response was lost may have deleted the object.
      if (tried === 0 || !isZarrError(error, 'CONFLICT') || (await exists())) throw error;
    }
  };
  try {
    await retryTransient(bucket.policy, attempt, { signal, operation: 'delete' });
  } catch (error) {
    throw lostRace(error) ?? error;
  }
}
