/** References in JSON are often stored compressed, by Zstandard or gzip. */
import * as zlib from 'node:zlib';
import { LimitError, MetadataError, UnsupportedError } from '../../core/errors.js';
import { metadataBounds } from '../../core/limits.js';

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const GZIP = Buffer.from([0x1f, 0x8b]);
const { maxDocumentBytes: MAX_BYTES } = metadataBounds;

/** @throws LimitError if the result is too long; MetadataError for damaged bytes; UnsupportedError */
export async function uncompressed(bytes: Uint8Array): Promise<Uint8Array> {
  const startsWith = (magic: Buffer): boolean => Buffer.compare(bytes.subarray(0, magic.length), magic) === 0;
  if (startsWith(GZIP)) return run((done) => zlib.gunzip(bytes, { maxOutputLength: MAX_BYTES }, done));
  if (!startsWith(ZSTD)) return bytes;
  // Missing in Node before 22.15.
  const { zstdDecompress }: Partial<typeof zlib> = zlib;
  if (zstdDecompress === undefined)
    throw new UnsupportedError('references compressed by Zstandard require Node 22.15 or later');
  return run((done) => zstdDecompress(bytes, { maxOutputLength: MAX_BYTES }, done));
}

function run(start: (done: (cause: Error | null, result: Buffer) => void) => void): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    start((cause, result) => {
      if (cause === null) resolve(new Uint8Array(result.buffer, result.byteOffset, result.length));
      else if ('code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE')
        reject(
          new LimitError(`decompressed references have more than ${MAX_BYTES} bytes`, {
            excess: [{ limit: 'maxDocumentBytes', allowed: MAX_BYTES, needed: MAX_BYTES + 1 }],
          }),
        );
      else reject(new MetadataError('the compressed references are damaged', { cause }));
    });
  });
}
