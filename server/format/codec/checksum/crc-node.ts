/** The two CRCs on Node: the native module if there is a binary for the platform, otherwise JavaScript. */
import { createRequire } from 'node:module';
import * as table from './crc-table.js';

function load(): table.Crc {
  try {
    const native: unknown = createRequire(import.meta.url)('@node-rs/crc32');
    if (isCrc(native))
      return {
        crc32: (bytes, before) => native.crc32(bytes, before),
        crc32c: (bytes, before) => native.crc32c(bytes, before),
      };
  } catch {
    // This platform has no binary, so the slower JavaScript version is used.
  }
  return table;
}

function isCrc(value: unknown): value is table.Crc {
  if (typeof value !== 'object' || value === null || !('crc32' in value) || !('crc32c' in value))
    return false;
  return typeof value.crc32 === 'function' && typeof value.crc32c === 'function';
}

/** Loaded for the first checksum, because loading a native module takes longer than most reads. */
let loaded: table.Crc | undefined;

export const crc32: table.Crc['crc32'] = (bytes, before) => (loaded ??= load()).crc32(bytes, before);
export const crc32c: table.Crc['crc32c'] = (bytes, before) => (loaded ??= load()).crc32c(bytes, before);
