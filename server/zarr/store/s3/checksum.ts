/** S3's checksums of whole objects. */
import { crc32, crc32c } from '#crc';
import { TransientFailure } from '../http/exchange.js';
import type { AnswerHead } from '../http/exchange.js';

/** Headers that request the checksums. */
export const checksumHeaders = { 'x-amz-checksum-mode': 'ENABLED' };

const kinds = [
  ['x-amz-checksum-crc32', crc32],
  ['x-amz-checksum-crc32c', crc32c],
] as const;

/**
 * Verifies a whole object, if the server provides a cheap checksum of the whole (not of parts, "...-3"): a
 * truncated response with a matching Content-Length looks correct otherwise.
 * @throws TransientFailure
 */
export function assertChecksum({ headers }: AnswerHead, bytes: Uint8Array): void {
  if (headers.get('x-amz-checksum-type') === 'COMPOSITE') return;
  for (const [name, compute] of kinds) {
    const told = headers.get(name);
    if (told === null || !/^[A-Za-z0-9+/]{6}==$/.test(told)) continue;
    if (Buffer.from(told, 'base64').readUInt32BE() !== compute(bytes) >>> 0)
      throw new TransientFailure('the received bytes do not match the checksum of the object');
  }
}
