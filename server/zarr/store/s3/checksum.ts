/** Checksums that S3 keeps of whole objects. */
import { crc32, crc32c } from '#crc';
import { TransientFailure } from '../http/exchange.js';
import type { AnswerHead } from '../http/exchange.js';

/** Asks for them. */
export const checksumHeaders = { 'x-amz-checksum-mode': 'ENABLED' };

const kinds = [
  ['x-amz-checksum-crc32', crc32],
  ['x-amz-checksum-crc32c', crc32c],
] as const;

/**
 * Holds a whole object against its checksum, where the server tells one that is of the whole (not of parts, "...-3") and
 * of a kind that costs little: an answer that ends too early, and says so in its Content-Length, looks right otherwise.
 * @throws TransientFailure
 */
export function assertChecksum({ headers }: AnswerHead, bytes: Uint8Array): void {
  if (headers.get('x-amz-checksum-type') === 'COMPOSITE') return;
  for (const [name, compute] of kinds) {
    const told = headers.get(name);
    if (told === null || !/^[A-Za-z0-9+/]{6}==$/.test(told)) continue;
    if (Buffer.from(told, 'base64').readUInt32BE() !== compute(bytes) >>> 0)
      throw new TransientFailure('the server sent other bytes than the object has, by its checksum');
  }
}
