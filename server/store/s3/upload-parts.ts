/** Uploads large objects in parts, which become one object at the end, or none. */
import type { CompletedPart } from '@aws-sdk/client-s3';
import { ConflictError, StoreUnavailableError } from '../../core/errors.js';
import type { Bucket } from './bucket.js';
import type { Refusal } from './failure.js';
import { judgeCondition, quotedTag, type Conditions } from './write-conditions.js';

export interface Upload {
  readonly bucket: Bucket;
  /** The complete key in the bucket. */
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly signal: AbortSignal | undefined;
  readonly partBytes: number;
}

/** The last step of a write, which makes it visible. */
export type Commit = (signal: AbortSignal) => Promise<string | undefined>;

/** S3's maximum number of parts. */
const MAX_PARTS = 10_000;
const MAX_CONCURRENT_PARTS = 4;

/** @param commit runs the last step until its outcome is known */
export async function uploadParts(
  upload: Upload,
  conditions: Conditions,
  commit: (complete: Commit) => Promise<string | undefined>,
): Promise<string | undefined> {
  const { bucket, key, signal } = upload;
  const { UploadId } = await bucket.call('write', {
    signal,
    send: (client, { CreateMultipartUploadCommand }, options) =>
      client.send(
        new CreateMultipartUploadCommand({ ...bucket.target, Key: key, ChecksumAlgorithm: 'CRC32' }),
        options,
      ),
  });
  if (UploadId === undefined) throw new StoreUnavailableError('the server started an upload without an id');
  try {
    const parts = await sendParts(upload, UploadId);
    return await commit((within) => complete({ ...upload, signal: within }, UploadId, parts, conditions));
  } catch (error) {
    const aborting = abort(bucket, key, UploadId);
    if (signal?.aborted !== true) await aborting;
    throw error;
  }
}

/**
 * Sends all parts. All parts in flight end before this function returns, so that none arrives after the
 * upload was aborted.
 */
async function sendParts(upload: Upload, UploadId: string): Promise<CompletedPart[]> {
  const { bytes } = upload;
  const size = Math.max(upload.partBytes, Math.ceil(bytes.length / MAX_PARTS));
  const parts: CompletedPart[] = [];
  const count = Math.ceil(bytes.length / size);
  let next = 0;
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    while (next < count && !hasFailed) {
      const at = next++;
      try {
        parts[at] = await sendPart(upload, UploadId, at + 1, bytes.subarray(at * size, (at + 1) * size));
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: MAX_CONCURRENT_PARTS }, worker));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return parts;
}

async function sendPart(
  { bucket, key, signal }: Upload,
  UploadId: string,
  PartNumber: number,
  Body: Uint8Array,
): Promise<CompletedPart> {
  const part = {
    ...bucket.target,
    Key: key,
    UploadId,
    PartNumber,
    Body,
    ChecksumAlgorithm: 'CRC32' as const,
  };
  const { ETag, ChecksumCRC32 } = await bucket.call('write', {
    signal,
    uploadBytes: Body.length,
    send: (client, { UploadPartCommand }, options) => client.send(new UploadPartCommand(part), options),
  });
  return { PartNumber, ETag, ...(ChecksumCRC32 === undefined ? {} : { ChecksumCRC32 }) };
}

async function complete(
  { bucket, key, bytes, signal }: Upload,
  UploadId: string,
  Parts: CompletedPart[],
  conditions: Conditions,
): Promise<string | undefined> {
  const refused = judgeCondition(conditions);
  const { ETag } = await bucket.once({
    signal,
    uploadBytes: bytes.length, // Servers may take minutes to assemble large objects.
    judge: (refusal) => refused(refusal) ?? judgeLostUpload(refusal),
    send: (client, { CompleteMultipartUploadCommand }, options) =>
      client.send(
        new CompleteMultipartUploadCommand({
          ...bucket.target,
          ...conditions,
          Key: key,
          UploadId,
          MultipartUpload: { Parts },
        }),
        options,
      ),
  });
  return ETag === undefined ? undefined : quotedTag(ETag);
}

/**
 * An upload that no longer exists was completed by an attempt whose response was lost, or aborted by another
 * process.
 */
function judgeLostUpload({ code }: Refusal): Error | undefined {
  return code === 'NoSuchUpload'
    ? new ConflictError('another process aborted the upload; read the object again')
    : undefined;
}

/** Aborts the upload. Errors are ignored: the bucket's lifecycle rules remove the remaining parts. */
async function abort(bucket: Bucket, key: string, UploadId: string): Promise<void> {
  await bucket
    .once({
      send: (client, { AbortMultipartUploadCommand }, options) =>
        client.send(new AbortMultipartUploadCommand({ ...bucket.target, Key: key, UploadId }), options),
    })
    .catch(() => undefined);
}
