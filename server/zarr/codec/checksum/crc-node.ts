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
    // This platform has no binary; use the slower JavaScript version.
  }
  return table;
}

function isCrc(value: unknown): value is table.Crc {
  if (typeof value !== 'object' || value === null || !('crc32' in value) || !('crc32c' in value))
    return false;
  return typeof value.crc32 === 'function' && typeof value.crc32c === 'function';
}

export const { crc32, crc32c } = load();
