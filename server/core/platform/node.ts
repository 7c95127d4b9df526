/**
 * The functions of browser.ts, on Node. Zstandard of Node 22.15 and later, which is faster than the WebAssembly
 * module for large sizes (figures: bench/records.md, "Writes"). For smaller sizes the cost of a call exceeds the
 * gain.
 */
import { setMaxListeners } from 'node:events';
import * as zlib from 'node:zlib';
import type * as browser from './browser.js';
import type { NativeZstd } from './browser.js';

// Optional, because Node 22.12 to 22.14 lack them.
const {
  zstdCompressSync: compress,
  zstdDecompressSync: decompress,
  constants,
}: Partial<Pick<typeof zlib, 'zstdCompressSync' | 'zstdDecompressSync'>> &
  Pick<typeof zlib, 'constants'> = zlib;

export const nativeZstd: NativeZstd | undefined =
  compress === undefined || decompress === undefined
    ? undefined
    : {
        minDecodedBytes: 2 ** 17,
        minEncodedBytes: 2 ** 15,
        decode(frame, length) {
          try {
            // One byte more than the result, because zlib would otherwise allocate a second buffer to detect
            // the end.
            const decoded = decompress(frame, { chunkSize: length + 1, maxOutputLength: length });
            // `slice` of a Buffer returns a view; `slice` of a Uint8Array copies.
            return new Uint8Array(decoded.buffer, decoded.byteOffset, decoded.length);
          } catch {
            return undefined;
          }
        },
        encode(bytes, level, checksum) {
          const encoded = compress(bytes, {
            // Results are usually smaller. A larger one needs a second buffer, and is copied.
            chunkSize: Math.ceil(bytes.length * 0.55) + 1024,
            pledgedSrcSize: bytes.length,
            params: {
              [constants.ZSTD_c_compressionLevel]: level,
              [constants.ZSTD_c_checksumFlag]: checksum ? 1 : 0,
            },
          });
          const { buffer, byteOffset, length } = encoded;
          // Avoids a copy, but not if it would keep much unused memory.
          return 2 * length < buffer.byteLength
            ? new Uint8Array(encoded)
            : new Uint8Array(buffer, byteOffset, length);
        },
      };

export const isResponsive: boolean = false;

export const runInNextTurn: typeof browser.runInNextTurn = (work) => void setImmediate(work);

export const startTimer: typeof browser.startTimer = (work, ms, keepsAlive = true) => {
  const timer = setTimeout(work, ms);
  if (!keepsAlive) timer.unref();
  return { restart: () => void timer.refresh(), stop: () => clearTimeout(timer) };
};

export const allowManyListeners: typeof browser.allowManyListeners = (signal) => setMaxListeners(0, signal);

export const allocateUninitialised: typeof browser.allocateUninitialised = (bytes) =>
  new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer);

export const isSharedBuffer: typeof browser.isSharedBuffer = (buffer) => buffer instanceof SharedArrayBuffer;

export const sameBytes: typeof browser.sameBytes = (a, b) => Buffer.compare(a, b) === 0;

export const latin1FromBytes: typeof browser.latin1FromBytes = (bytes, start, end) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', start, end);

export const bytesFromLatin1: typeof browser.bytesFromLatin1 = (text) => Buffer.from(text, 'latin1');
