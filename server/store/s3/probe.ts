/**
 * Checks whether a server enforces the conditions of writes. With one that ignores them, writers would
 * silently overwrite each other, so the store is read-only there.
 */
import { randomBytes } from 'node:crypto';
import { ReadOnlyError } from '../../core/errors.js';
import { untilAborted } from '../retries.js';
import type { Bucket } from './bucket.js';
import type { Refusal } from './failure.js';

interface ConditionSupport {
  readonly writes: boolean;
  readonly deletes: boolean;
}

const name = /^\.zarrql-probe-[0-9a-f]{16}$/;

/** Whether a key belongs to an object that probes a server; it is not part of the store. */
export function isProbe(key: string): boolean {
  return key.startsWith('.zarrql-probe-') && name.test(key);
}

/** An ETag that no object has. */
const WRONG_TAG = '"00000000000000000000000000000000"';

/**
 * Probes the server with a temporary object and at most five small requests, not counting retries.
 * @throws StoreUnavailableError; StoreDeniedError if the server denies writing
 */
async function probeConditions(bucket: Bucket): Promise<ConditionSupport> {
  const key = `.zarrql-probe-${randomBytes(8).toString('hex')}`;
  const Key = bucket.root + key;
  try {
    await put(bucket, Key, {});
    const isKept =
      (await isRefused(put(bucket, Key, { IfNoneMatch: '*' }))) &&
      (await isRefused(put(bucket, Key, { IfMatch: WRONG_TAG })));
    if (!isKept) return { writes: false, deletes: false };
    return { writes: true, deletes: await isRefused(remove(bucket, Key, { IfMatch: WRONG_TAG })) };
  } finally {
    await remove(bucket, Key, {}).catch(() => undefined);
  }
}

/**
 * Called before every write; the first one probes the server.
 * @throws ReadOnlyError if writing is not permitted or not supported
 */
export function createWriteGate(
  bucket: Bucket,
  writable: boolean,
): (signal: AbortSignal | undefined) => Promise<ConditionSupport> {
  let probing: Promise<ConditionSupport> | undefined;

  function probe(): Promise<ConditionSupport> {
    probing ??= probeConditions(bucket).catch((error: unknown) => {
      probing = undefined;
      throw error;
    });
    return probing;
  }

  return async (signal) => {
    if (!writable) throw new ReadOnlyError('the store is read-only');
    const support = await untilAborted(signal, probe());
    assertConditionsHold(support);
    return support;
  };
}

function assertConditionsHold({ writes }: ConditionSupport): void {
  if (writes) return;
  throw new ReadOnlyError(
    'the S3 server ignores the conditions of writes (If-Match, If-None-Match), so writers would silently overwrite each other; the store is read-only',
  );
}

/** @throws ReadOnlyError if the server ignores conditions of deletions */
export function assertDeleteConditionsHold({ deletes }: ConditionSupport): void {
  if (deletes) return;
  throw new ReadOnlyError(
    'the S3 server ignores the condition of a deletion (If-Match), so it could delete the latest changes of another writer',
  );
}

/** The server enforced the condition of the write, as required. */
class Refused extends Error {}

/** The server rejects such conditions because it does not support them. */
class NotSupported extends Error {}

function judgeProbe({ status }: Refusal): Error | undefined {
  if (status === 412) return new Refused();
  return status === 501 ? new NotSupported() : undefined;
}

async function isRefused(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return false;
  } catch (error) {
    if (error instanceof Refused) return true;
    if (error instanceof NotSupported) return false;
    throw error;
  }
}

interface Conditions {
  readonly IfMatch?: string;
  readonly IfNoneMatch?: string;
}

function put(bucket: Bucket, Key: string, conditions: Conditions): Promise<unknown> {
  return bucket.call('write', {
    judge: judgeProbe,
    send: (client, { PutObjectCommand }, options) =>
      client.send(
        new PutObjectCommand({ ...bucket.target, ...conditions, Key, Body: Buffer.of(1) }),
        options,
      ),
  });
}

function remove(bucket: Bucket, Key: string, conditions: Conditions): Promise<unknown> {
  return bucket.call('write', {
    judge: judgeProbe,
    send: (client, { DeleteObjectCommand }, options) =>
      client.send(new DeleteObjectCommand({ ...bucket.target, ...conditions, Key }), options),
  });
}
