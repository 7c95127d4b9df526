/**
 * Whether a server holds to the conditions of writes. One that ignores them would let writers overwrite each other
 * unseen, so that nothing is written there.
 */
import { randomBytes } from 'node:crypto';
import { ReadOnlyError } from '../../errors.js';
import { untilAborted } from '../http/deadline.js';
import type { Bucket } from './bucket.js';
import type { Refusal } from './failure.js';

export interface ConditionSupport {
  readonly writes: boolean;
  readonly deletes: boolean;
}

const name = /^\.zarrql-probe-[0-9a-f]{16}$/;

/** Whether a key is that of an object by which a server is being tried out; it is no part of the store. */
export function isProbe(key: string): boolean {
  return key.startsWith('.zarrql-probe-') && name.test(key);
}

/** No object of ours has it. */
const wrongTag = '"00000000000000000000000000000000"';

/** Tries it out on an object of its own, five small requests. @throws where the server cannot be asked or refuses writing */
export async function probeConditions(bucket: Bucket): Promise<ConditionSupport> {
  const key = `.zarrql-probe-${randomBytes(8).toString('hex')}`;
  const Key = bucket.root + key;
  try {
    await put(bucket, Key, {});
    const isKept =
      (await isRefused(put(bucket, Key, { IfNoneMatch: '*' }))) &&
      (await isRefused(put(bucket, Key, { IfMatch: wrongTag })));
    if (!isKept) return { writes: false, deletes: false };
    return { writes: true, deletes: await isRefused(remove(bucket, Key, { IfMatch: wrongTag })) };
  } finally {
    await remove(bucket, Key, {}).catch(() => undefined);
  }
}

/**
 * What every write passes first; the server is tried out once, by the first of them.
 * @throws ReadOnlyError where nothing may or can be written
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
    'the S3 server ignores the conditions of writes (If-Match, If-None-Match), so that writers would overwrite each other unseen; it can only be read',
  );
}

/** @throws ReadOnlyError */
export function assertDeleteConditionsHold({ deletes }: ConditionSupport): void {
  if (deletes) return;
  throw new ReadOnlyError(
    'the S3 server ignores the condition of a deletion (If-Match), so that it could delete what somebody else has just written',
  );
}

/** The condition held the write up, as it should. */
class Refused extends Error {}

/** The server knows no such conditions, and says so. */
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
